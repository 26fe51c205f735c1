// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Follows slices through locals, conditionals and calls in the typed tree. The result of a call may
// be a view of any slice among its arguments.
#include "frontend/sema/lifetimes/Lifetimes.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Places.h"

namespace spl::sema {
namespace {

/// Whether values of the type are or hold slices.
bool isView(Type type) { return type.isSlice() || type.holdsSlices(); }

class LifetimeChecker {
public:
  LifetimeChecker(diag::Engine &diagnostics, const Function &function)
      : diagnostics(diagnostics), function(function) {}
  void run();

private:
  /// The memory that a slice may view. Of several, the one whose lifetime ends first.
  struct Origin {
    unsigned depth = 0; ///< the depth of the block at whose end the memory's lifetime ends; 0 if it
                        ///< outlives the function
    const Local *local = nullptr; ///< null for a temporary
  };
  static constexpr unsigned temporary = ~0u;

  /// A slice that is stored in a local or returned.
  struct KeptSlice {
    const Local *into; ///< the local; null if the slice is returned
    const Expr *value;
    bool isReported = false;
  };

  void collect(Block block, unsigned depth);
  void collect(const Stmt &stmt, unsigned depth);
  void keep(const Local *into, const Expr *value);
  Origin originOf(const Expr &slice) const;
  Origin originOfMemory(const Expr &place) const;
  /// Updates the memory that the local may view. Returns whether it changed.
  bool follow(KeptSlice &slice);
  void report(const KeptSlice &slice, const Origin &origin);

