// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Lowers collectives of warps and groups to instructions of PTX. Each instruction of a warp has a
// mask of the lanes that take part, which spl-warp-masks computes. Values are exchanged in words of
// 32 bits.
//
// Where all existing lanes take part, the mask is a constant with all 32 bits. For a constant mask
// ptxas adds no code for lanes that are at another instruction. Lanes beyond the end of a group
// behave like lanes that have ended: instructions wait only for those lanes of the mask that have
// not ended (PTX ISA, shfl.sync), and votes and matches leave the others out.
#include "codegen/targets/nvptx/Warps.h"
#include "codegen/targets/nvptx/Intrinsics.h"
#include "intrinsics/Reductions.h"
#include "intrinsics/Rows.h"
#include "mlir/IR/Matchers.h"
#include "spl/abi/Limits.h"

using namespace mlir;

namespace spl::codegen {
namespace {

using intrinsics::Id;

constexpr int32_t warpSize = abi::warpSize, lastLane = warpSize - 1;
constexpr unsigned wordBits = 32; // the size of a word that is exchanged between lanes

/// The lanes that a mask may contain. They follow from the operation that computes the mask.
enum class Lanes {
  All,    ///< all 32 lanes
  Prefix, ///< all lanes of the warp that exist: those below some number
  Some,   ///< any lanes
};

class WarpCode {
public:
  WarpCode(mir::IntrinsicOp op, ValueRange operands, ConversionPatternRewriter &builder,
           bool hasRedux)
      : op(op), builder(builder), loc(op.getLoc()), hasRedux(hasRedux) {
    if (Value all = op.getMask()) {
      mask = active = operands.back();
      auto from = all.getDefiningOp<mir::IntrinsicOp>();
      APInt constant;
      if (matchPattern(all, m_ConstantInt(&constant)) && constant.isAllOnes())
        lanes = Lanes::All;
      else if (from && from.getRow().id == Id::WarpLanes) {
        lanes = Lanes::Prefix;
        mask = i32(-1);
      }
    }
  }

  void barrier() { call("llvm.nvvm.barrier.cta.sync.aligned.all", ValueRange(i32(0))); }
  void warpBarrier() { call("llvm.nvvm.bar.warp.sync", mask); }
  Value groupVote(StringRef combined, Value vote) {
    return call(("llvm.nvvm.barrier.cta.red." + combined + ".aligned.all").str(),
                builder.getI1Type(), {i32(0), vote});
  }
  Value vote(StringRef quantity, Value vote) {
    return call(("llvm.nvvm.vote." + quantity + ".sync").str(), builder.getI1Type(), {mask, vote});
  }
  Value activeMask() { return active; }
  Value ballot(Value vote) { return call("llvm.nvvm.vote.ballot.sync", i32Type(), {mask, vote}); }

  /// Emits a shuffle by a lane number, which is an i64 operand.
  Value shuffleAt(StringRef mode, ValueRange operands) {
    Value number = narrow(operands[1]);
    if (segment != warpSize) // a lane of another segment has a number too
      number = LLVM::AndOp::create(builder, loc, number, i32(segment - 1));
    return shuffle(mode, operands[0], number, segment);
  }

  /// Emits a shuffle by a distance, which is an i64 operand. Past the ends, a lane gets its own
  /// value.
  Value shuffleBy(StringRef mode, ValueRange operands) {
    Value value = operands[0], distance = operands[1];
    Value isNear = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::ult, distance,
                                        i64Constant(builder, loc, warpSize));
    Value lane = LLVM::SelectOp::create(builder, loc, isNear, narrow(distance), i32(0));
    return shuffle(mode, value, lane, segment);
  }

  Value matchAny(Value value) {
    Value all;
    inWords(value, [&](Value word) {
      Value same = call("llvm.nvvm.match.any.sync.i32", i32Type(), {mask, word});
      all = all ? LLVM::AndOp::create(builder, loc, all, same) : same;
      return word;
    });
    return all;
  }

