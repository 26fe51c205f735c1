// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Emits the body of a loop over work-items for a gang: adjacent work-items, each as one lane of
// vectors. The functions share the state of the struct Gang. They do not fail, because gangSize has
// accepted the body (GangSize.h). A value of the old body is represented
// - by one value, if it is linear: that of lane 0;
// - by vectors with one element for each lane, if it varies. A vector of the language has several,
//   one for each of its components.
#pragma once

#include "mir/transforms/gangs/LaneShapes.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"

namespace spl::mir {

using Values = llvm::SmallVector<mlir::Value, 1>;

/// A value that is linear in a gang if a test holds (NearlyLinear.h).
struct NearlyLinear {
  mlir::Value holds; ///< an i1 of the gang, or null if there is nothing to test
  mlir::Value first; ///< the value of lane 0, if the test holds
  int64_t step = 0;
};

/// A strided loop whose later rounds are fetched while it runs (FetchAhead.h).
struct FetchedLoop {
  mlir::Value variable; ///< of the old body; null if there is no such loop
  mlir::Value ahead;    ///< by how much it is larger in the round that is fetched
};

struct Gang {
  /// Refers to \p shapes, which are those of the old body.
  Gang(const mlir::OpBuilder &builder, mlir::Location loc, const LaneShapes &shapes, int64_t lanes)
      : builder(builder), loc(loc), shapes(shapes), lanes(lanes) {}

  mlir::OpBuilder builder;
  mlir::Location loc;
  const LaneShapes &shapes;
  int64_t lanes;

  /// The active lanes: a vector of i1 with at least one that is set, or null if all are active.
  mlir::Value mask;
  /// Whether the code runs in lanes whose results are then not used.
  bool isSpeculated = false;
  /// Whether the code is for masks that select some lanes only. No loop or `if` in it is emitted
  /// twice.
  bool isSparse = false;
  /// Whether the lanes are those of a warp.
  bool isWarp = false;
  /// Whether the lanes are the first few of the gang.
  bool isFew = false;

  /// The innermost loop that is emitted, if its later rounds are fetched.
  FetchedLoop fetched;

  mlir::IRMapping scalars;
  llvm::DenseMap<mlir::Value, Values> vectors;
  llvm::DenseMap<mlir::Value, Values> cells; ///< of each variable in local memory (GangCells.h)
  llvm::DenseMap<mlir::Value, NearlyLinear> nearlyLinear; ///< of quotients and remainders

  /// The memory for the lanes of each load that is kept, and whether the loop that is emitted loads
  /// them (KeptLoads.h).
  llvm::DenseMap<mlir::Operation *, mlir::Value> kept;
  bool loadsKept = false;

  /// The loop over lanes whose body is emitted, or null.
  mlir::Operation *laneLoop = nullptr;
  /// The memory with the lanes of each vector that code for a single lane uses. It is written in
  /// front of the loop.
  llvm::DenseMap<mlir::Value, mlir::Value> inMemory;
};

//===-- Values (GangValues.cpp) --===//

/// A vector with an element of this scalar type for each lane.
mlir::VectorType laneType(const Gang &gang, mlir::Type scalar);
/// The vectors of a value of this type.
llvm::SmallVector<mlir::Type, 1> laneTypes(const Gang &gang, mlir::Type type);
/// The value of lane 0 of a linear value.
mlir::Value scalarOf(Gang &gang, mlir::Value value);
/// The elements of a vector for the lanes of the gang. The vector may be from code with more lanes
/// around it.
mlir::Value firstLanes(Gang &gang, mlir::Value vector);
/// The vectors of a value. Emits them if the value is linear.
Values vectorsOf(Gang &gang, mlir::Value value);
/// The value in one lane, where \p lane is an i64.
mlir::Value valueInLane(Gang &gang, mlir::Value value, mlir::Value lane);
/// 0, step, 2 * step and so on, of an integer type.
mlir::Value laneNumbers(Gang &gang, mlir::Type scalar, int64_t step = 1);
/// Memory of the gang: \p rows rows with an element for each lane.
mlir::Value allocateLanes(Gang &gang, mlir::Type scalar, int64_t rows = 1);
/// A vector with the scalar in each lane.
mlir::Value everywhere(Gang &gang, mlir::Value scalar);
/// The types of what represents the value.
llvm::SmallVector<mlir::Type, 1> typesOf(const Gang &gang, mlir::Value value);
llvm::SmallVector<mlir::Type> typesOfEach(const Gang &gang, mlir::ValueRange values);
/// Represents \p value in the way of \p like: the result or argument of control flow that it
/// becomes.
Values represent(Gang &gang, mlir::Value value, mlir::Value like);
Values representEach(Gang &gang, mlir::ValueRange values, mlir::ValueRange like);
/// Sets what represents the value.
void bind(Gang &gang, mlir::Value value, mlir::ValueRange parts);
/// Sets what represents the values, taking the front of \p parts for each. Returns the rest.
mlir::ValueRange bindEach(Gang &gang, mlir::ValueRange values, mlir::ValueRange parts);

mlir::Value integer(Gang &gang, int64_t value, mlir::Type type);
Values zerosOf(Gang &gang, llvm::ArrayRef<mlir::Type> types);
/// Element by element a or b.
Values selectEach(Gang &gang, mlir::Value condition, mlir::ValueRange a, mlir::ValueRange b);
mlir::Value anyOf(Gang &gang, mlir::Value mask);
mlir::Value allOf(Gang &gang, mlir::Value mask);
/// Whether the active lanes are all set. The others may be poison.
mlir::Value allOfActive(Gang &gang, mlir::Value lanes);
/// A scalar that is true only if the condition holds in all lanes, and nearly always if it does.
mlir::Value holdsInAll(Gang &gang, mlir::Value condition);
/// As holdsInAll, but only for conjunctions of comparisons of linear with uniform values, which
/// scalars can test. Returns null for other conditions.
mlir::Value holdsAtAllEnds(Gang &gang, mlir::Value condition);
/// If the condition is that an unsigned linear value is below a uniform one: a scalar that is true
/// if it holds in all lanes, active or not, and no lane wraps. Otherwise null.
mlir::Value isBelowInAll(Gang &gang, mlir::Value condition);
/// The active lanes in which the condition holds, or in which it does not.
mlir::Value activeIf(Gang &gang, mlir::Value condition, bool holds = true);

//===-- Operations (GangOperations.cpp, GangControlFlow.cpp, GangDivergentLoops.cpp) --===//

void emit(Gang &gang, mlir::Block &block);
/// Emits a loop over the active lanes. \p body gets the number of the lane, an i64, and returns
/// scalars, one for each of these vector types. The result has vectors of these scalars.
Values forEachLane(Gang &gang, llvm::ArrayRef<mlir::Type> types,
                   llvm::function_ref<Values(mlir::Value)> body);
/// The element of the vector in the lane. The vector is in memory, because registers have no
/// variable index.
mlir::Value elementInLane(Gang &gang, mlir::Value vector, mlir::Value lane);
void emitControlFlow(Gang &gang, mlir::Operation *op);
/// Emits one of two ways to compute values of these types.
Values emitEither(Gang &gang, mlir::Value condition, mlir::TypeRange types,
                  llvm::function_ref<Values()> ifTrue, llvm::function_ref<Values()> otherwise);
void emitDivergentWhile(Gang &gang, mlir::scf::WhileOp op);
/// Adds a block to a region, and continues at its end.
mlir::Block *addBlock(Gang &gang, mlir::Region &region, mlir::TypeRange types);

} // namespace spl::mir
