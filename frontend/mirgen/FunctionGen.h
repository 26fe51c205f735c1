// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Builds the body of one function. SSA comes directly: an environment holds each local's value, and
// what a region changes becomes a result of its operation. The members are defined by family in the
// Gen*.cpp files. Lives for one function; cannot fail.
#pragma once

#include "frontend/mirgen/Environment.h"
#include "frontend/mirgen/Flow.h"
#include "frontend/mirgen/ModuleGen.h"
#include "frontend/sema/Program.h"
#include "mir/dialect/SplDialect.h"
#include <optional>

namespace spl::mirgen {

class FunctionGen {
public:
  FunctionGen(ModuleGen &module, const sema::Function &function);
  /// Emits the function's body with its spl.return at the builder's place.
  void emitBody(mlir::Block::BlockArgListType arguments);

private:
  using Value = mlir::Value;
  using Location = mlir::Location;

  //===-- Statements (GenStatements.cpp) --===//

  /// Statements to come: a block's, then those that follow the statement which holds the block.
  struct Stream {
    sema::Block block;
    Stream *rest = nullptr;

    const sema::Stmt *next();
    bool empty() const { return block.empty() && (!rest || rest->empty()); }
  };

  /// tail: nothing of the function, or of the loop's body, comes after the stream.
  void emitStream(Stream &stream, bool tail);
  void emitStmt(const sema::Stmt &stmt, bool tail);
  void emitAssign(const sema::AssignStmt &stmt);
  void emitReturn(const sema::ReturnStmt &stmt);

  //===-- print and assert (GenPrint.cpp) --===//

  void emitPrint(llvm::ArrayRef<sema::FormatPiece> format, bool isMessage, Location location);
  void emitAssert(const sema::AssertStmt &stmt);

  //===-- Control flow (GenControlFlow.cpp) --===//

  /// One region of an scf.if to be, with what it left behind.
  struct Arm {
    std::unique_ptr<mlir::Region> region;
    Flow flow;
    Environment::Changes changes;
  };
  /// What the code after an scf.if can see of its arms.
  struct Visible {
    Slot slotsBelow;          ///< locals from this one on are dead
    std::optional<Exit> dead; ///< an exit that leads where control goes anyway
    bool declarations;        ///< whether locals declared in the arms are seen too
  };

  class Merge;
  Arm emitArm(llvm::function_ref<void()> body);
  Visible visibleAfter(bool tail) const;
  /// Makes the scf.if of two arms and goes on after it.
  void merge(Location location, Value condition, Arm then, Arm other, Visible visible);

  /// rest (or null) goes on in the one arm that runs through to its end.
  void emitIf(const sema::IfStmt &stmt, size_t arm, Stream *rest, bool tail);
  void emitArmBody(sema::Block body, Stream *rest, bool tail);
  bool canContinueInside(const sema::IfStmt &stmt) const;
  /// Emits under a condition what runs only where no exit was taken.
  void emitGuarded(Location location, Visible visible, llvm::function_ref<void()> body);
  void emitSegments(Location location, Stream &stream);
  /// The condition that no exit was taken; null where none can have been.
  Value stays(const Flow &flow, Location location);

  //===-- Loops (GenLoops.cpp) --===//

  // What goes around a loop: the locals that its body assigns, then for break and for return, where
  // they occur, whether they were not taken, then the returned value.
  using Values = llvm::SmallVector<Value>;

  void emitWhile(const sema::WhileStmt &stmt);
  /// The values before the loop.
  Values enterLoop(const LoopFacts &facts, Location location);
  /// Takes the values over, as the environment's and as what is answered.
  Flow takeCarried(const LoopFacts &facts, mlir::ValueRange values);
  /// Emits the body on the values of one round and answers those of the next.
  Values emitLoopBody(const LoopFacts &facts, sema::Block body, mlir::ValueRange values,
                      Location location);
  void leaveLoop(const LoopFacts &facts, mlir::ValueRange values);
  void emitLoopCondition(const Flow &flow, const sema::Expr &condition, mlir::ValueRange values);

  //===-- Ranges (GenRanges.cpp) --===//

