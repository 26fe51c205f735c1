// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/cpu/PrivateCopies.h"
#include "mir/transforms/Forwarding.h"

using namespace mlir;

namespace spl::codegen {

using LLVM::AtomicBinOp;

/// The most slices with copies. The body gets a bit for each.
static constexpr size_t mostPrivates = 16;

static unsigned bytesOf(Type type) { return llvm::divideCeil(type.getIntOrFloatBitWidth(), 8); }

//===-- Which slices have copies --===//

/// What the update does if a copy may collect it, or std::nullopt.
static std::optional<AtomicBinOp> updateOf(mir::AtomicOp op) {
  using mir::AtomicKind;
  const Type type = op.getSlice().getType().getElement();
  const bool isInteger = type.isInteger() && !type.isInteger(1);
  if (!(isInteger || type.isF32() || type.isF64()) || op.getOrder() != mir::MemoryOrder::Relaxed ||
      op.getScope() == mir::MemoryScope::System || !op->use_empty())
    return std::nullopt;
  const AtomicKind kind = op.getKind() == AtomicKind::Sub ? AtomicKind::Add : op.getKind();
  const bool isMax = kind == AtomicKind::Max && isInteger && op.getIsUnsigned();
  if (kind == AtomicKind::Add || kind == AtomicKind::Or || kind == AtomicKind::Xor || isMax)
    return atomicBinOp(kind, type, op.getIsUnsigned());
  return std::nullopt;
}

/// The scalar of an element of \p slice that an access of \p view reaches, or std::nullopt if it is
/// in an array or a vector.
static std::optional<PrivateSlice::Leaf> leafOf(Value view, Value slice) {
  PrivateSlice::Leaf leaf{{}, cast<mir::SliceType>(view.getType()).getElement()};
  for (; view != slice; view = view.getDefiningOp()->getOperand(0)) {
    if (auto part = view.getDefiningOp<mir::PartOp>()) {
      if (part.getField())
        leaf.fields.insert(leaf.fields.begin(), int32_t(*part.getField()));
      else if (!part.isWhole())
        return std::nullopt;
    } else if (!isa_and_present<mir::RowOp, mir::SubsliceOp>(view.getDefiningOp())) {
      return std::nullopt;
    }
  }
  return leaf;
}

/// Adds the uses of the slice. Returns false if one of them prevents copies.
static bool addUpdates(Value slice, PrivateSlice &result) {
  for (Value view : mir::viewsOf(slice))
    for (Operation *user : view.getUsers()) {
      if (mir::isView(user) || isa<mir::ExtentOp>(user))
        continue;
      auto op = dyn_cast<mir::AtomicOp>(user);
      std::optional<AtomicBinOp> update = op ? updateOf(op) : std::nullopt;
      std::optional<PrivateSlice::Leaf> leaf = update ? leafOf(view, slice) : std::nullopt;
      // Leaves of both integers and floats are added by different operations.
      auto sum = [](AtomicBinOp op) { return op == AtomicBinOp::fadd ? AtomicBinOp::add : op; };
      if (!leaf || (!result.updates.empty() && result.update != sum(*update)))
        return false;
      result.update = sum(*update);
      result.updates.push_back(op);
      if (!llvm::is_contained(result.leaves, *leaf))
        result.leaves.push_back(*leaf);
    }
  return !result.updates.empty();
}

std::vector<PrivateSlice> privateSlices(mir::KernelOp kernel) {
  std::vector<PrivateSlice> result;
  if (llvm::any_of(kernel.getSignature().parameters, [](const auto &p) { return p.isAlias; }))
    return result;
  for (BlockArgument argument : kernel.getBody().getArguments()) {
    PrivateSlice slice{argument.getArgNumber(), AtomicBinOp::add, {}, {}};
    if (result.size() < mostPrivates && isa<mir::SliceType>(argument.getType()) &&
        addUpdates(argument, slice))
      result.push_back(std::move(slice));
  }
  return result;
}

//===-- The body --===//

static AtomicBinOp ofType(AtomicBinOp update, Type type) {
  return update == AtomicBinOp::add && !type.isInteger() ? AtomicBinOp::fadd : update;
}

void emitPrivateUpdate(mir::AtomicOp op, AtomicBinOp update, Value isPrivate, Value address,
                       Value value, StringRef scopeOfGroup, ConversionPatternRewriter &rewriter) {
  const Location loc = op.getLoc();
  Block *before = rewriter.getInsertionBlock();
  Block *after = rewriter.splitBlock(before, op->getIterator());
  auto emit = [&](StringRef scope) {
    Block *block = rewriter.createBlock(after);
    LLVM::AtomicRMWOp::create(rewriter, loc, ofType(update, value.getType()), address, value,
                              LLVM::AtomicOrdering::monotonic, scope, bytesOf(value.getType()));
    LLVM::BrOp::create(rewriter, loc, after);
    return block;
  };
  Block *ofCopy = emit(scopeOfGroup), *ofSlice = emit("");
  rewriter.setInsertionPointToEnd(before);
  LLVM::CondBrOp::create(rewriter, loc, isPrivate, ofCopy, ofSlice);
  rewriter.setInsertionPoint(op);
}

//===-- The entry --===//

PrivateCopy::PrivateCopy(const PrivateSlice &of, Value copy, ValueRange slice, Value items,
                         Type element, Location loc, Lowering &lowering, OpBuilder &builder)
    : of(of), copy(copy), original(slice.front()), element(lowering.memoryType(element)), loc(loc) {
  auto constant = [&](int64_t value) { return i64Constant(builder, loc, value); };
  const auto size = int64_t(lowering.layout(element).size);
  Value all = constant(1); // the product does not overflow: the slice is in memory, or it is empty
  for (Value extent : slice.drop_front())
    all = LLVM::MulOp::create(builder, loc, all, extent);
  Value isSmall = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ule, all,
                                       constant(int64_t(privateBytes) / size));
  Value isOften = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ule, all, items);
  used = LLVM::AndOp::create(builder, loc, isSmall, isOften);
  count = LLVM::SelectOp::create(builder, loc, used, all, constant(0));
  chosen = LLVM::SelectOp::create(builder, loc, used, copy, original);
}

