// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of Intrinsics.def as constants, for what must know them when it is compiled: who handles
// a family of rows asserts there that it leaves none out. Others ask Intrinsics.h.
#pragma once

#include "intrinsics/Intrinsics.h"

namespace spl::intrinsics {
namespace words {

// The words that the lowering columns of the table are written in.
using Kind = Lowering::Kind;
constexpr Lowering Expand{Kind::Expand};
constexpr Lowering Source{Kind::Source};
constexpr Lowering Warp{Kind::Warp};
constexpr Lowering Fence{Kind::Fence};
constexpr Lowering WorkItemLoop{Kind::WorkItemLoop};
constexpr Lowering GroupIndex{Kind::GroupIndex};
constexpr Lowering Bitcast{Kind::Bitcast};
constexpr Lowering Sreg(llvm::StringLiteral name) { return {Kind::Sreg, name}; }
constexpr Lowering Library(llvm::StringLiteral name) { return {Kind::Library, name}; }
constexpr Lowering Approximate(llvm::StringLiteral name) { return {Kind::Approximate, name}; }
constexpr Lowering Llvm(llvm::StringLiteral name) { return {Kind::Llvm, name}; }
constexpr Lowering LlvmByClass(llvm::StringLiteral onFloat, llvm::StringLiteral onSigned,
                               llvm::StringLiteral onUnsigned) {
  return {Kind::Llvm, onFloat, onSigned, onUnsigned};
}
constexpr Lowering LlvmInt(llvm::StringLiteral name) { return {Kind::Llvm, "", name, name}; }
constexpr Lowering launchField(Lowering::Field field) {
  return {Kind::LaunchField, "", "", "", field};
}
#define LaunchField(name) launchField(Lowering::Field::name)

// And those of the column Varies.
struct Nature {
  Varies varies;
  Sync sync = Sync::None;
};
constexpr Nature Nothing{Varies::Nothing}, Group{Varies::Group}, WorkItem{Varies::WorkItem};
constexpr Nature Alone(Nature of) { return {of.varies, Sync::Alone}; }
constexpr Nature OfWarp(Nature of) { return {of.varies, Sync::Warp}; }
constexpr Nature OfGroup(Nature of) { return {of.varies, Sync::Group}; }

inline constexpr Row rows[] = {
#define INTRINSIC(Id_, Name, Signature, Nature, Nvptx, Cpu, Doc)                                   \
  {Id::Id_, Name, Signature, (Nature).varies, (Nature).sync, Nvptx, Cpu, Doc},
#include "intrinsics/Intrinsics.def"
};
#undef LaunchField

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
