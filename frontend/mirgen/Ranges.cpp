// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// for over a range: an scf.for where nothing but the range's end can end it, else an scf.while.
//
// A range ends where its next value would leave the type, so no loop compares the variable with its
// bound after a step, which may wrap. Up by one to below the bound nothing can. By a constant step
// the rounds are counted, the variable being lower + round * step. By any other the distance to the
// bound goes along, which costs no division. A reversed range always counts its rounds: it begins
// with the last value.
#include "frontend/mirgen/ControlFlow.h"
#include "frontend/mirgen/Expressions.h"
#include "frontend/mirgen/Loops.h"
#include "frontend/mirgen/Operators.h"
#include "frontend/mirgen/Places.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;

namespace {

/// The range that a for iterates over.
struct ForRange {
  enum class Kind {
    Below,      ///< from lower to below upper
    Iterations, ///< iterations from lower to upper, both included: start + iteration * step
    Distance    ///< from lower by step, while upper, the distance left, has another size
  };
  Kind kind;
  Value lower, upper;
  Value start = {}, step = {};
  Value some = {}; ///< whether there is an iteration at all; not for Below
  Value size = {};
};

} // namespace

static void emitCountedFor(FunctionContext &fn, const sema::ForStmt &stmt, const ForRange &range);
static void emitExitingFor(FunctionContext &fn, const sema::ForStmt &stmt, const ForRange &range);
static ForRange rangeWithStep(FunctionContext &fn, const sema::ForStmt &stmt,
                              const std::optional<llvm::APInt> &known, Value lower, Value upper);
using syntax::BinaryOp;

/// The step, where it is written as a number.
static std::optional<APInt> constantStep(const sema::ForStmt &stmt) {
  unsigned bits = stmt.variable->type.bits();
  if (!stmt.step)
    return APInt(bits, 1);
  auto *constant = dyn_cast<sema::ConstantExpr>(stmt.step);
  return constant ? std::optional(constant->intValue) : std::nullopt;
}

/// An inclusive range ends below a bound too where its last value has a successor.
static const sema::ConstantExpr *constantLast(const sema::ForStmt &stmt) {
  auto *last = dyn_cast<sema::ConstantExpr>(stmt.upper);
  if (!last)
    return nullptr;
  bool isLargest = stmt.variable->type.isUnsignedInt() ? last->intValue.isMaxValue()
                                                       : last->intValue.isMaxSignedValue();
  return isLargest ? nullptr : last;
}

void mirgen::emitFor(FunctionContext &fn, const sema::ForStmt &stmt) {
  const LoopFacts &facts = fn.facts.loop(stmt);
  Location location = fn.locationOf(stmt);
  Value lower = emitExpr(fn, *stmt.lower);
  Value upper = emitExpr(fn, *stmt.upper);
  std::optional<APInt> step = constantStep(stmt);
  bool isPlain = step && step->isOne() && !stmt.isReversed;
  if (isPlain && stmt.isInclusive) {
    const sema::ConstantExpr *last = constantLast(stmt);
    isPlain = last;
    if (last)
      upper = fn.integer(upper.getType(), (last->intValue + 1).getSExtValue(), location);
  }
  bool mayExit = facts.breaks || facts.returns;
  if (isPlain) {
    ForRange range{ForRange::Kind::Below, lower, upper};
    return mayExit ? emitExitingFor(fn, stmt, range) : emitCountedFor(fn, stmt, range);
  }
  ForRange range = rangeWithStep(fn, stmt, step, lower, upper);
  if (mayExit || stmt.isInclusive || range.kind == ForRange::Kind::Distance)
    return emitExitingFor(fn, stmt, range);
  // At least one value of the type lies outside a range without its bound, so this does not wrap.
  Value zero = fn.integer(lower.getType(), 0, location),
        one = fn.integer(lower.getType(), 1, location);
  Value count = arith::AddIOp::create(fn.builder, location, range.upper, one);
  range.upper = arith::SelectOp::create(fn.builder, location, range.some, count, zero);
  emitCountedFor(fn, stmt, range);
}