  /// Emits the reduction over the lanes of each segment. All lanes get the result. With
  /// spl.first_lane, perhaps only the first lane of each segment does.
  Value reduce(Value value) {
    if (hasRedux && segment == warpSize && value.getType().isInteger() &&
        value.getType().getIntOrFloatBitWidth() <= wordBits)
      return redux(value);
    if (lanes == Lanes::All) { // each lane adds in the order of lane 0, but for swapped operands
      for (int32_t distance = segment / 2; distance != 0; distance /= 2)
        value = combine(value, shuffle("bfly", value, i32(distance)));
      return value;
    }
    if (lanes == Lanes::Some)
      return shuffle("idx", scanAlong(value), highest(inSegment(mask)));
    // The first lane gets the result, even if the last lanes of the warp do not exist.
    for (int32_t distance = segment / 2; distance != 0; distance /= 2) {
      Value isThere, other = fromAbove(value, distance, isThere);
      value = combineIf(isThere, other, value);
    }
    return op->hasAttr(mir::SplDialect::firstLaneAttr) ? value
                                                       : shuffle("idx", value, i32(0), segment);
  }

  Value scan(Value value) {
    Value sum = value, isThere;
    if (lanes == Lanes::Some)
      sum = scanAlong(value);
    else
      for (int32_t distance = 1; distance != segment; distance *= 2) {
        Value other = fromBelow(sum, distance, isThere);
        sum = combineIf(isThere, other, sum);
      }
    if (!op.getExclusive())
      return sum;
    if (isa<IntegerType>(getElementTypeOrSelf(value.getType())))
      return LLVM::SubOp::create(builder, loc, sum, value);
    Value below;
    if (lanes == Lanes::Some) {
      Value lane = laneBelow();
      below = shuffle("idx", sum, lane);
      isThere = compare(LLVM::ICmpPredicate::sge, lane, i32(0));
    } else {
      below = fromBelow(sum, 1, isThere);
    }
    Value none = zero(value.getType()); // the sum begins with it, so that it is never -0
    return select(isThere, combine(none, below), none);
  }

  /// Emits the mask of the lanes that exist. The last warp of a group may have fewer than 32.
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
    Value first = LLVM::AndOp::create(builder, loc, flat, i32(-warpSize));
    Value left = LLVM::SubOp::create(builder, loc, count, first); // at least 1
    Value missing = LLVM::SubOp::create(builder, loc, i32(warpSize), left);
    Value none = compare(LLVM::ICmpPredicate::slt, missing, i32(0));
    Value shift = select(none, i32(0), missing);
    return LLVM::LShrOp::create(builder, loc, i32(-1), shift);
  }

private:
  Value call(StringRef name, Type result, ValueRange operands) {
    return LLVM::CallIntrinsicOp::create(builder, loc, result, builder.getStringAttr(name),
                                         operands)
        .getResult(0);
  }
  void call(StringRef name, ValueRange operands) {
    LLVM::CallIntrinsicOp::create(builder, loc, builder.getStringAttr(name), operands);
  }
  Value narrow(Value value) { return LLVM::TruncOp::create(builder, loc, i32Type(), value); }
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
  /// The highest lane of a mask, or -1 if the mask is empty.
  Value highest(Value lanes) {
    Value defined = LLVM::ConstantOp::create(builder, loc, builder.getBoolAttr(false));
    Value zeros = call("llvm.ctlz", i32Type(), {lanes, defined});
    return LLVM::SubOp::create(builder, loc, i32(lastLane), zeros);
  }
  /// The lanes of the mask in the segment of this lane.
  Value inSegment(Value lanes) {
    if (segment == warpSize)
      return lanes;
    Value first = LLVM::AndOp::create(builder, loc, laneId(), i32(-segment));
    Value own = LLVM::ShlOp::create(builder, loc, i32((1 << segment) - 1), first);
    return LLVM::AndOp::create(builder, loc, lanes, own);
  }
  /// The next lower lane in the mask and the segment, or -1.
  Value laneBelow() {
    Value lower = call("llvm.nvvm.read.ptx.sreg.lanemask.lt", i32Type(), {});
    Value below = LLVM::AndOp::create(builder, loc, mask, lower);
    return highest(inSegment(below));
  }

