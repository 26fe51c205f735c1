// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// How the values in a loop over work-items differ between adjacent work-items, which become the
// lanes of a gang. A load of one place has one value for all lanes, because a store of another
// work-item to that place would be a race.
#pragma once

#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/DenseMap.h"
#include <optional>

namespace spl::mir {

/// How a value differs between lanes. If it is linear, the value of lane n is that of lane 0 plus n
/// times a constant step, with wrapping. If the step is 0, it is uniform. Otherwise it is varying.
class LaneShape {
public:
  static LaneShape uniform() { return LaneShape(0); }
  static LaneShape linear(int64_t step) { return LaneShape(step); }
  static LaneShape varying() { return LaneShape(std::nullopt); }

  bool isLinear() const { return step.has_value(); }
  bool isUniform() const { return step == 0; }
  bool isVarying() const { return !step; }
  /// The difference between adjacent lanes. The shape is linear.
  int64_t getStep() const { return *step; }
  bool operator==(const LaneShape &other) const { return step == other.step; }

private:
  explicit LaneShape(std::optional<int64_t> step) : step(step) {}
  std::optional<int64_t> step;
};

/// The shapes of the values in the body of a loop over work-items. Values from outside of the loop
/// are uniform. The object is valid until the body changes.
class LaneShapes {
public:
  explicit LaneShapes(mlir::scf::ForOp items);

  LaneShape of(mlir::Value value) const;
  bool isUniform(mlir::Value value) const { return of(value).isUniform(); }
  bool isVarying(mlir::Value value) const { return of(value).isVarying(); }
  /// Whether lanes may take different branches at the if, or a different number of iterations of
  /// the loop.
  bool isDivergent(mlir::Operation *branch) const;
  /// If a select has a condition that always holds, or never does, the operand that it chooses.
  static mlir::Value chosen(mlir::Operation *op);

private:
  void visit(mlir::Block &block);
  void visit(mlir::Operation *op);
  void visitFor(mlir::scf::ForOp loop);
  void visitIf(mlir::scf::IfOp branch);
  void visitWhile(mlir::scf::WhileOp loop);
  LaneShape ofResult(mlir::Operation *op) const;
  LaneShape ofArithmetic(mlir::Operation *op) const;
  bool areUniform(mlir::ValueRange values) const;
  void join(mlir::Value value, LaneShape shape);
  void joinEach(mlir::ValueRange values, mlir::ValueRange from);

  mlir::scf::ForOp items;
  /// Values that were not visited yet are absent.
  llvm::DenseMap<mlir::Value, LaneShape> shapes;
  bool changed = false;
};

/// Whether the access is of adjacent elements in adjacent lanes.
bool isAdjacent(const LaneShapes &shapes, mlir::Value slice, mlir::ValueRange indices);
/// Whether the operation loads adjacent elements, or one for all lanes.
bool loadsRow(const LaneShapes &shapes, LoadOp load);
/// Whether the operation stores to adjacent elements.
bool storesRow(const LaneShapes &shapes, StoreOp store);

} // namespace spl::mir