/// Whether a step that is known at run time only counts up: unsigned ones, and sizes of the launch.
static bool countsUp(sema::Type type, Value step) {
  using intrinsics::Id;
  if (type.isUnsignedInt())
    return true;
  auto narrow = step.getDefiningOp<arith::TruncIOp>();
  if (narrow && narrow.getType().getIntOrFloatBitWidth() < 16) // a group may have 1024 items
    return false;
  if (narrow)
    step = narrow.getIn();
  auto size = step.getDefiningOp<mir::IntrinsicOp>();
  if (!size)
    return false;
  const Id id = size.getRow().id;
  return id == Id::LocalSize || id == Id::WarpSize ||
         (!narrow && (id == Id::GlobalSize || id == Id::NumGroups));
}

static ForRange rangeWithStep(FunctionContext &fn, const sema::ForStmt &stmt,
                              const std::optional<APInt> &known, Value lower, Value upper) {
  Location location = fn.locationOf(stmt);
  sema::Type type = stmt.variable->type;
  Value zero = fn.integer(lower.getType(), 0, location),
        one = fn.integer(lower.getType(), 1, location);
  Value step = stmt.step ? emitExpr(fn, *stmt.step) : one;
  if (stmt.step && (!known || known->isZero())) {
    Value ok = arith::CmpIOp::create(fn.builder, location, arith::CmpIPredicate::ne, step, zero);
    emitCheck(fn, ok, mir::FaultKind::StepZero, {}, location);
  }
  // Whether there is a round, how far it is to the bound and how much of that a step takes, the
  // latter two as unsigned numbers.
  struct Way {
    Value some, distance, size;
  };
  BinaryOp compare = stmt.isInclusive ? BinaryOp::Le : BinaryOp::Lt;
  auto subtract = [&](Value a, Value b) -> Value {
    return arith::SubIOp::create(fn.builder, location, a, b);
  };
  auto up = [&] {
    return Way{emitCompare(fn, compare, type, location, lower, upper), subtract(upper, lower),
               step};
  };
  auto down = [&] {
    return Way{emitCompare(fn, compare, type, location, upper, lower), subtract(lower, upper),
               subtract(zero, step)};
  };
  Way way;
  if (known ? type.isUnsignedInt() || known->isNonNegative() : countsUp(type, step)) {
    way = up();
  } else if (known) {
    way = down();
  } else {
    Value isUp = emitCompare(fn, BinaryOp::Gt, type, location, step, zero);
    auto choose = [&](Value a, Value b) -> Value {
      return arith::SelectOp::create(fn.builder, location, isUp, a, b);
    };
    Way a = up(), b = down();
    way = {choose(a.some, b.some), choose(a.distance, b.distance), choose(a.size, b.size)};
  }
  if (!stmt.isInclusive) // the last value is one before the bound, or earlier
    way.distance = subtract(way.distance, one);
  if (!known && !stmt.isReversed)
    return {ForRange::Kind::Distance, lower, way.distance, lower, step, way.some, way.size};
  Value last = way.distance;
  if (!known || (!known->isOne() && (type.isUnsignedInt() || !known->isAllOnes())))
    last = arith::DivUIOp::create(fn.builder, location, last, way.size);
  if (stmt.isReversed) {
    Value offset = arith::MulIOp::create(fn.builder, location, last, step);
    Value start = arith::AddIOp::create(fn.builder, location, lower, offset);
    return {ForRange::Kind::Iterations, zero, last, start, subtract(zero, step), way.some, {}};
  }
  return {ForRange::Kind::Iterations, zero, last, lower, step, way.some, {}};
}

static void markUnroll(FunctionContext &fn, Operation *loop, const sema::ForStmt &stmt) {
  if (stmt.unroll != 0)
    loop->setDiscardableAttr(mir::SplDialect::unrollAttr,
                             fn.builder.getI64IntegerAttr(stmt.unroll));
}

// The loop's variable, from what the loop carries first.
static Value variableOf(FunctionContext &fn, const ForRange &range, Value carried,
                        Location location) {
  if (range.kind != ForRange::Kind::Iterations)
    return carried;
  Value offset = arith::MulIOp::create(fn.builder, location, carried, range.step);
  return arith::AddIOp::create(fn.builder, location, range.start, offset);
}

