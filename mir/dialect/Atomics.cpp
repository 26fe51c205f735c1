// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The verifier of spl.atomic.
#include "mir/dialect/SplDialect.h"

using namespace mlir;
using namespace spl::mir;

// Pairs of f16 or bf16 can be added, each lane by itself. cas of pairs exists because the emulation
// of the addition uses it.
static bool isAtomicType(Type type, AtomicKind kind) {
  const bool isMove = kind == AtomicKind::Load || kind == AtomicKind::Store;
  if (auto vector = dyn_cast<VectorType>(type)) {
    Type element = vector.getElementType();
    bool isSum = kind == AtomicKind::Add && (element.isF16() || element.isBF16());
    return vector.getDimSize(0) == 2 && element.getIntOrFloatBitWidth() == 16 &&
           (isSum || isMove || kind == AtomicKind::Cas);
  }
  bool isBitwise = llvm::is_contained({AtomicKind::And, AtomicKind::Or, AtomicKind::Xor}, kind);
  const bool isCounter = kind == AtomicKind::Inc || kind == AtomicKind::Dec;
  if (type.isInteger(1) || type.isF16() || type.isBF16())
    return isMove;
  return isa<IntegerType>(type) || (!isBitwise && !isCounter && (type.isF32() || type.isF64()));
}

static unsigned valueCount(AtomicKind kind) {
  return kind == AtomicKind::Cas ? 2 : kind == AtomicKind::Load ? 0 : 1;
}

LogicalResult AtomicOp::verify() {
  SliceType slice = getSlice().getType();
  Type element = slice.getElement();
  if (!slice.getIsMut() && getKind() != AtomicKind::Load)
    return emitOpError("writes to a read-only slice");
  if (!isAtomicType(element, getKind()))
    return emitOpError() << stringifyAtomicKind(getKind()) << " has no form for " << element;
  if (getIndices().size() != slice.getRank())
    return emitOpError() << "gives " << getIndices().size() << " indices to a slice of rank "
                         << slice.getRank();
  bool fits = getValues().size() == valueCount(getKind()) &&
              llvm::all_of(getValues().getTypes(), [&](Type type) { return type == element; });
  if (!fits || bool(getResult()) == (getKind() == AtomicKind::Store) ||
      (getResult() && getResult().getType() != element))
    return emitOpError() << stringifyAtomicKind(getKind()) << " of " << element << " takes "
                         << valueCount(getKind()) << " values and returns "
                         << (getKind() == AtomicKind::Store ? "nothing" : "one");
  return success();
}
