// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the lanes of a warp and the work-items of a group do together, as instructions of PTX. Each
// names the lanes that take part, which spl-warp-masks found out. Values go between lanes in words
// of 32 bits.
#include "codegen/lower/Lowering.h"

using namespace mlir;

namespace spl::codegen {
namespace {

using intrinsics::Id;

/// Which lanes a mask may hold: known where it comes from.
enum class Lanes {
  Prefix, ///< all that exist: those below some number
  Some,   ///< any
};

class WarpCode {
public:
  WarpCode(mir::IntrinsicOp op, ValueRange operands, ConversionPatternRewriter &builder)
      : op(op), builder(builder), loc(op.getLoc()) {
    if (Value all = op.getMask()) {
      mask = operands.back();
      auto from = all.getDefiningOp<mir::IntrinsicOp>();
      lanes = from && from.getRow().id == Id::WarpLanes ? Lanes::Prefix : Lanes::Some;
    }
  }

  Value shuffle(StringRef mode, Value value, Value lane) {
    return inWords(value, [&](Value word) { return shuffleWord(mode, word, lane); });
  }

  /// A shuffle by the source's own number, an i64; past the ends one's own value.
  Value shuffleBy(StringRef mode, Value value, Value distance) {
    Value isNear = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, distance,
                                        i64Constant(builder, loc, 32));
    Value lane = LLVM::SelectOp::create(builder, loc, isNear, narrow(distance), i32(0));
    return shuffle(mode, value, lane);
  }

  Value narrow(Value value) { return LLVM::TruncOp::create(builder, loc, i32Type(), value); }

  Value matchAny(Value value) {
    Value all;
    inWords(value, [&](Value word) {
      Value same = call("llvm.nvvm.match.any.sync.i32", i32Type(), {mask, word});
      all = all ? LLVM::AndOp::create(builder, loc, all, same) : same;
      return word;
    });
    return all;
  }

  /// The sum or extreme over the lanes, in each of them.
  Value reduce(Value value) {
    if (lanes == Lanes::Some) {
      Value last = LLVM::SubOp::create(builder, loc, i32(31), leadingZeros(mask));
      return shuffle("idx", scanAlong(value), last);
    }
    // Lane 0 has them all in the end, whichever lanes are missing at the warp's end.
    for (int32_t distance : {16, 8, 4, 2, 1}) {
      Value other = shuffle("down", value, i32(distance));
      Value far = LLVM::AddOp::create(builder, loc, laneId(), i32(distance));
      value = select(hasLane(far), combine(value, other), value);
    }
    return shuffle("idx", value, i32(0));
  }

  Value scan(Value value, bool exclusive) {
    Value below, hasBelow, sum;
    if (lanes == Lanes::Prefix) {
      sum = value;
      for (int32_t distance : {1, 2, 4, 8, 16}) {
        Value other = shuffle("up", sum, i32(distance));
        sum = select(compare(LLVM::ICmpPredicate::uge, laneId(), i32(distance)),
                     combine(other, sum), sum);
      }
      if (exclusive) {
        below = shuffle("up", sum, i32(1));
        hasBelow = compare(LLVM::ICmpPredicate::ne, laneId(), i32(0));
      }
    } else {
      sum = scanAlong(value);
      if (exclusive) {
        Value lane = laneBelow();
        below = shuffle("idx", sum, lane);
        hasBelow = compare(LLVM::ICmpPredicate::sge, lane, i32(0));
      }
    }
    return exclusive ? select(hasBelow, below, zero(value.getType())) : sum;
  }

  Value call(StringRef name, Type result, ValueRange operands) {
    return LLVM::CallIntrinsicOp::create(builder, loc, result, builder.getStringAttr(name),
                                         operands)
        .getResult(0);
  }
  void call(StringRef name, ValueRange operands) {
    LLVM::CallIntrinsicOp::create(builder, loc, builder.getStringAttr(name), operands);
  }

  /// The lanes that the warp has: less than all in the last warp of a group.
  Value existing() {
    auto size = [&](StringRef axis) {
      return call(("llvm.nvvm.read.ptx.sreg.ntid." + axis).str(), i32Type(), {});
    };
    auto id = [&](StringRef axis) {
      return call(("llvm.nvvm.read.ptx.sreg.tid." + axis).str(), i32Type(), {});
    };
    auto madd = [&](Value a, Value b, Value c) -> Value {
      Value product = LLVM::MulOp::create(builder, loc, a, b);
      return LLVM::AddOp::create(builder, loc, product, c);
    };
    Value x = size("x"), y = size("y");
    Value flat = madd(madd(id("z"), y, id("y")), x, id("x"));
    Value count =
        LLVM::MulOp::create(builder, loc, x, LLVM::MulOp::create(builder, loc, y, size("z")));
    Value first = LLVM::AndOp::create(builder, loc, flat, i32(-32));
    Value left = LLVM::SubOp::create(builder, loc, count, first); // at least 1
    Value missing = LLVM::SubOp::create(builder, loc, i32(32), left);
    Value none = compare(LLVM::ICmpPredicate::slt, missing, i32(0));
    Value shift = select(none, i32(0), missing);
    return LLVM::LShrOp::create(builder, loc, i32(-1), shift);
  }