  /// What a for goes through.
  struct Range {
    enum class Kind {
      Below,   ///< from lower to below upper
      Rounds,  ///< rounds from lower to upper, both included: start + round * step
      Distance ///< from lower by step, while upper, the distance left, holds another size
    };
    Kind kind;
    Value lower, upper;
    Value start = {}, step = {};
    Value some = {}; ///< whether there is a round at all; not of Below
    Value size = {};
  };
  void emitFor(const sema::ForStmt &stmt);
  Range rangeWithStep(const sema::ForStmt &stmt, const std::optional<llvm::APInt> &known,
                      Value lower, Value upper);
  Value variableOf(const Range &range, Value carried, Location location);
  Values firstOfRange(const Range &range);
  Values nextOfRange(const Range &range, mlir::ValueRange now, Location location);
  void markUnroll(mlir::Operation *loop, const sema::ForStmt &stmt);
  void emitCountedFor(const sema::ForStmt &stmt, const Range &range);
  void emitExitingFor(const sema::ForStmt &stmt, const Range &range);

  //===-- Expressions (GenExpressions.cpp, GenConditions.cpp) --===//

  Value emitExpr(const sema::Expr &expr);
  Value emitConstant(const sema::ConstantExpr &expr);
  Value emitPlaceValue(const sema::PlaceValueExpr &expr);
  Value emitExtent(const sema::ExtentExpr &expr);
  Value emitIntrinsicValue(const sema::IntrinsicExpr &expr);
  mir::IntrinsicOp emitIntrinsic(const sema::IntrinsicExpr &expr);
  /// into: where a struct, tuple or array that it returns goes, else null.
  Value emitCall(const sema::CallExpr &expr, Value into = {});

  //===-- Places (GenPlaces.cpp) --===//

  /// Where a value is kept, evaluated: a local that is an SSA value, a lane of one, or
  /// slice[indices].
  struct Place {
    const sema::Local *local = nullptr;            ///< or null: memory
    Value lane;                                    ///< of the local, an i64, or null: all of it
    Value slice;                                   ///< memory
    llvm::SmallVector<Value, 2> indices;           ///< as i64
    llvm::SmallVector<int64_t, 2> unsignedIndices; ///< the positions of those that are u64
    bool isInside = false;                         ///< nothing is to be checked
    mlir::StringAttr name;                         ///< of what the indices go into, or null
  };
  /// Of an expression that is no place, the memory that it was computed into.
  Place emitPlace(const sema::Expr &expr);
  Place emitElementPlace(const sema::IndexExpr &expr);
  Place emitLanePlace(const sema::LaneExpr &expr);
  /// The place of the one element of a slice.
  Place wholeOf(Value slice, Location location);
  Value read(const Place &place, Location location);
  void write(Value value, const Place &place, Location location);
  void copy(const Place &from, const Place &to, Location location);
  /// A field of the struct there, or what an array or a vector there consists of.
  Value openPlace(const Place &place, std::optional<unsigned> field, mlir::Type element,
                  Location location);
  /// The elements of an array or a slice.
  Value emitElements(const sema::Expr &base);
  Value emitIndexValue(const sema::Expr &index);
  void addIndex(Place &place, const sema::Expr &index);
  Value emitRow(const sema::IndexExpr &expr);
  Value emitSubslice(const sema::SubsliceExpr &expr);
  Value emitLane(const sema::LaneExpr &expr);
  Value emitExtractedLane(Value vector, Value lane, Location location);
  Value readOnly(Value slice, Location location);

  //===-- Structs, tuples, arrays, vectors (GenAggregates.cpp) --===//

  Value emitLocal(sema::Type type, Location location);
  /// Computes what memory keeps: the place is no part of anything that the expression reads.
  void emitInto(const sema::Expr &expr, const Place &to);
  void emitBuildInto(const sema::BuildExpr &expr, const Place &to);
  /// The part's place of the struct, tuple or array there.
  Place partPlace(const Place &whole, sema::Type type, unsigned part, Location location);
  void fillArray(const sema::BuildExpr &expr, const Place &to);
  Value emitVector(const sema::BuildExpr &expr);
  Value emitArgument(const sema::Expr &expr);
  mlir::Attribute constantAttribute(const sema::Expr &expr);

  //===-- Memory of the gpu (GenMemory.cpp) --===//