static void emitCountedFor(FunctionContext &fn, const sema::ForStmt &stmt, const ForRange &range) {
  const LoopFacts &facts = fn.facts.loop(stmt);
  Location location = fn.locationOf(stmt);
  Values inits = enterLoop(fn, facts, location);
  Value one = fn.integer(range.upper.getType(), 1, location);
  bool isUnsigned = range.kind == ForRange::Kind::Iterations || stmt.variable->type.isUnsignedInt();
  auto op = scf::ForOp::create(fn.builder, location, range.lower, range.upper, one, inits, nullptr,
                               isUnsigned);
  markUnroll(fn, op, stmt);
  {
    OpBuilder::InsertionGuard guard(fn.builder);
    fn.env.enter();
    fn.builder.setInsertionPointToStart(op.getBody());
    fn.env.set(fn.facts.slot(stmt.variable), variableOf(fn, range, op.getInductionVar(), location));
    Values next = emitLoopBody(fn, facts, stmt.body, op.getRegionIterArgs(), location);
    if (!next.empty()) // else the operation came with its scf.yield
      scf::YieldOp::create(fn.builder, location, next);
    fn.env.leave();
  }
  leaveLoop(fn, facts, op.getResults());
}

// What an scf.while carries for the range: the variable or the round; then, but for a plain range,
// whether there is one; then the distance to the bound where that is what counts.
static Values firstOfRange(const ForRange &range) {
  if (range.kind == ForRange::Kind::Below)
    return {range.lower};
  if (range.kind == ForRange::Kind::Iterations)
    return {range.lower, range.some};
  return {range.lower, range.some, range.upper};
}

static Values nextOfRange(FunctionContext &fn, const ForRange &range, ValueRange now,
                          Location location) {
  Value one = fn.integer(now.front().getType(), 1, location);
  auto add = [&](Value by) -> Value {
    return arith::AddIOp::create(fn.builder, location, now.front(), by);
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) -> Value {
    return arith::CmpIOp::create(fn.builder, location, predicate, a, b);
  };
  // None of these sums is used where it wraps.
  if (range.kind == ForRange::Kind::Below)
    return {add(one)};
  if (range.kind == ForRange::Kind::Iterations)
    return {add(one), compare(arith::CmpIPredicate::ne, now.front(), range.upper)};
  Value left = now.back();
  return {add(range.step), compare(arith::CmpIPredicate::uge, left, range.size),
          arith::SubIOp::create(fn.builder, location, left, range.size)};
}

static void emitExitingFor(FunctionContext &fn, const sema::ForStmt &stmt, const ForRange &range) {
  const LoopFacts &facts = fn.facts.loop(stmt);
  Location location = fn.locationOf(stmt);
  Values inits = firstOfRange(range);
  size_t own = inits.size();
  inits.append(enterLoop(fn, facts, location));
  auto op = scf::WhileOp::create(fn.builder, location, ValueRange(inits).getTypes(), inits, nullptr,
                                 nullptr);
  markUnroll(fn, op, stmt);
  {
    OpBuilder::InsertionGuard guard(fn.builder);
    fn.env.enter();
    fn.builder.setInsertionPointToEnd(op.getBeforeBody());
    ValueRange before = op.getBeforeArguments();
    ControlState carried = takeCarried(fn, facts, before.drop_front(own));
    Value continues = range.some ? Value(before[1])
                                 : emitCompare(fn, BinaryOp::Lt, stmt.variable->type, location,
                                               before.front(), range.upper);
    if (Value running = stays(fn, carried, location))
      continues = arith::AndIOp::create(fn.builder, location, running, continues);
    scf::ConditionOp::create(fn.builder, location, continues, before);

    fn.builder.setInsertionPointToEnd(op.getAfterBody());
    ValueRange after = op.getAfterArguments();
    fn.env.set(fn.facts.slot(stmt.variable), variableOf(fn, range, after.front(), location));
    Values ofBody = emitLoopBody(fn, facts, stmt.body, after.drop_front(own), location);
    Values next = nextOfRange(fn, range, after.take_front(own), location);
    next.append(ofBody);
    scf::YieldOp::create(fn.builder, location, next);
    fn.env.leave();
  }
  leaveLoop(fn, facts, op.getResults().drop_front(own));
}
