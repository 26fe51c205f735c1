// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// for over a range: an scf.for where nothing but the range's end can end it, else an scf.while.
//
// A range ends where its next value would leave the type, so no loop compares the variable with its
// bound after a step, which may wrap. Up by one to below the bound nothing can. By a constant step
// the rounds are counted, the variable being lower + round * step. By any other the distance to the
// bound goes along, which costs no division.
#include "frontend/mirgen/FunctionGen.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace spl;
using namespace spl::mirgen;
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

void FunctionGen::emitFor(const sema::ForStmt &stmt) {
  const LoopFacts &facts = this->facts.loop(stmt);
  Location location = locationOf(stmt);
  Value lower = emitExpr(*stmt.lower);
  Value upper = emitExpr(*stmt.upper);
  std::optional<APInt> step = constantStep(stmt);
  bool isPlain = step && step->isOne();
  if (isPlain && stmt.isInclusive) {
    const sema::ConstantExpr *last = constantLast(stmt);
    isPlain = last;
    if (last)
      upper = integer(upper.getType(), (last->intValue + 1).getSExtValue(), location);
  }
  bool mayExit = facts.breaks || facts.returns;
  if (isPlain) {
    Range range{Range::Kind::Below, lower, upper};
    return mayExit ? emitExitingFor(stmt, range) : emitCountedFor(stmt, range);
  }
  Range range = rangeWithStep(stmt, step, lower, upper);
  if (mayExit || stmt.isInclusive || range.kind == Range::Kind::Distance)
    return emitExitingFor(stmt, range);
  // At least one value of the type lies outside a range without its bound, so this does not wrap.
  Value zero = integer(lower.getType(), 0, location), one = integer(lower.getType(), 1, location);
  Value count = arith::AddIOp::create(builder, location, range.upper, one);
  range.upper = arith::SelectOp::create(builder, location, range.some, count, zero);
  emitCountedFor(stmt, range);
}

/// Whether a step that is known at run time only counts up: unsigned ones, and the size of a grid.
static bool countsUp(const sema::Expr &step) {
  auto *intrinsic = dyn_cast<sema::IntrinsicExpr>(&step);
  return step.type.isUnsignedInt() || (intrinsic && intrinsic->id == intrinsics::Id::GlobalSize);
}

FunctionGen::Range FunctionGen::rangeWithStep(const sema::ForStmt &stmt,
                                              const std::optional<APInt> &known, Value lower,
                                              Value upper) {
  Location location = locationOf(stmt);
  sema::Type type = stmt.variable->type;
  Value zero = integer(lower.getType(), 0, location), one = integer(lower.getType(), 1, location);
  Value step = stmt.step ? emitExpr(*stmt.step) : one;
  if (stmt.step && (!known || known->isZero())) {
    Value ok = arith::CmpIOp::create(builder, location, arith::CmpIPredicate::ne, step, zero);
    emitCheck(ok, mir::FaultKind::StepZero, {}, location);
  }
  // Whether there is a round, how far it is to the bound and how much of that a step takes, the
  // latter two as unsigned numbers.
  struct Way {
    Value some, distance, size;
  };
  BinaryOp compare = stmt.isInclusive ? BinaryOp::Le : BinaryOp::Lt;
  auto subtract = [&](Value a, Value b) -> Value {
    return arith::SubIOp::create(builder, location, a, b);
  };
  auto up = [&] {
    return Way{emitCompare(compare, type, location, lower, upper), subtract(upper, lower), step};
  };
  auto down = [&] {
    return Way{emitCompare(compare, type, location, upper, lower), subtract(lower, upper),
               subtract(zero, step)};
  };
  Way way;
  if (known ? type.isUnsignedInt() || known->isNonNegative() : countsUp(*stmt.step)) {
    way = up();
  } else if (known) {
    way = down();
  } else {
    Value isUp = emitCompare(BinaryOp::Gt, type, location, step, zero);
    auto choose = [&](Value a, Value b) -> Value {
      return arith::SelectOp::create(builder, location, isUp, a, b);
    };
    Way a = up(), b = down();
    way = {choose(a.some, b.some), choose(a.distance, b.distance), choose(a.size, b.size)};
  }
  if (!stmt.isInclusive) // the last value is one before the bound, or earlier
    way.distance = subtract(way.distance, one);
  if (!known)
    return {Range::Kind::Distance, lower, way.distance, lower, step, way.some, way.size};
  Value last = way.distance;
  if (!known->isOne() && (type.isUnsignedInt() || !known->isAllOnes()))
    last = arith::DivUIOp::create(builder, location, last, way.size);
  return {Range::Kind::Rounds, zero, last, lower, step, way.some, {}};
}