  // Emits an inclusive scan over any set of lanes. Each lane has the number of the next lower lane
  // that is not yet in its sum. In each step it adds the sum of that lane, and takes over the lane
  // number of that lane.
  Value scanAlong(Value value) {
    Value lane = laneBelow();
    for (int32_t reached = 1; reached != segment; reached *= 2) {
      Value hasMore = compare(LLVM::ICmpPredicate::sge, lane, i32(0));
      Value other = shuffle("idx", value, lane);
      Value further = shuffle("idx", lane, lane);
      value = combineIf(hasMore, other, value);
      lane = select(hasMore, further, lane);
    }
    return value;
  }

  /// Emits the instruction that reduces integers of up to 32 bits over the lanes of any mask.
  Value redux(Value value) {
    const Type type = value.getType();
    const unsigned bits = type.getIntOrFloatBitWidth();
    const bool isUnsigned = op.getIsUnsigned();
    if (bits < wordBits)
      value = isUnsigned ? LLVM::ZExtOp::create(builder, loc, i32Type(), value).getResult()
                         : LLVM::SExtOp::create(builder, loc, i32Type(), value).getResult();
    value = call(("llvm.nvvm.redux.sync." + reduxName(isUnsigned)).str(), i32Type(), {value, mask});
    return bits < wordBits ? LLVM::TruncOp::create(builder, loc, type, value).getResult() : value;
  }
  StringRef reduxName(bool isUnsigned) {
    switch (op.getRow().id) {
    case Id::WarpSum:
      return "add";
    case Id::WarpMin:
      return isUnsigned ? "umin" : "min";
    case Id::WarpMax:
      return isUnsigned ? "umax" : "max";
    case Id::WarpAnd:
      return "and";
    case Id::WarpOr:
      return "or";
    default:
      return "xor";
    }
  }

  Value combine(Value a, Value b) {
    bool isFloat = isa<FloatType>(getElementTypeOrSelf(a.getType()));
    Id id = op.getRow().id;
    if (id == Id::WarpSum || id == Id::WarpScan) {
      if (isFloat)
        return LLVM::FAddOp::create(builder, loc, a, b);
      return LLVM::AddOp::create(builder, loc, a, b);
    }
    if (id == Id::WarpAnd)
      return LLVM::AndOp::create(builder, loc, a, b);
    if (id == Id::WarpOr)
      return LLVM::OrOp::create(builder, loc, a, b);
    if (id == Id::WarpXor)
      return LLVM::XOrOp::create(builder, loc, a, b);
    bool isMin = id == Id::WarpMin;
    StringRef name = isFloat              ? (isMin ? "llvm.minimumnum" : "llvm.maximumnum")
                     : op.getIsUnsigned() ? (isMin ? "llvm.umin" : "llvm.umax")
                                          : (isMin ? "llvm.smin" : "llvm.smax");
    return call(name, a.getType(), {a, b});
  }

  /// The instruction that adds two values of the type, and the letter of its registers in inline
  /// assembly. Nothing for other types. A predicate saves nothing for integers of 64 bits: ptxas
  /// makes selections of it.
  static std::optional<std::pair<StringRef, char>> addition(Type type) {
    if (type.isInteger(32))
      return {{"add.s32", 'r'}};
    if (type.isF32())
      return {{"add.rn.f32", 'f'}};
    if (type.isF64())
      return {{"add.rn.f64", 'd'}};
    return std::nullopt;
  }

