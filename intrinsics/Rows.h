// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of Intrinsics.def as constants, for what must know them when it is compiled: who handles
// a family of rows asserts there that it leaves none out. Others ask Intrinsics.h.
#pragma once

#include "intrinsics/Intrinsics.h"

namespace spl::intrinsics {
namespace words {

// The words that the column Varies is written in.
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

/// Whether the handler is there for the rows of which that holds, and for no others.
template <class Handler, class Predicate>
constexpr bool handlesJust(Handler (*handler)(Id), Predicate holds) {
  for (const Row &row : rows)
    if ((handler(row.id) != nullptr) != holds(row))
      return false;
  return true;
}

} // namespace spl::intrinsics