void FunctionGen::markUnroll(Operation *loop, const sema::ForStmt &stmt) {
  if (stmt.unroll != 0)
    loop->setDiscardableAttr(mir::SplDialect::unrollAttr, builder.getI64IntegerAttr(stmt.unroll));
}

// The loop's variable, from what the loop carries first.
Value FunctionGen::variableOf(const Range &range, Value carried, Location location) {
  if (range.kind != Range::Kind::Rounds)
    return carried;
  Value offset = arith::MulIOp::create(builder, location, carried, range.step);
  return arith::AddIOp::create(builder, location, range.start, offset);
}

void FunctionGen::emitCountedFor(const sema::ForStmt &stmt, const Range &range) {
  const LoopFacts &facts = this->facts.loop(stmt);
  Location location = locationOf(stmt);
  Values inits = enterLoop(facts, location);
  Value one = integer(range.upper.getType(), 1, location);
  bool isUnsigned = range.kind == Range::Kind::Rounds || stmt.variable->type.isUnsignedInt();
  auto op = scf::ForOp::create(builder, location, range.lower, range.upper, one, inits, nullptr,
                               isUnsigned);
  markUnroll(op, stmt);
  {
    OpBuilder::InsertionGuard guard(builder);
    env.enter();
    builder.setInsertionPointToStart(op.getBody());
    env.set(this->facts.slot(stmt.variable), variableOf(range, op.getInductionVar(), location));
    Values next = emitLoopBody(facts, stmt.body, op.getRegionIterArgs(), location);
    if (!next.empty()) // else the operation came with its scf.yield
      scf::YieldOp::create(builder, location, next);
    env.leave();
  }
  leaveLoop(facts, op.getResults());
}

// What an scf.while carries for the range: the variable or the round; then, but for a plain range,
// whether there is one; then the distance to the bound where that is what counts.
FunctionGen::Values FunctionGen::firstOfRange(const Range &range) {
  if (range.kind == Range::Kind::Below)
    return {range.lower};
  if (range.kind == Range::Kind::Rounds)
    return {range.lower, range.some};
  return {range.lower, range.some, range.upper};
}

FunctionGen::Values FunctionGen::nextOfRange(const Range &range, ValueRange now,
                                             Location location) {
  Value one = integer(now.front().getType(), 1, location);
  auto add = [&](Value by) -> Value {
    return arith::AddIOp::create(builder, location, now.front(), by);
  };
  auto compare = [&](arith::CmpIPredicate predicate, Value a, Value b) -> Value {
    return arith::CmpIOp::create(builder, location, predicate, a, b);
  };
  // None of these sums is used where it wraps.
  if (range.kind == Range::Kind::Below)
    return {add(one)};
  if (range.kind == Range::Kind::Rounds)
    return {add(one), compare(arith::CmpIPredicate::ne, now.front(), range.upper)};
  Value left = now.back();
  return {add(range.step), compare(arith::CmpIPredicate::uge, left, range.size),
          arith::SubIOp::create(builder, location, left, range.size)};
}

void FunctionGen::emitExitingFor(const sema::ForStmt &stmt, const Range &range) {
  const LoopFacts &facts = this->facts.loop(stmt);
  Location location = locationOf(stmt);
  Values inits = firstOfRange(range);
  size_t own = inits.size();
  inits.append(enterLoop(facts, location));
  auto op = scf::WhileOp::create(builder, location, ValueRange(inits).getTypes(), inits, nullptr,
                                 nullptr);
  markUnroll(op, stmt);
  {
    OpBuilder::InsertionGuard guard(builder);
    env.enter();
    builder.setInsertionPointToEnd(op.getBeforeBody());
    ValueRange before = op.getBeforeArguments();
    Flow carried = takeCarried(facts, before.drop_front(own));
    Value goesOn = range.some ? Value(before[1])
                              : emitCompare(BinaryOp::Lt, stmt.variable->type, location,
                                            before.front(), range.upper);
    if (Value stays = this->stays(carried, location))
      goesOn = arith::AndIOp::create(builder, location, stays, goesOn);
    scf::ConditionOp::create(builder, location, goesOn, before);

    builder.setInsertionPointToEnd(op.getAfterBody());
    ValueRange after = op.getAfterArguments();
    env.set(this->facts.slot(stmt.variable), variableOf(range, after.front(), location));
    Values ofBody = emitLoopBody(facts, stmt.body, after.drop_front(own), location);
    Values next = nextOfRange(range, after.take_front(own), location);
    next.append(ofBody);
    scf::YieldOp::create(builder, location, next);
    env.leave();
  }
  leaveLoop(facts, op.getResults().drop_front(own));
}
