// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/cpu/StridedStores.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InstIterator.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PatternMatch.h"

using namespace llvm;
using namespace llvm::PatternMatch;

namespace spl::codegen {
namespace {

constexpr unsigned vectorBytes = 64;
/// The operations one after the other that compute the lanes of an address.
constexpr unsigned maxDepth = 8;

/// By how much each lane is larger than lane 0, in arithmetic that wraps.
using Distances = SmallVector<int64_t, 16>;

std::optional<Distances> distancesOf(Value *value, unsigned depth = maxDepth);

std::optional<Distances> distancesOfConstant(const Constant &value, unsigned lanes) {
  Distances distances;
  std::optional<int64_t> first;
  for (unsigned lane = 0; lane < lanes; ++lane) {
    auto *number = dyn_cast_or_null<ConstantInt>(value.getAggregateElement(lane));
    if (!number)
      return std::nullopt;
    first = first ? first : std::optional(number->getSExtValue());
    distances.push_back(int64_t(uint64_t(number->getSExtValue()) - uint64_t(*first)));
  }
  return distances;
}

std::optional<Distances> scaled(std::optional<Distances> distances, int64_t factor) {
  for (int64_t &distance : distances ? MutableArrayRef(*distances) : MutableArrayRef<int64_t>())
    distance = int64_t(uint64_t(distance) * uint64_t(factor));
  return distances;
}

std::optional<Distances> added(std::optional<Distances> a, const std::optional<Distances> &b) {
  if (!a || !b)
    return std::nullopt;
  for (auto [sum, term] : zip_equal(*a, *b))
    sum = int64_t(uint64_t(sum) + uint64_t(term));
  return a;
}

/// The distances of a variable of a loop, to which the loop adds the same in all lanes.
std::optional<Distances> distancesOfVariable(PHINode &variable, unsigned depth) {
  if (variable.getNumIncomingValues() != 2)
    return std::nullopt;
  for (unsigned first : {0u, 1u}) {
    Value *step;
    if (match(variable.getIncomingValue(1 - first),
              m_c_Add(m_Specific(&variable), m_Value(step))) &&
        getSplatValue(step))
      return distancesOf(variable.getIncomingValue(first), depth - 1);
  }
  return std::nullopt;
}

/// The distances of addresses, in bytes.
std::optional<Distances> distancesOfPlaces(GEPOperator &places, const DataLayout &layout,
                                           unsigned lanes, unsigned depth) {
  if (places.getNumIndices() != 1)
    return std::nullopt;
  auto of = [&](Value *operand) {
    return operand->getType()->isVectorTy() ? distancesOf(operand, depth - 1)
                                            : std::optional(Distances(lanes, 0));
  };
  const TypeSize size = layout.getTypeAllocSize(places.getSourceElementType());
  return added(of(places.getPointerOperand()), scaled(of(*places.idx_begin()), int64_t(size)));
}

std::optional<Distances> distancesOf(Value *value, unsigned depth) {
  const unsigned lanes = cast<FixedVectorType>(value->getType())->getNumElements();
  if (getSplatValue(value))
    return Distances(lanes, 0);
  if (auto *places = dyn_cast<GEPOperator>(value); places && depth != 0)
    if (auto *instruction = dyn_cast<Instruction>(value))
      return distancesOfPlaces(*places, instruction->getDataLayout(), lanes, depth);
  if (!value->getType()->getScalarType()->isIntegerTy(64))
    return std::nullopt; // narrower numbers may wrap before they are extended
  if (auto *constant = dyn_cast<Constant>(value))
    return distancesOfConstant(*constant, lanes);
  if (depth == 0)
    return std::nullopt;
  if (auto *variable = dyn_cast<PHINode>(value))
    return distancesOfVariable(*variable, depth);
  Value *a, *b;
  const APInt *factor;
  if (match(value, m_AddLike(m_Value(a), m_Value(b))))
    return added(distancesOf(a, depth - 1), distancesOf(b, depth - 1));
  if (match(value, m_Sub(m_Value(a), m_Value(b))))
    return added(distancesOf(a, depth - 1), scaled(distancesOf(b, depth - 1), -1));
  if (match(value, m_Mul(m_Value(a), m_APInt(factor))))
    return scaled(distancesOf(a, depth - 1), factor->getSExtValue());
  if (match(value, m_Shl(m_Value(a), m_APInt(factor))) && factor->ult(64))
    return scaled(distancesOf(a, depth - 1), int64_t(uint64_t(1) << factor->getZExtValue()));
  return std::nullopt;
}

/// The elements of the lanes, counted from that of lane 0, if they follow each other with gaps of
/// at most three elements.
std::optional<SmallVector<unsigned>> elementsOf(Value *places, unsigned bytes) {
  constexpr int64_t maxStep = 4;
  const std::optional<Distances> distances = distancesOf(places);
  if (!distances)
    return std::nullopt;
  SmallVector<unsigned> elements;
  int64_t before = -1;
  for (int64_t distance : *distances) {
    const int64_t element = distance / int64_t(bytes);
    if (distance % int64_t(bytes) != 0 || element <= before || element > before + maxStep)
      return std::nullopt;
    elements.push_back(unsigned(element));
    before = element;
  }
  return elements;
}

/// Stores the lanes whose elements are in the vector that begins at the element \p begin.
void emitStore(IRBuilder<> &builder, Value *lanes, Value *place, ArrayRef<unsigned> elements,
               unsigned begin, unsigned bytes, Align align) {
  const unsigned width = vectorBytes / bytes;
  SmallVector<int> source(width, PoisonMaskElem);
  SmallVector<Constant *> mask(width, builder.getFalse());
  for (auto [lane, element] : enumerate(elements))
    if (element >= begin && element < begin + width) {
      source[element - begin] = int(lane);
      mask[element - begin] = builder.getTrue();
    }
  builder.CreateMaskedStore(builder.CreateShuffleVector(lanes, source),
                            builder.CreatePtrAdd(place, builder.getInt64(uint64_t(begin) * bytes)),
                            align, ConstantVector::get(mask));
}

void storeStrided(IntrinsicInst &scatter) {
  Value *lanes = scatter.getArgOperand(0), *places = scatter.getArgOperand(1);
  Type *element = lanes->getType()->getScalarType();
  const unsigned bits = element->getScalarSizeInBits(), bytes = bits / 8;
  auto *mask = dyn_cast<Constant>(scatter.getArgOperand(2));
  if (!mask || !mask->isAllOnesValue() || (bits != 32 && bits != 64))
    return;
  const std::optional<SmallVector<unsigned>> elements = elementsOf(places, bytes);
  if (!elements)
    return;
  IRBuilder<> builder(&scatter);
  Value *place = builder.CreateExtractElement(places, uint64_t(0));
  const Align align = scatter.getParamAlign(1).valueOrOne();
  for (unsigned begin = 0; begin <= elements->back(); begin += vectorBytes / bytes)
    emitStore(builder, lanes, place, *elements, begin, bytes, align);
  scatter.eraseFromParent();
}

} // namespace

void storeStridedScatters(Module &module) {
  for (Function &function : module) {
    SmallVector<IntrinsicInst *> scatters;
    for (Instruction &instruction : instructions(function))
      if (auto *call = dyn_cast<IntrinsicInst>(&instruction))
        if (call->getIntrinsicID() == Intrinsic::masked_scatter)
          scatters.push_back(call);
    for (IntrinsicInst *scatter : scatters)
      storeStrided(*scatter);
  }
}

} // namespace spl::codegen
