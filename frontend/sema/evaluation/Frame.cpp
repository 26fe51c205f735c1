// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/evaluation/Frame.h"

namespace spl::sema {

const Expr *partOf(const Expr *whole, uint64_t number) {
  auto &build = llvm::cast<BuildExpr>(*whole);
  return build.parts[build.parts.size() == 1 ? 0 : number];
}

const Expr *makeInteger(Execution &execution, const Local &variable, llvm::APInt value) {
  return new (execution.arena)
      ConstantExpr{{variable.type, variable.range}, false, std::move(value), llvm::APFloat(0.0f)};
}

const Expr *read(const FramePlace &place) {
  Frame::Slot &slot = place.frame->values[place.local];
  if (place.path.empty())
    slot.parts = {}; // another value shares them now
  const Expr *value = slot.value;
  for (uint64_t number : place.path)
    value = partOf(value, number);
  return value;
}

/// The number of parts of an aggregate or a vector.
static uint64_t partCount(Type type) {
  if (type.isArray())
    return type.length();
  if (type.isVector())
    return type.lanes();
  return type.isTuple() ? type.elements().size() : type.structInfo().fields.size();
}

static llvm::MutableArrayRef<const Expr *> copyParts(Execution &execution, const Expr &whole) {
  const uint64_t count = partCount(whole.type);
  execution.steps += count / 8;
  llvm::MutableArrayRef<const Expr *> parts(execution.arena.Allocate<const Expr *>(count), count);
  for (uint64_t number = 0; number != count; ++number)
    parts[number] = partOf(&whole, number);
  return parts;
}

static const Expr *makeWhole(Execution &execution, const Expr &like, ArrayRef<const Expr *> parts) {
  return new (execution.arena) BuildExpr{{like.type, like.range}, parts, {}};
}

/// The value with another part at the end of the path.
static const Expr *replaced(Execution &execution, const Expr &whole, ArrayRef<uint64_t> path,
                            const Expr &value) {
  if (path.empty())
    return &value;
  llvm::MutableArrayRef<const Expr *> parts = copyParts(execution, whole);
  parts[path.front()] = replaced(execution, *parts[path.front()], path.drop_front(), value);
  return makeWhole(execution, whole, parts);
}

void write(Execution &execution, const FramePlace &place, const Expr &value) {
  Frame::Slot &slot = place.frame->values[place.local];
  if (place.path.empty()) {
    slot = {&value};
    return;
  }
  if (slot.parts.empty()) {
    slot.parts = copyParts(execution, *slot.value);
    slot.value = makeWhole(execution, *slot.value, slot.parts);
  }
  const Expr *&part = slot.parts[place.path.front()];
  part = replaced(execution, *part, ArrayRef(place.path).drop_front(), value);
}

} // namespace spl::sema