  /// Emits \p a combined with \p b if the condition holds, and otherwise \p b. For sums of i32, f32
  /// and f64 this is an addition with a predicate. LLVM would select \p a or a neutral zero, and
  /// then add. The result has its own register (&): the code writes it before it reads all
  /// operands. Also under fast math, the addition keeps subnormals.
  Value combineIf(Value condition, Value a, Value b) {
    const Type type = b.getType();
    const Id id = op.getRow().id;
    const auto add = addition(type);
    if (!add || (id != Id::WarpSum && id != Id::WarpScan))
      return select(condition, combine(a, b), b);
    const std::string reg(1, add->second), bits = std::to_string(type.getIntOrFloatBitWidth());
    return LLVM::InlineAsmOp::create(
               builder, loc, type, ValueRange{condition, a, b},
               "mov.b" + bits + " $0, $3;\n\t@$1 " + add->first.str() + " $0, $2, $3;",
               "=&" + reg + ",b," + reg + "," + reg,
               /*has_side_effects=*/false, /*is_align_stack=*/false,
               LLVM::tailcallkind::TailCallKind::None, LLVM::AsmDialectAttr(), ArrayAttr())
        .getRes();
  }

  /// Emits a shuffle in segments of so many lanes.
  Value shuffle(StringRef mode, Value value, Value lane, int32_t width = warpSize) {
    return inWords(value, [&](Value word) { return shuffleWord(mode, word, lane, width); });
  }
  Value shuffleWord(StringRef mode, Value word, Value lane, int32_t width) {
    // Bits 8 to 12 are those of a lane number that lanes of one segment have in common.
    Value clamp = i32((warpSize - width) << 8 | (mode == "up" ? 0 : lastLane));
    return call(("llvm.nvvm.shfl.sync." + mode + ".i32").str(), i32Type(),
                {mask, word, lane, clamp});
  }

  /// Emits a shuffle from the lane that is \p distance below. Sets \p isThere to whether the
  /// segment has such a lane.
  Value fromBelow(Value value, int32_t distance, Value &isThere) {
    return testedShuffle("up", value, distance, i32((warpSize - segment) << 8), isThere);
  }

  /// Emits a shuffle from the lane that is \p distance above, for lanes of kind Prefix. Sets
  /// \p isThere to whether that lane exists.
  Value fromAbove(Value value, int32_t distance, Value &isThere) {
    const Value last = highest(active);
    if (segment == warpSize) // the instruction compares with the last lane
      return testedShuffle("down", value, distance, last, isThere);
    const Value lane = LLVM::AddOp::create(builder, loc, laneId(), i32(distance));
    isThere = compare(LLVM::ICmpPredicate::ule, lane, last);
    return shuffle("down", value, i32(distance));
  }

  /// Emits a shuffle by a distance. Sets \p isThere to whether the lane is within the bound that
  /// \p clamp has.
  Value testedShuffle(StringRef mode, Value value, int32_t distance, Value clamp, Value &isThere) {
    Type wordAndFlag =
        LLVM::LLVMStructType::getLiteral(builder.getContext(), {i32Type(), builder.getI1Type()});
    return inWords(value, [&](Value word) {
      Value both = call(("llvm.nvvm.shfl.sync." + mode + ".i32p").str(), wordAndFlag,
                        {mask, word, i32(distance), clamp});
      isThere = LLVM::ExtractValueOp::create(builder, loc, both, 1);
      return LLVM::ExtractValueOp::create(builder, loc, both, 0).getResult();
    });
  }

  /// Applies \p act to each 32 bits of a value. Smaller values are widened.
  Value inWords(Value value, llvm::function_ref<Value(Value)> act) {
    Type type = value.getType(), element = getElementTypeOrSelf(type);
    unsigned bits = element.getIntOrFloatBitWidth();
    if (auto vector = dyn_cast<VectorType>(type))
      bits *= vector.getNumElements();
    auto cast = [&](Type to, Value from) -> Value {
      return from.getType() == to ? from
                                  : LLVM::BitcastOp::create(builder, loc, to, from).getResult();
    };
    if (bits <= wordBits) {
      Type narrowType = builder.getIntegerType(bits);
      Value word = cast(narrowType, value);
      if (bits == wordBits)
        return cast(type, act(word));
      word = act(LLVM::ZExtOp::create(builder, loc, i32Type(), word));
      return cast(type, LLVM::TruncOp::create(builder, loc, narrowType, word));
    }
    Type wordsType = VectorType::get(bits / wordBits, i32Type());
    Value words = cast(wordsType, value), result = LLVM::PoisonOp::create(builder, loc, wordsType);
    for (unsigned number = 0; number < bits / wordBits; ++number) {
      Value index = i32(number);
      Value word = LLVM::ExtractElementOp::create(builder, loc, words, index);
      result = LLVM::InsertElementOp::create(builder, loc, result, act(word), index);
    }
    return cast(type, result);
  }