  Value emitShared(const sema::SharedExpr &expr);
  Value emitSharedDyn(const sema::SharedDynExpr &expr);
  Value emitAtomic(const sema::AtomicExpr &expr);
  static mir::MemoryScope scopeOf(sema::MemoryScope scope);
  Value emitAccess(const sema::AccessExpr &expr);
  /// The slice as vectors and the number of the one that begins at the index, checked.
  std::pair<Value, Value> emitWide(Value slice, Value index, bool isUnsigned, mlir::Type vector,
                                   mlir::StringAttr name, Location location);

  Value emitLogical(const sema::LogicalExpr &expr);
  Value emitCompareChain(const sema::CompareChainExpr &expr);
  /// The opposite of a condition.
  Value emitNegated(const sema::Expr &condition);
  Value emitConditional(const sema::ConditionalExpr &expr);
  /// An scf.if with results, each arm yielding what its function answers.
  using Arms = llvm::function_ref<llvm::SmallVector<Value, 2>()>;
  mlir::ResultRange emitChoice(Location location, Value condition, mlir::TypeRange types, Arms then,
                               Arms other);

  //===-- Operators (GenArithmetic.cpp, GenIntegers.cpp, GenCasts.cpp) --===//

  Value emitUnary(const sema::UnaryExpr &expr);
  Value emitBinary(const sema::BinaryExpr &expr);
  Value emitFma(const sema::FmaExpr &expr);
  Value emitFloatOp(syntax::BinaryOp op, Location location, Value lhs, Value rhs);
  Value emitIntegerOp(syntax::BinaryOp op, bool isSigned, Location location, Value lhs, Value rhs);
  Value emitCompare(syntax::BinaryOp op, sema::Type type, Location location, Value lhs, Value rhs);
  /// Whether all lanes of a mask are set; of an i1 itself.
  Value allOf(Value mask, Location location);
  Value emitDivision(syntax::BinaryOp op, bool isSigned, Location location, Value lhs, Value rhs);
  Value emitShift(syntax::BinaryOp op, bool isSigned, Location location, Value lhs, Value count);
  Value emitPower(bool isSigned, Location location, Value base, Value exponent);
  Value emitCast(const sema::CastExpr &expr);
  Value emitIntegerCast(Value value, bool isSigned, mlir::Type to, Location location);
  /// A check, unless the function says #[unchecked].
  void emitCheck(Value condition, mir::FaultKind kind, mlir::ValueRange details, Location location,
                 mlir::StringAttr subject = {}, bool isUnsigned = false);
  Value integer(mlir::Type type, int64_t value, Location location);
  Value boolean(bool value, Location location) {
    return integer(builder.getI1Type(), value, location);
  }
  /// For paths on which the value is not looked at.
  Value noValue(mlir::Type type, Location location);

  /// Whether the function answers a value; what memory keeps goes through its last parameter.
  bool returnsValue() const { return !function.result.isUnit() && !function.result.isAggregate(); }

  Location locationOf(const sema::Expr &expr) { return module.location(expr.range); }
  Location locationOf(const sema::Stmt &stmt) { return module.location(stmt.range); }

  /// Code nests by at most this much because of exits; after that it is cut into segments.
  static constexpr unsigned maxGuardDepth = 64;

  ModuleGen &module;
  mlir::OpBuilder &builder;
  const sema::Function &function;
  FunctionFacts facts;
  Environment env;
  Flow flow;
  const LoopFacts *loop = nullptr; ///< the innermost one around
  unsigned guardDepth = 0;
  unsigned sharedArrays = 0; ///< made so far
  Place place;               ///< of the compound assignment being emitted
  Value result;              ///< where a struct, tuple or array is returned, or null
};

/// Whether evaluating it where it is not needed costs little and shows nowhere: few operations, no
/// memory, no fault.
bool isCheap(const sema::Expr &expr);

/// Says of an access what a fault there shows: the name of what the indices go into, or null, and
/// the positions of those that are u64.
void annotate(mlir::Operation *access, mlir::StringAttr name,
              llvm::ArrayRef<int64_t> unsignedIndices);
/// Whether i64 does not hold all values of the index.
bool isUnsigned(const sema::Expr &index);

} // namespace spl::mirgen
