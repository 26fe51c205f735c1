// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of Intrinsics.def as a constexpr table, for static assertions: code that handles a
// family of rows asserts that it handles each of them. Code that does not need a constant uses
// Intrinsics.h.
#pragma once

#include "intrinsics/Intrinsics.h"

namespace spl::intrinsics {
namespace words {

// The values of the column Varies.
struct Nature {
  Varies varies;
  Sync sync = Sync::None;
};
constexpr Nature Nothing{Varies::Nothing}, Group{Varies::Group}, WorkItem{Varies::WorkItem};
constexpr Nature Alone(Nature of) { return {of.varies, Sync::Alone}; }
constexpr Nature OfWarp(Nature of) { return {of.varies, Sync::Warp}; }
constexpr Nature OfGroup(Nature of) { return {of.varies, Sync::Group}; }

inline constexpr Row rows[] = {
#define INTRINSIC(Id_, Name, Signature, Nature, Doc)                                               \
  {Id::Id_, Name, Signature, (Nature).varies, (Nature).sync, Doc},
#include "intrinsics/Intrinsics.def"
};

} // namespace words

using words::rows;

/// Whether \p handler returns a function exactly for the rows for which \p holds returns true. For
/// all other rows it must return null.
template <class Handler, class Predicate>
constexpr bool handlesJust(Handler (*handler)(Id), Predicate holds) {
  for (const Row &row : rows)
    if ((handler(row.id) != nullptr) != holds(row))
      return false;
  return true;
}

} // namespace spl::intrinsics