  mir::IntrinsicOp op;
  ConversionPatternRewriter &builder;
  Location loc;
  bool hasRedux;
  Value mask;   ///< the mask of instructions: the active lanes, or all 32
  Value active; ///< the lanes that exist and take part
  Lanes lanes = Lanes::Some;
  int32_t segment = int32_t(op.segment());
};

/// Returns the result of the operation, or null if it has none.
using Emitter = Value (*)(WarpCode &code, ValueRange operands);

constexpr Emitter emitterOf(Id id) {
  using Code = WarpCode;
  using Operands = ValueRange;
  if (intrinsics::isWarpReduction(id))
    return [](Code &code, Operands operands) { return code.reduce(operands[0]); };
  switch (id) {
  case Id::Barrier:
    return [](Code &code, Operands) { return code.barrier(), Value(); };
  case Id::WarpBarrier:
    return [](Code &code, Operands) { return code.warpBarrier(), Value(); };
  case Id::GroupAny:
    return [](Code &code, Operands operands) { return code.groupVote("or", operands[0]); };
  case Id::GroupAll:
    return [](Code &code, Operands operands) { return code.groupVote("and", operands[0]); };
  case Id::WarpLanes:
    return [](Code &code, Operands) { return code.existing(); };
  case Id::Shuffle:
    return [](Code &code, Operands operands) { return code.shuffleAt("idx", operands); };
  case Id::ShuffleXor:
    return [](Code &code, Operands operands) { return code.shuffleAt("bfly", operands); };
  case Id::ShuffleUp:
    return [](Code &code, Operands operands) { return code.shuffleBy("up", operands); };
  case Id::ShuffleDown:
    return [](Code &code, Operands operands) { return code.shuffleBy("down", operands); };
  case Id::ActiveMask:
    return [](Code &code, Operands) { return code.activeMask(); };
  case Id::Ballot:
    return [](Code &code, Operands operands) { return code.ballot(operands[0]); };
  case Id::Any:
    return [](Code &code, Operands operands) { return code.vote("any", operands[0]); };
  case Id::All:
    return [](Code &code, Operands operands) { return code.vote("all", operands[0]); };
  case Id::MatchAny:
    return [](Code &code, Operands operands) { return code.matchAny(operands[0]); };
  case Id::WarpScan:
    return [](Code &code, Operands operands) { return code.scan(operands[0]); };
  default:
    return nullptr;
  }
}

static_assert(intrinsics::handlesJust(emitterOf,
                                      [](const intrinsics::Row &row) {
                                        const IntrinsicLowering &how =
                                            nvptx::intrinsicTable[size_t(row.id)];
                                        return how.kind == IntrinsicLowering::Kind::Own &&
                                               how.own == uint8_t(nvptx::OwnLowering::Warp);
                                      }),
              "each row that says Warp has an emitter");

} // namespace

FailureOr<Value> emitWarpIntrinsic(mir::IntrinsicOp op, ValueRange operands,
                                   ConversionPatternRewriter &rewriter, bool hasRedux) {
  if (op.getRow().sync == intrinsics::Sync::Warp && !op.getMask())
    return op.emitOpError("has no mask; was spl-warp-masks run?"), failure();
  WarpCode code(op, operands, rewriter, hasRedux);
  return emitterOf(op.getRow().id)(code, operands);
}

} // namespace spl::codegen
