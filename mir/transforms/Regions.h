// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel whose work-items meet, made one body that runs them all. The body is cut where they
// meet: at barriers, and inside what lies between those, where there are operations of the warp, at
// these. Each stretch from one cut to the next becomes a loop over the work-items, or the lanes of
// a warp. Control flow around a cut is uniform or, in a warp, becomes masks, and stands outside the
// loops.
//
// A value is one of these, in the scope of the group and within it in that of a warp:
//   one        computed once, outside the loops: uniform ones, and results that all lanes share
//   kept       an element for each work-item or lane, in memory, as it is needed behind a cut
//   recomputed in each stretch that needs it, where that is cheap
//   inside     its stretch alone knows it
#pragma once

#include "intrinsics/Intrinsics.h"
#include "intrinsics/Limits.h"
#include "mir/dialect/SplDialect.h"
#include "mir/transforms/Uniformity.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include <array>

namespace spl::mir {

/// Whether the operation or one inside it is of the group, or of the warp.
bool meetsAsGroup(mlir::Operation *op);
bool meetsAsWarp(mlir::Operation *op);

using LocalIds = std::array<mlir::Value, 3>; ///< by axis

class RegionCutter {
public:
  /// What an operation that runs for one work-item needs besides its operands: the ids of that one,
  /// put into its checks and calls.
  using PassIds = llvm::function_ref<void(mlir::Operation *root, const LocalIds &ids)>;

  RegionCutter(KernelOp kernel, PassIds passIds);
  /// Replaces the kernel's body. Cannot fail.
  void run();

private:
  static constexpr int64_t warpSize = intrinsics::warpSize, largestGroup = intrinsics::largestGroup;

  /// What is known of the values of the old body, by the new ones.
  struct Scope {
    mlir::IRMapping ones;
    llvm::DenseMap<mlir::Value, mlir::Value> kept; ///< the slice with an element for each
  };
  /// One run of a stretch's loop. The map holds what the stretch has of the old values.
  struct Item {
    LocalIds ids;     ///< in a warp only as it is asked for
    mlir::Value flat; ///< in the group
    mlir::Value lane; ///< in the warp, where there is one
    mlir::IRMapping map;
  };
  using Values = llvm::SmallVector<mlir::Value>;
  using Copies = llvm::SmallVector<std::pair<mlir::Value, mlir::Value>>; ///< value, its new place

  //===-- RegionValues.cpp --===//
  bool isOne(mlir::Value value) const;
  bool isSame(mlir::Value value) const;
  bool isOne(mlir::Operation *op) const;
  mlir::Value one(mlir::Value value);
  mlir::Value oneIfUniform(mlir::Value value);
  void setOne(mlir::Value old, mlir::Value value);
  mlir::Value keptIn(mlir::Value value) const;
  bool canRecompute(mlir::Value value, unsigned &budget) const;
  mlir::Value use(mlir::Value value, Item &item);
  mlir::Value indexOf(mlir::Value value, const Item &item) const;
  void copyInto(mlir::Operation *op, Item &item);
  const LocalIds &idsOf(Item &item);
  mlir::Value ownValue(mlir::Operation *op, Item &item);

  /// The values of a stretch that are needed behind it and must be kept, in order.
  Values leaving(llvm::ArrayRef<mlir::Operation *> stretch);
  void addLeaving(mlir::Value value, Values &found);
  /// Places for them: those that are uniform get a cell, which is read behind the loop.
  Copies placesFor(llvm::ArrayRef<mlir::Value> values, Copies &cells);
  void readCells(const Copies &cells);
  void store(mlir::Value value, mlir::Value place, Item &item);
  mlir::Value newPlace(mlir::Type element);
  mlir::Value newCell(mlir::Type element, int64_t count = 1);

  //===-- Regions.cpp --===//
  void emit(mlir::Block &block);
  void emit(llvm::ArrayRef<mlir::Operation *> ops);
  void emitStretch(llvm::ArrayRef<mlir::Operation *> stretch);
  void emitLoop(llvm::ArrayRef<mlir::Operation *> stretch);
  void emitWarps(llvm::ArrayRef<mlir::Operation *> stretch);
  void copyEach(const Copies &copies);
  void forEach(llvm::function_ref<void(Item &)> body);
  void forEachItem(llvm::function_ref<void(Item &)> body);
  void forEachLane(bool guarded, llvm::function_ref<void(Item &)> body);