  diag::Engine &diagnostics;
  const Function &function;
  std::vector<KeptSlice> kept;
  llvm::DenseMap<const Local *, unsigned> depths;
  /// The origins of slices that are stored in locals. Of several in one, the one whose lifetime
  /// ends first.
  llvm::DenseMap<const Local *, Origin> origins;
};

void LifetimeChecker::run() {
  for (const Local *parameter : function.parameters)
    depths[parameter] = 1;
  collect(function.body, 2);
  for (bool isNew = true; std::exchange(
           isNew,
           false);) // repeated until nothing changes, because slices flow backwards through loops
    for (KeptSlice &slice : kept)
      isNew |= follow(slice);
}

//===-- Where slices are stored --===//

void LifetimeChecker::collect(Block block, unsigned depth) {
  for (const Stmt *stmt : block)
    collect(*stmt, depth);
}

void LifetimeChecker::collect(const Stmt &stmt, unsigned depth) {
  switch (stmt.kind) {
  case Stmt::Kind::Let: {
    auto &let = llvm::cast<LetStmt>(stmt);
    depths[let.local] = depth;
    keep(let.local, let.value);
    break;
  }
  case Stmt::Kind::Assign: {
    auto &assign = llvm::cast<AssignStmt>(stmt);
    if (auto *local = llvm::dyn_cast<LocalExpr>(holderOf(assign.place)))
      keep(local->local, assign.value);
    break;
  }
  case Stmt::Kind::Return:
    keep(nullptr, llvm::cast<ReturnStmt>(stmt).value);
    break;
  case Stmt::Kind::If: {
    auto &branch = llvm::cast<IfStmt>(stmt);
    for (const IfArm &arm : branch.arms)
      collect(arm.body, depth + 1);
    collect(branch.otherwise, depth + 1);
    break;
  }
  case Stmt::Kind::While:
    collect(llvm::cast<WhileStmt>(stmt).body, depth + 1);
    break;
  case Stmt::Kind::For:
    collect(llvm::cast<ForStmt>(stmt).body, depth + 1);
    break;
  case Stmt::Kind::Expr:
  case Stmt::Kind::Break:
  case Stmt::Kind::Continue:
  case Stmt::Kind::Print:
  case Stmt::Kind::Assert:
    break;
  }
}

void LifetimeChecker::keep(const Local *into, const Expr *value) {
  if (value && isView(value->type))
    kept.push_back({into, value});
}

//===-- What a slice views --===//

LifetimeChecker::Origin LifetimeChecker::originOf(const Expr &slice) const {
  auto shorter = [](Origin a, Origin b) { return a.depth < b.depth ? b : a; };
  auto ofView = [&](const Expr &base) {
    return isView(base.type) ? originOf(base) : originOfMemory(base);
  };
  auto shortest = [&](ArrayRef<const Expr *> values) {
    Origin origin;
    for (const Expr *value : values)
      if (isView(value->type))
        origin = shorter(origin, originOf(*value));
    return origin;
  };
  switch (slice.kind) {
  case Expr::Kind::Local:
    return origins.lookup(llvm::cast<LocalExpr>(slice).local);
  case Expr::Kind::Cast:
    return ofView(*llvm::cast<CastExpr>(slice).operand);
  case Expr::Kind::Subslice:
    return ofView(*llvm::cast<SubsliceExpr>(slice).base);
  case Expr::Kind::Index:
    return ofView(*llvm::cast<IndexExpr>(slice).base);
  case Expr::Kind::Reference:
    return originOfMemory(*llvm::cast<ReferenceExpr>(slice).place);
  case Expr::Kind::Conditional: {
    auto &choice = llvm::cast<ConditionalExpr>(slice);
    return shorter(originOf(*choice.then), originOf(*choice.other));
  }
  case Expr::Kind::Field:
    return ofView(*llvm::cast<FieldExpr>(slice).base);
  case Expr::Kind::Build:
    return shortest(llvm::cast<BuildExpr>(slice).parts);
  case Expr::Kind::Call:
    return shortest(llvm::cast<CallExpr>(slice).arguments);
  case Expr::Kind::Shared:
  case Expr::Kind::SharedDyn:
    return {};
  case Expr::Kind::Constant:
  case Expr::Kind::PlaceValue:
  case Expr::Kind::Unary:
  case Expr::Kind::Binary:
  case Expr::Kind::Logical:
  case Expr::Kind::CompareChain:
  case Expr::Kind::Fma:
  case Expr::Kind::Lane:
  case Expr::Kind::Extent:
  case Expr::Kind::Intrinsic:
  case Expr::Kind::Atomic:
  case Expr::Kind::Access:
  case Expr::Kind::ConstantData:
    break;
  }
  llvm_unreachable("no such expression is a slice");
}

LifetimeChecker::Origin LifetimeChecker::originOfMemory(const Expr &place) const {
  const Expr *whole = wholeOf(&place);
  if (whole->type.isSlice())
    return originOf(*whole);
  if (auto *local = llvm::dyn_cast<LocalExpr>(whole))
    return {depths.lookup(local->local), local->local};
  if (llvm::isa<ConstantDataExpr>(whole))
    return {};
  return {temporary, nullptr};
}

//===-- Reports --===//

bool LifetimeChecker::follow(KeptSlice &slice) {
  if (slice.isReported)
    return false;
  // A hidden local stores the slice that a loop iterates over until the loop ends.
  bool isHidden = slice.into && slice.into->name.starts_with("$");
  unsigned maxDepth = !slice.into ? 0 : isHidden ? temporary : depths.lookup(slice.into);
  Origin origin = originOf(*slice.value);
  if (origin.depth > maxDepth) {
    slice.isReported = true;
    report(slice, origin);
    return false;
  }
  if (!slice.into || origin.depth <= origins.lookup(slice.into).depth)
    return false;
  origins[slice.into] = origin;
  return true;
}

void LifetimeChecker::report(const KeptSlice &slice, const Origin &origin) {
  SourceRange range = slice.value->range;
  if (!origin.local) {
    diagnostics.emit(range, diag::SliceOfTemporary, quoted(range));
    return;
  }
  diagnostics
      .emit(range, diag::DanglingSlice, quoted(range), shown(origin.local->name),
            slice.into ? "its block" : "the function")
      .note(origin.local->range, diag::DeclaredHere, shown(origin.local->name));
}

} // namespace

void checkLifetimes(diag::Engine &diagnostics, const Function &function) {
  LifetimeChecker(diagnostics, function).run();
}

} // namespace spl::sema