  Value mask;

private:
  Type i32Type() { return builder.getI32Type(); }
  Value i32(int32_t value) {
    return LLVM::ConstantOp::create(builder, loc, builder.getI32IntegerAttr(value));
  }
  Value compare(LLVM::ICmpPredicate predicate, Value a, Value b) {
    return LLVM::ICmpOp::create(builder, loc, predicate, a, b);
  }
  Value select(Value condition, Value a, Value b) {
    return LLVM::SelectOp::create(builder, loc, condition, a, b);
  }
  Value zero(Type type) {
    return LLVM::ConstantOp::create(builder, loc, builder.getZeroAttr(type));
  }
  Value laneId() { return call("llvm.nvvm.read.ptx.sreg.laneid", i32Type(), {}); }
  Value leadingZeros(Value bits) {
    Value defined = LLVM::ConstantOp::create(builder, loc, builder.getBoolAttr(false));
    return call("llvm.ctlz", i32Type(), {bits, defined});
  }
  /// Whether there is such a lane, where those that are there are the lowest.
  Value hasLane(Value lane) {
    Value count = LLVM::SubOp::create(builder, loc, i32(32), leadingZeros(mask));
    return compare(LLVM::ICmpPredicate::ult, lane, count);
  }
  /// The next lane below that takes part; -1 for none.
  Value laneBelow() {
    Value lower = call("llvm.nvvm.read.ptx.sreg.lanemask.lt", i32Type(), {});
    Value below = LLVM::AndOp::create(builder, loc, mask, lower);
    return LLVM::SubOp::create(builder, loc, i32(31), leadingZeros(below));
  }

  // An inclusive scan over any lanes: each knows the lane below it that it has not counted yet, and
  // takes over that one's sum and that one's own such lane.
  Value scanAlong(Value value) {
    Value lane = laneBelow();
    for (int round = 0; round < 5; ++round) {
      Value hasMore = compare(LLVM::ICmpPredicate::sge, lane, i32(0));
      Value other = shuffle("idx", value, lane);
      Value further = shuffle("idx", lane, lane);
      value = select(hasMore, combine(other, value), value);
      lane = select(hasMore, further, lane);
    }
    return value;
  }

  Value combine(Value a, Value b) {
    bool isFloat = isa<FloatType>(getElementTypeOrSelf(a.getType()));
    Id id = op.getRow().id;
    if (id == Id::WarpSum || id == Id::WarpScan) {
      if (isFloat)
        return LLVM::FAddOp::create(builder, loc, a, b);
      return LLVM::AddOp::create(builder, loc, a, b);
    }
    bool isMin = id == Id::WarpMin;
    StringRef name = isFloat              ? (isMin ? "llvm.minimumnum" : "llvm.maximumnum")
                     : op.getIsUnsigned() ? (isMin ? "llvm.umin" : "llvm.umax")
                                          : (isMin ? "llvm.smin" : "llvm.smax");
    return call(name, a.getType(), {a, b});
  }

  Value shuffleWord(StringRef mode, Value word, Value lane) {
    Value clamp = i32(mode == "up" ? 0 : 31);
    return call(("llvm.nvvm.shfl.sync." + mode + ".i32").str(), i32Type(),
                {mask, word, lane, clamp});
  }