  //===-- RegionControlFlow.cpp --===//
  void emitCut(mlir::Operation *op);
  void emitIf(mlir::scf::IfOp op);
  void emitSplitIf(mlir::scf::IfOp op);
  void emitFor(mlir::scf::ForOp op);
  void emitSplitFor(mlir::scf::ForOp op);
  void emitWhile(mlir::scf::WhileOp op);
  void emitSplitWhile(mlir::scf::WhileOp op);
  /// Divides what control flow hands on into what is one and what is kept, with places for the
  /// latter.
  Values keepDivergent(mlir::ValueRange values, bool allDiffer);
  void handOn(mlir::ValueRange from, mlir::ValueRange to);
  Values onesOf(mlir::ValueRange from, mlir::ValueRange to);
  mlir::Value hasAny(mlir::Value lanes);
  void emitUnder(mlir::Value lanes, llvm::function_ref<void()> body);
  void emitRounds(mlir::Location at, llvm::function_ref<mlir::Value()> staying,
                  llvm::function_ref<void()> body);

  //===-- Meetings.cpp: operations of the group and the warp --===//
  using Meeting = void (RegionCutter::*)(IntrinsicOp);
  static constexpr Meeting meetingOf(intrinsics::Id id);
  void emitMeeting(IntrinsicOp op);
  void emitNothing(IntrinsicOp) {}
  void emitGroupReduction(IntrinsicOp op);
  void emitGroupScan(IntrinsicOp op);
  void emitGroupBroadcast(IntrinsicOp op);
  void emitShuffle(IntrinsicOp op);
  void emitMatchAny(IntrinsicOp op);
  void emitVote(IntrinsicOp op);
  void emitWarpReduction(IntrinsicOp op);
  void emitWarpScan(IntrinsicOp op);
  mlir::Value combine(IntrinsicOp op, mlir::Value a, mlir::Value b);
  mlir::Value neutral(IntrinsicOp op);
  mlir::Value reduceOver(mlir::Value count, mlir::Value from, IntrinsicOp op);
  void scanOver(mlir::Value count, mlir::Value from, mlir::Value to, IntrinsicOp op);
  mlir::Value ballot(mlir::Value condition);
  mlir::Value ballot(llvm::function_ref<mlir::Value(Item &)> condition);
  mlir::Value gather(mlir::Value value, mlir::Value padding);
  mlir::Value gatherInGroup(mlir::Value value);
  void answerEach(IntrinsicOp op, llvm::function_ref<mlir::Value(Item &)> answer);
  mlir::Value shuffleLane(IntrinsicOp op, mlir::Value lane, mlir::Value other);
  mlir::Value matchAny(mlir::Value values, mlir::Value lane, mlir::Type type);
  mlir::Value isActive(mlir::Value lane);

  //===-- Small builders --===//
  mlir::Value integer(int64_t value, unsigned width = 64);
  mlir::Value zeroOf(mlir::Type type);
  template <typename Op> mlir::Value compute(mlir::Value a, mlir::Value b) {
    return Op::create(builder, loc, a, b);
  }
  mlir::Value load(mlir::Value slice, mlir::Value index);
  void keepRolled(mlir::scf::ForOp loop);
  mlir::scf::ForOp loop(mlir::Value count, mlir::ValueRange inits,
                        llvm::function_ref<Values(mlir::Value, mlir::ValueRange)> body);

  KernelOp kernel;
  PassIds passIds;
  Uniformity uniformity;
  mlir::OpBuilder builder;
  mlir::Location loc;

  LocalIds sizes;
  mlir::Value count; ///< of the group's work-items
  Scope group;
  mlir::Operation *groupTop; ///< what is kept gets its memory behind it

  bool inWarp = false;
  Scope warp;
  mlir::Operation *warpTop = nullptr;
  mlir::Value firstItem, laneCount; ///< of the warp
  mlir::Value mask;                 ///< i32: the lanes that are here
  bool isWhole = false;             ///< whether those are all that the warp has
};

} // namespace spl::mir
