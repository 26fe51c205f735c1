// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The verifier, effects and folds of spl.intrinsic.
#include "intrinsics/Intrinsics.h"
#include "mir/dialect/SplDialect.h"
#include "spl/abi/Limits.h"

using namespace mlir;
using namespace spl::mir;
using spl::intrinsics::Id;
using spl::intrinsics::Signature;
using spl::intrinsics::Sync;

namespace {

/// The MIR type of a scalar of the language: "i64" and "u64" are i64, "bool" is i1, "f32" is f32.
Type scalarType(MLIRContext *context, StringRef name) {
  if (name == "bool")
    return IntegerType::get(context, 1);
  if (name == "f16")
    return Float16Type::get(context);
  if (name == "bf16")
    return BFloat16Type::get(context);
  if (name == "f32")
    return Float32Type::get(context);
  if (name == "f64")
    return Float64Type::get(context);
  unsigned width = 0;
  [[maybe_unused]] bool malformed = name.drop_front().getAsInteger(10, width);
  assert(!malformed && "a scalar of the table that this dialect does not know");
  return IntegerType::get(context, width);
}

/// The number of lanes, 0 for a scalar.
int64_t lanes(Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector ? vector.getNumElements() : 0;
}

/// The size of a type in bits.
int64_t size(Type type) {
  return std::max<int64_t>(lanes(type), 1) * getElementTypeOrSelf(type).getIntOrFloatBitWidth();
}

bool isNumber(Type element) { return element.isIntOrFloat() && !element.isInteger(1); }

bool isInteger(Type type) {
  Type element = getElementTypeOrSelf(type);
  return isa<IntegerType>(element) && isNumber(element);
}

/// Whether the letter may be this type.
bool isOfClass(Type type, Signature::Kind letter) {
  Type element = getElementTypeOrSelf(type);
  switch (letter) {
  case Signature::Kind::Float:
    return isa<FloatType>(element);
  case Signature::Kind::Number:
    return isNumber(element);
  case Signature::Kind::Int:
    return isInteger(type);
  case Signature::Kind::Word:
    return type.isInteger(32);
  case Signature::Kind::Any:
  case Signature::Kind::Whole: // in MIR, one operation moves one part of a struct, tuple or array
    return element.isIntOrFloat();
  case Signature::Kind::Vector:
    return lanes(type) != 0 && isa<FloatType>(element);
  case Signature::Kind::Quad:
    return lanes(type) == 4 && isa<FloatType>(element);
  case Signature::Kind::Lanes:
    return lanes(type) != 0 && element.isInteger(1);
  case Signature::Kind::Axis:
  case Signature::Kind::Element:
  case Signature::Kind::Mask:
  case Signature::Kind::AnyInt:
  case Signature::Kind::Bits:
  case Signature::Kind::Scalar:
  case Signature::Kind::Index:
  case Signature::Kind::Scope:
  case Signature::Kind::Exclusive:
  case Signature::Kind::Width:
  case Signature::Kind::Text:
    return false;
  }
  llvm_unreachable("every kind is above");
}

/// Whether a value of this type fits the slot, if the row's letter is the type \p letter.
bool fits(Type type, const Signature::Slot &slot, Type letter) {
  if (slot.isLetter())
    return type == letter && isOfClass(type, slot.kind);
  Type element = getElementTypeOrSelf(type);
  switch (slot.kind) {
  case Signature::Kind::Element:
    return type == getElementTypeOrSelf(letter);
  case Signature::Kind::Mask:
    return element.isInteger(1) && lanes(type) == lanes(letter);
  case Signature::Kind::AnyInt:
    return isInteger(type) && lanes(type) == lanes(letter);
  case Signature::Kind::Bits:
    return isNumber(element) && isNumber(getElementTypeOrSelf(letter)) &&
           size(type) == size(letter);
  case Signature::Kind::Scalar:
    return type == scalarType(type.getContext(), slot.scalar);
  case Signature::Kind::Index:
    return type.isInteger(64);
  case Signature::Kind::Axis:
  case Signature::Kind::Float:
  case Signature::Kind::Number:
  case Signature::Kind::Int:
  case Signature::Kind::Word:
  case Signature::Kind::Any:
  case Signature::Kind::Whole:
  case Signature::Kind::Vector:
  case Signature::Kind::Quad:
  case Signature::Kind::Lanes:
  case Signature::Kind::Scope:
  case Signature::Kind::Exclusive:
  case Signature::Kind::Width:
  case Signature::Kind::Text:
    return false;
  }
  llvm_unreachable("every kind is above");
}

/// Whether values of these types fit the slots.
bool fit(TypeRange types, ArrayRef<Signature::Slot> slots, Type letter) {
  return types.size() == slots.size() && llvm::all_of(llvm::zip(types, slots), [&](auto pair) {
           return fits(std::get<0>(pair), std::get<1>(pair), letter);
         });
}

/// The type of the row's letter: that of its first use.
Type letterType(TypeRange types, ArrayRef<Signature::Slot> slots) {
  for (auto [type, slot] : llvm::zip(types, slots))
    if (slot.isLetter())
      return type;
  return {};
}

} // namespace

const spl::intrinsics::Row &IntrinsicOp::getRow() { return *spl::intrinsics::find(getName()); }

Value IntrinsicOp::getMask() {
  bool hasMask = getNumOperands() > spl::intrinsics::signature(getRow().id).valueCount();
  return hasMask ? getOperands().back() : Value();
}