  /// Does it to each 32 bits of a value; smaller ones are widened.
  Value inWords(Value value, llvm::function_ref<Value(Value)> act) {
    Type type = value.getType(), element = getElementTypeOrSelf(type);
    unsigned bits = element.getIntOrFloatBitWidth();
    if (auto vector = dyn_cast<VectorType>(type))
      bits *= vector.getNumElements();
    auto cast = [&](Type to, Value from) -> Value {
      return from.getType() == to ? from
                                  : LLVM::BitcastOp::create(builder, loc, to, from).getResult();
    };
    if (bits <= 32) {
      Type narrowType = builder.getIntegerType(bits);
      Value word = cast(narrowType, value);
      if (bits == 32)
        return cast(type, act(word));
      word = act(LLVM::ZExtOp::create(builder, loc, i32Type(), word));
      return cast(type, LLVM::TruncOp::create(builder, loc, narrowType, word));
    }
    Type wordsType = VectorType::get(bits / 32, i32Type());
    Value words = cast(wordsType, value), result = LLVM::PoisonOp::create(builder, loc, wordsType);
    for (unsigned number = 0; number < bits / 32; ++number) {
      Value index = i32(number);
      Value word = LLVM::ExtractElementOp::create(builder, loc, words, index);
      result = LLVM::InsertElementOp::create(builder, loc, result, act(word), index);
    }
    return cast(type, result);
  }

  mir::IntrinsicOp op;
  ConversionPatternRewriter &builder;
  Location loc;
  Lanes lanes = Lanes::Some;
};

/// What an operation with a result answers; null for one without.
Value emit(mir::IntrinsicOp op, ValueRange operands, ConversionPatternRewriter &rewriter) {
  WarpCode code(op, operands, rewriter);
  Type i1 = rewriter.getI1Type(), i32 = rewriter.getI32Type();
  auto barrierId = [&] {
    return LLVM::ConstantOp::create(rewriter, op.getLoc(), rewriter.getI32IntegerAttr(0));
  };
  switch (op.getRow().id) {
  case Id::Barrier:
    return code.call("llvm.nvvm.barrier.cta.sync.aligned.all", ValueRange(barrierId())), Value();
  case Id::WarpBarrier:
    return code.call("llvm.nvvm.bar.warp.sync", code.mask), Value();
  case Id::GroupAny:
    return code.call("llvm.nvvm.barrier.cta.red.or.aligned.all", i1, {barrierId(), operands[0]});
  case Id::GroupAll:
    return code.call("llvm.nvvm.barrier.cta.red.and.aligned.all", i1, {barrierId(), operands[0]});
  case Id::WarpLanes:
    return code.existing();
  case Id::Shuffle:
    return code.shuffle("idx", operands[0], code.narrow(operands[1]));
  case Id::ShuffleXor:
    return code.shuffle("bfly", operands[0], code.narrow(operands[1]));
  case Id::ShuffleUp:
    return code.shuffleBy("up", operands[0], operands[1]);
  case Id::ShuffleDown:
    return code.shuffleBy("down", operands[0], operands[1]);
  case Id::Ballot:
    return code.call("llvm.nvvm.vote.ballot.sync", i32, {code.mask, operands[0]});
  case Id::Any:
    return code.call("llvm.nvvm.vote.any.sync", i1, {code.mask, operands[0]});
  case Id::All:
    return code.call("llvm.nvvm.vote.all.sync", i1, {code.mask, operands[0]});
  case Id::MatchAny:
    return code.matchAny(operands[0]);
  case Id::WarpSum:
  case Id::WarpMin:
  case Id::WarpMax:
    return code.reduce(operands[0]);
  case Id::WarpScan:
    return code.scan(operands[0], op.getExclusive());
  default:
    llvm_unreachable("the table says Warp for rows above only; a unit test holds it to that");
  }
}

struct WarpPattern : Pattern<mir::IntrinsicOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::IntrinsicOp op, OpAdaptor adaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (lowering.target.column(op.getRow()).kind != intrinsics::Lowering::Kind::Warp)
      return failure();
    if (op.getRow().sync == intrinsics::Sync::Warp && !op.getMask())
      return op.emitOpError("has no mask; was spl-warp-masks run?");
    if (Value value = emit(op, adaptor.getOperands(), rewriter))
      rewriter.replaceOp(op, value);
    else
      rewriter.eraseOp(op);
    return success();
  }
};

/// Orders accesses for the scope; a target without narrower scopes, as the CPU, does it for all.
struct FencePattern : Pattern<mir::IntrinsicOp> {
  using Pattern::Pattern;
  LogicalResult matchAndRewrite(mir::IntrinsicOp op, OpAdaptor,
                                ConversionPatternRewriter &rewriter) const override {
    if (lowering.target.column(op.getRow()).kind != intrinsics::Lowering::Kind::Fence)
      return failure();
    LLVM::FenceOp::create(rewriter, op.getLoc(), LLVM::AtomicOrdering::seq_cst,
                          lowering.hooks->syncScope(*op.getScope()));
    rewriter.eraseOp(op);
    return success();
  }
};

} // namespace

void addWarpPatterns(Lowering &lowering) {
  lowering.add<WarpPattern>();
  lowering.add<FencePattern>();
}

} // namespace spl::codegen