Value PrivateCopy::unchangedBits(const PrivateSlice::Leaf &leaf, OpBuilder &builder) const {
  Type bits = builder.getIntegerType(leaf.type.getIntOrFloatBitWidth());
  APInt value(bits.getIntOrFloatBitWidth(), 0);
  if (!leaf.type.isInteger())
    value.setSignBit(); // x + -0.0 is x, also for -0.0
  return LLVM::ConstantOp::create(builder, loc, builder.getIntegerAttr(bits, value));
}

Value PrivateCopy::placeOf(const PrivateSlice::Leaf &leaf, Value base, Value index,
                           OpBuilder &builder) const {
  SmallVector<LLVM::GEPArg> path{index};
  for (int32_t field : leaf.fields)
    path.push_back(field);
  return LLVM::GEPOp::create(builder, loc, base.getType(), element, base, path);
}

void PrivateCopy::emitEmpty(ConversionPatternRewriter &rewriter) const {
  forEachLeaf(rewriter, [&](const PrivateSlice::Leaf &leaf, Value index, Block *) {
    LLVM::StoreOp::create(rewriter, loc, unchangedBits(leaf, rewriter),
                          placeOf(leaf, copy, index, rewriter));
  });
}

void PrivateCopy::emitFlush(ConversionPatternRewriter &rewriter) const {
  forEachLeaf(rewriter, [&](const PrivateSlice::Leaf &leaf, Value index, Block *before) {
    Value unchanged = unchangedBits(leaf, rewriter);
    Value bits = LLVM::LoadOp::create(rewriter, loc, unchanged.getType(),
                                      placeOf(leaf, copy, index, rewriter));
    Value isChanged = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::ne, bits, unchanged);
    Block *test = rewriter.getInsertionBlock();
    Block *update = rewriter.createBlock(before), *next = rewriter.createBlock(before);
    rewriter.setInsertionPointToEnd(test);
    LLVM::CondBrOp::create(rewriter, loc, isChanged, update, next);
    rewriter.setInsertionPointToEnd(update);
    Value value = leaf.type.isInteger()
                      ? bits
                      : LLVM::BitcastOp::create(rewriter, loc, leaf.type, bits).getResult();
    LLVM::AtomicRMWOp::create(rewriter, loc, ofType(of.update, leaf.type),
                              placeOf(leaf, original, index, rewriter), value,
                              LLVM::AtomicOrdering::monotonic, "", bytesOf(leaf.type));
    LLVM::BrOp::create(rewriter, loc, next);
    rewriter.setInsertionPointToEnd(next);
  });
}

void PrivateCopy::forEachLeaf(
    ConversionPatternRewriter &rewriter,
    llvm::function_ref<void(const PrivateSlice::Leaf &, Value, Block *)> body) const {
  Block *before = rewriter.getInsertionBlock();
  Region *function = before->getParent();
  const Type i64 = count.getType();
  Block *head = rewriter.createBlock(function, function->end(), {i64}, {loc});
  Block *inner = rewriter.createBlock(function, function->end());
  Block *end = rewriter.createBlock(function, function->end());
  rewriter.setInsertionPointToEnd(before);
  LLVM::BrOp::create(rewriter, loc, ValueRange(i64Constant(rewriter, loc, 0)), head);
  rewriter.setInsertionPointToEnd(head);
  Value index = head->getArgument(0);
  Value more = LLVM::ICmpOp::create(rewriter, loc, LLVM::ICmpPredicate::ult, index, count);
  LLVM::CondBrOp::create(rewriter, loc, more, inner, end);
  rewriter.setInsertionPointToEnd(inner);
  for (const PrivateSlice::Leaf &leaf : of.leaves)
    body(leaf, index, end);
  Value next = LLVM::AddOp::create(rewriter, loc, index, i64Constant(rewriter, loc, 1));
  LLVM::BrOp::create(rewriter, loc, ValueRange(next), head);
  rewriter.setInsertionPointToEnd(end);
}

} // namespace spl::codegen