int64_t IntrinsicOp::segment() {
  return int64_t(getWidth().value_or(uint64_t(spl::abi::warpSize)));
}

LogicalResult IntrinsicOp::verify() {
  const spl::intrinsics::Row *row = spl::intrinsics::find(getName());
  if (!row)
    return emitOpError() << "names no intrinsic: '" << getName() << "'";
  const Signature &signature = spl::intrinsics::signature(row->id);

  if (getAxis().has_value() != signature.hasAxis())
    return emitOpError() << "'" << getName() << "' "
                         << (signature.hasAxis() ? "needs an axis" : "has no axis");
  if (getAxis() && *getAxis() > 2)
    return emitOpError() << "axis is 0, 1 or 2, not " << int64_t(*getAxis());

  bool hasScope = getScope().has_value();
  if (hasScope != signature.has(Signature::Kind::Scope))
    return emitOpError() << "'" << getName() << "' "
                         << (hasScope ? "has no scope" : "needs a scope");
  if (getExclusive() && !signature.has(Signature::Kind::Exclusive))
    return emitOpError() << "'" << getName() << "' is no scan, which alone can be exclusive";

  if (getWidth() && !signature.has(Signature::Kind::Width))
    return emitOpError() << "'" << getName() << "' has no width";
  if (getWidth() && !spl::abi::isSegmentWidth(int64_t(*getWidth())))
    return emitOpError() << "width is 2, 4, 8, 16 or 32, not " << int64_t(*getWidth());

  SmallVector<Signature::Slot, 4> values = signature.values();
  if (row->sync == Sync::Warp && getNumOperands() == values.size() + 1)
    values.push_back({Signature::Kind::Scalar, "u32"});
  Type letter = letterType(getOperandTypes(), values);
  if (!fit(getOperandTypes(), values, letter) || !fit(getResultTypes(), signature.results, letter))
    return emitOpError() << "does not fit '" << getName() << "' of signature " << row->signature;

  if (getIsUnsigned() && llvm::none_of(getOperandTypes(), isInteger))
    return emitOpError("is unsigned where no integer's sign matters");
  return success();
}

//===-- Effects --===//

// Ids and sizes are constant for a work-item, and most other intrinsics are functions of their
// arguments. Therefore they may be moved, merged and removed. Collectives may not: which lanes take
// part depends on the place of the operation.
void IntrinsicOp::getEffects(SmallVectorImpl<MemoryEffects::EffectInstance> &effects) {
  Sync sync = getRow().sync;
  if (sync == Sync::None)
    return;
  effects.emplace_back(MemoryEffects::Write::get(), ConvergenceResource::get());
  bool ordersMemory = sync != Sync::Warp || getRow().id == Id::WarpBarrier;
  if (ordersMemory) {
    effects.emplace_back(MemoryEffects::Read::get());
    effects.emplace_back(MemoryEffects::Write::get());
  }
}

Speculation::Speculatability IntrinsicOp::getSpeculatability() {
  return getRow().sync == Sync::None ? Speculation::Speculatable : Speculation::NotSpeculatable;
}

//===-- Folds --===//

namespace {

// Folds the intrinsics that APFloat computes exactly. The last bits of others, and the bits of NaN,
// differ between targets, so they are not folded.
Attribute foldFloats(Id id, ArrayRef<APFloat> values, Type type) {
  APFloat result = values[0];
  if (id == Id::Fma)
    result.fusedMultiplyAdd(values[1], values[2], APFloat::rmNearestTiesToEven);
  else if (id == Id::Abs)
    result.clearSign();
  else if (id == Id::Min)
    result = llvm::minimumnum(values[0], values[1]);
  else if (id == Id::Max)
    result = llvm::maximumnum(values[0], values[1]);
  else if (id == Id::Fmod)
    result.mod(values[1]);
  else
    return {};
  return result.isNaN() ? Attribute() : FloatAttr::get(type, result);
}

Attribute foldIntegers(Id id, ArrayRef<APInt> values, bool isUnsigned, Type type) {
  const APInt &a = values[0];
  if (id == Id::Abs)
    return IntegerAttr::get(type, isUnsigned ? a : a.abs());
  if (id != Id::Min && id != Id::Max)
    return {};
  const APInt &b = values[1];
  bool aIsLess = isUnsigned ? a.ult(b) : a.slt(b);
  return IntegerAttr::get(type, aIsLess == (id == Id::Min) ? a : b);
}

} // namespace

LogicalResult IntrinsicOp::fold(FoldAdaptor adaptor, SmallVectorImpl<OpFoldResult> &results) {
  if (getOperands().empty() || getNumResults() != 1)
    return failure();
  Id id = getRow().id;
  SmallVector<APFloat, 3> floats;
  SmallVector<APInt, 3> integers;
  for (Attribute operand : adaptor.getOperands()) {
    if (auto number = dyn_cast_if_present<FloatAttr>(operand))
      floats.push_back(number.getValue());
    else if (auto number = dyn_cast_if_present<IntegerAttr>(operand))
      integers.push_back(number.getValue());
    else
      return failure();
  }
  Attribute result;
  if (integers.empty())
    result = foldFloats(id, floats, getType());
  else if (floats.empty())
    result = foldIntegers(id, integers, getIsUnsigned(), getType());
  if (!result)
    return failure();
  results.push_back(result);
  return success();
}
