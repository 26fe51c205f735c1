// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the body of one function. Its parts are one file a concept: statements, places,
// expressions, operators, calls, literals. An expression with a mistake is answered as null, once
// the mistake is reported; who gets null stays silent and answers null, so that one mistake is one
// error. Frames are small: expressions and blocks nest deeply.
#pragma once

#include "frontend/sema/Session.h"
#include "frontend/sema/expressions/MemoryCall.h"
#include "frontend/sema/expressions/Scopes.h"
#include "llvm/Support/Casting.h"

namespace spl::sema {

/// How control leaves a statement or a block.
enum class Completion : uint8_t {
  Continues, ///< it may get to what follows
  Ends,      ///< it never does
  Unknown,   ///< a part could not be parsed: nothing is said about it
};

/// What a tree of literals, which has no type of its own, holds. Rigid is every other expression.
enum class LiteralClass : uint8_t { Int, Float, Rigid };

class BodyChecker {
public:
  BodyChecker(Session &session, FunctionEntry &entry);
  void run();
  /// An expression outside any body: a default, a launch bound, a constant. wanted may be null.
  const Expr *checkAlone(const syntax::Expr &expr, Type wanted);
  /// How many elements an array has: a constant of any integer type. Null: reported.
  const Expr *checkLength(const syntax::Expr &expr);

private:
  struct Loop {
    bool hasBreak = false;
  };

  //===-- CheckStatements.cpp --===//
  /// A statement as checked, null where it is not part of the program.
  struct Checked {
    const Stmt *stmt = nullptr;
    Completion completion = Completion::Continues;
    Block before = {}; ///< statements that come first
  };
  Completion checkBlock(syntax::Block block, Block &result);
  Checked checkStatement(const syntax::Stmt &stmt);
  const Stmt *checkLet(const syntax::LetStmt &stmt);
  const Stmt *checkExpressionStatement(const syntax::ExprStmt &stmt);
  Checked checkIf(const syntax::IfStmt &stmt);
  Checked checkWhile(const syntax::WhileStmt &stmt);
  Checked checkReturn(const syntax::ReturnStmt &stmt);
  Checked checkJump(const syntax::Stmt &stmt);
  const Expr *checkCondition(const syntax::Expr &expr);
  void requireReturn(Completion completion);

  //===-- CheckLoops.cpp --===//
  Checked checkFor(const syntax::ForStmt &stmt);
  Checked checkForEach(const syntax::ForEachStmt &stmt);
  const Stmt *loopOver(const syntax::ForEachStmt &stmt, const Expr *whole, const Local *variable,
                       Type element, UnrollFactor unroll, Block body);
  Checked checkGridStride(const syntax::ForEachStmt &stmt, const syntax::CallExpr &call);
  /// The body of a loop in the scope of its variable, which is declared.
  Block checkLoopBody(const syntax::Identifier &name, const Local *&variable, Type type,
                      syntax::Block body);
  bool requireRange(const syntax::ForStmt &stmt, const Expr *lower, const Expr *upper,
                    const Expr *step);
  UnrollFactor checkUnroll(const syntax::Unroll &unroll, std::optional<uint64_t> rounds);
  /// A local that no name of the source means.
  const Local *hidden(StringRef name, Type type, SourceRange range);

  //===-- CheckFormats.cpp --===//
  const Stmt *checkPrint(const syntax::PrintStmt &stmt);
  const Stmt *checkAssert(const syntax::AssertStmt &stmt);
  /// False where a mistake was reported.
  bool checkFormat(ArrayRef<syntax::FormatPiece> format, ArrayRef<FormatPiece> &result);

  //===-- CheckMatch.cpp --===//
  struct MatchState;
  Checked checkMatch(const syntax::MatchStmt &stmt);
  /// The condition of an arm, or null where it takes every value that is left.
  const Expr *checkPatterns(const syntax::MatchStmt &stmt, const syntax::MatchArm &arm,
                            const Expr *subject, MatchState &state);
  /// Whether one of them holds; null of nothing.
  const Expr *anyOf(llvm::SmallVector<const Expr *> tests);
  /// An if of those arms, of which the last takes what is left.
  const Stmt *ifOf(llvm::SmallVector<IfArm> arms, SourceRange range);
  bool isBareMember(const syntax::Expr &pattern, Type type);
  const ConstantExpr *checkPattern(const syntax::Expr &pattern, Type type);
  const Expr *checkPatternRange(const syntax::Pattern &pattern, const Expr &subject,
                                const ConstantExpr *&first, const ConstantExpr *&last);

  //===-- Names.cpp --===//
  const Local *declare(const syntax::Identifier &name, Type type, SymbolKind kind,
                       const Expr *value);
  void leaveScope();
  const Expr *checkName(const syntax::NameExpr &expr);
  const Expr *named(const Constant &constant, SourceRange range);
  /// "Level.Low" where one enum alone has a member of that name; else empty.
  std::string memberNamed(StringRef name) const;
  /// otherwise: the hint where no known name is near.
  void reportUnknownName(StringRef name, SourceRange range, StringRef otherwise = {});

  //===-- Places.cpp --===//
  const Stmt *checkAssign(const syntax::AssignStmt &stmt);
  bool isUndeclared(const syntax::Expr &target);
  const Expr *checkPlace(const syntax::Expr &target);
  const Expr *checkNamePlace(const syntax::NameExpr &target);
  /// Whether what the expression means may be written to; else reports it.
  bool requireWritable(const Expr &place);
  static bool isWritable(const Expr &place);
  bool requireMutable(const Symbol &symbol, SourceRange range);
  const Expr *checkIndex(const syntax::IndexExpr &expr);
  bool reportUncalled(const syntax::IndexExpr &expr);
  std::pair<const Expr *, const Expr *> checkBounds(const syntax::RangeExpr &range);
  const Expr *checkSubslice(const syntax::IndexExpr &expr, const Expr &base);
  const Expr *checkIndexValue(const syntax::Expr &expr);
  /// What a slice with as many axes is called, where so many indices follow one with fewer.
  std::string rankHint(Type type, size_t count);
  const Expr *indexed(const syntax::IndexExpr &expr, const Expr &base,
                      ArrayRef<const Expr *> indices);
  void warnNegative(const Expr &base, const Expr &index);
  bool requireInside(const Expr &base, uint64_t count, const Expr &index);

  //===-- CheckAggregates.cpp --===//
  const Expr *build(Type type, SourceRange range, ArrayRef<const Expr *> parts,
                    ArrayRef<unsigned> written = {});
  /// A vector of which each lane is the scalar.
  const Expr *splat(const Expr *scalar, Type vector);
  const Expr *checkVectorCall(const syntax::CallExpr &call, Type type);
  std::optional<unsigned> fieldFor(const syntax::Argument &argument, const StructInfo &info,
                                   unsigned before, bool sawName);
  const Expr *checkStructCall(const syntax::CallExpr &call, Type type);
  const Expr *checkArray(const syntax::ArrayExpr &expr, Type expected);
  const Expr *checkTuple(const syntax::TupleExpr &expr, Type expected);
  const Expr *checkPart(const syntax::MemberExpr &expr, const Expr &base);
  const Expr *checkEnumMember(const syntax::MemberExpr &expr, Type type);
  Checked checkLetTuple(const syntax::LetTupleStmt &stmt);
  void reportReadOnly(const Expr &slice);
  /// The type that a name means where no local has it, or null.
  Type typeNamed(const syntax::Expr &expr);

  //===-- CheckExpressions.cpp --===//
  /// Any expression; expected is what its literals become, or null where nothing is. Null:
  /// reported.
  const Expr *check(const syntax::Expr &expr, Type expected = {});
  /// The same, of something that must have a value.
  const Expr *checkValue(const syntax::Expr &expr, Type expected = {});
  /// The same, of something that must have that type. An Error type asks for nothing.
  const Expr *checkAs(const syntax::Expr &expr, Type wanted);
  const Expr *convert(const Expr *expr, Type wanted);
  const Expr *checkConditional(const syntax::ConditionalExpr &expr, Type expected);
  /// A constant that stands inside the body, a scalar; null: reported.
  const ConstantExpr *checkConstantHere(const syntax::Expr &expr, Type wanted, StringRef hint = {});
  const Expr *checkCast(const syntax::CastExpr &expr);
  const Expr *checkMember(const syntax::MemberExpr &expr, Type expected);

  //===-- Literals.cpp --===//
  LiteralClass classify(const syntax::Expr &expr);
  LiteralClass computeClass(const syntax::Expr &expr);
  LiteralClass classifyCall(const syntax::CallExpr &expr);
  /// The type of a tree of literals where expected is expected.
  Type literalType(LiteralClass literals, Type expected) const;
  /// Checks both with one type: what has none of its own takes the other's.
  std::pair<const Expr *, const Expr *> checkPair(const syntax::Expr &lhs, const syntax::Expr &rhs,
                                                  Type expected);
  const Expr *checkLiteral(const syntax::Expr &literal, bool isNegative, SourceRange range,
                           Type expected);
  const Expr *castLiteral(const syntax::Expr &literal, bool isNegative, SourceRange range, Type to);
  const Expr *intLiteral(const syntax::IntExpr &literal, bool isNegative, SourceRange range,
                         Type type);
  /// Reports a literal that its float type cannot hold.
  bool requireFinite(const ConstantExpr &literal);
  const Expr *floatLiteral(StringRef digits, bool isNegative, SourceRange range, Type type);
  const Expr *constant(Type type, SourceRange range, llvm::APInt value);
  const Expr *constant(Type type, SourceRange range, const llvm::APFloat &value);

  //===-- Operators.cpp --===//
  const Expr *checkUnary(const syntax::UnaryExpr &expr, Type expected);
  const Expr *checkBinary(const syntax::BinaryExpr &expr, Type expected);
  const Expr *checkLogical(const syntax::BinaryExpr &expr);
  const Expr *checkChain(const syntax::CompareChainExpr &expr);
  /// lhs op rhs of checked operands; either may be null.
  const Expr *combine(syntax::BinaryOp op, SourceRange range, const Expr *lhs, const Expr *rhs);
  const Expr *fuse(bool isSub, SourceRange range, const Expr *lhs, const Expr *rhs);
  bool requireOperands(syntax::BinaryOp op, const Expr &lhs, const Expr &rhs);
  /// Makes a vector of the scalar that stands beside one.
  void spread(syntax::BinaryOp op, const Expr *&lhs, const Expr *&rhs);
  /// bool, or a mask of as many lanes as the type has.
  Type truthOf(Type type) const;
  bool requireBool(std::string what, const Expr &expr);
  void reportMismatch(syntax::BinaryOp op, const Expr &lhs, const Expr &rhs);

  //===-- Calls.cpp --===//
  const Expr *checkCall(const syntax::CallExpr &expr, Type expected);
  const Expr *checkNamedCall(const syntax::CallExpr &call, const syntax::NameExpr &callee);
  const Expr *checkBracketCall(const syntax::CallExpr &call, const syntax::IndexExpr &callee);
  const Expr *checkUncallable(const syntax::CallExpr &call);
  const Expr *checkMemberCall(const syntax::CallExpr &call, const syntax::MemberExpr &callee,
                              Type expected);
  const Expr *checkExtent(const syntax::CallExpr &call, const syntax::MemberExpr &callee,
                          const Expr &slice);
  /// Checks what was given to a call that is wrong already.
  const Expr *abandonCall(const syntax::CallExpr &call);
  bool requirePositional(const syntax::CallExpr &call);
  void reportNotCallable(const syntax::NameExpr &callee);
  const Expr *reportCallAsCast(const syntax::CallExpr &call, Type type);
  /// "; write 'self.name'" where the method's struct has such a field, or method if it is called.
  std::string selfHint(StringRef name, bool isCalled) const;

  //===-- FunctionCalls.cpp --===//
  /// The arguments of a call, by parameter.
  struct Arguments {
    const Expr *self = nullptr; ///< of a method's call; none of those below
    llvm::SmallVector<const syntax::Expr *, 4> given = {}; ///< null: left to the default
    llvm::SmallVector<const Expr *, 4> checked = {};       ///< null: not yet
    llvm::SmallVector<unsigned, 4> written = {}; ///< in the order of the source, then the defaults
  };
  bool matchArguments(const syntax::CallExpr &call, const FunctionEntry &callee, Arguments &result);
  bool requireAll(const syntax::CallExpr &call, const FunctionEntry &callee, Arguments &result);
  const Expr *defaultOf(FunctionEntry &callee, unsigned parameter);
  const Expr *checkDefault(FunctionEntry &callee, unsigned index,
                           const syntax::Parameter &parameter, Type type);
  /// generics: what was written between brackets after the name, or nothing. self: what a method is
  /// called on, else null.
  const Expr *checkFunctionCall(const syntax::CallExpr &call, unsigned callee,
                                ArrayRef<const syntax::Expr *> generics,
                                const Expr *self = nullptr);
  const Expr *finishCall(const syntax::CallExpr &call, unsigned callee, Arguments &arguments);
  void unify(const syntax::FunctionItem &item, const syntax::TypeExpr &written, Type type,
             llvm::MutableArrayRef<GenericArgument> known);
  std::optional<unsigned> inferInstance(const syntax::CallExpr &call, unsigned callee,
                                        ArrayRef<const syntax::Expr *> generics,
                                        Arguments &arguments);
  bool readGeneric(const syntax::GenericParameter &generic, const syntax::Expr &expr,
                   GenericArgument &result);
  /// The type that an expression names; Error where that was reported.
  Type readType(const syntax::Expr &expr);
  /// The value of an expression of integers or bools that is a constant, or null.
  const ConstantExpr *constantInteger(const Expr *expr);

  //===-- Overlaps.cpp --===//
  /// Reports slices that overlap, one of them to be written through.
  void requireDisjoint(const FunctionEntry &callee, ArrayRef<const Expr *> arguments);

  //===-- Methods.cpp --===//
  /// base.name(...) of a base that is no module.
  const Expr *checkMethodCall(const syntax::CallExpr &call, const syntax::MemberExpr &callee,
                              const Expr &base, ArrayRef<const syntax::Expr *> generics);
  /// The method of that name, or none.
  std::optional<unsigned> methodOf(Type type, StringRef name) const;
  void reportNoMember(const syntax::MemberExpr &member, const Expr &base);
  /// Says of i32.MAX and its like what to write; false of other members.
  bool reportLimit(const syntax::MemberExpr &member);

  //===-- IntrinsicCalls.cpp --===//
  const Expr *checkIntrinsic(const syntax::CallExpr &call, const intrinsics::Row &row,
                             Type expected);
  /// Takes into the node what the row has besides values, and answers the rest; none: reported.
  std::optional<llvm::SmallVector<syntax::Argument, 4>>
  takeWords(const syntax::CallExpr &call, const intrinsics::Row &row, IntrinsicExpr &node);
  bool takeExclusive(const syntax::Argument &argument, const intrinsics::Row &row,
                     IntrinsicExpr &node);
  /// Answers what the letter of the signature stands for; null where a mistake was reported.
  Type checkIntrinsicArguments(ArrayRef<syntax::Argument> given, const intrinsics::Row &row,
                               Type expected, llvm::MutableArrayRef<const Expr *> checked);
  Type slotType(const intrinsics::Signature::Slot &slot, Type letter) const;
  Type resultType(const intrinsics::Signature &signature, Type letter) const;
  const Expr *fitted(const intrinsics::Signature::Slot &slot, const Expr *argument, Type instance);
  bool requireClass(const intrinsics::Row &row, const intrinsics::Signature::Slot &slot,
                    const Expr &argument);
  bool requireSame(const Expr &first, const Expr &argument);
  std::optional<unsigned> checkAxis(const syntax::Expr &expr, unsigned count,
                                    const std::string &wanted);
  void reportUnknownMember(const syntax::MemberExpr &member);

  //===-- Bitcasts.cpp --===//
  const Expr *checkBitcast(const syntax::CallExpr &call, const intrinsics::Row &row,
                           ArrayRef<const syntax::Expr *> brackets);

  //===-- MemoryCalls.cpp --===//
  /// brackets: what stands in them after the name, or nothing.
  const Expr *checkMemoryCall(const syntax::CallExpr &call, const intrinsics::MemoryRow &row,
                              ArrayRef<const syntax::Expr *> brackets);
  const Expr *checkShared(const syntax::CallExpr &call, const intrinsics::MemoryRow &row,
                          ArrayRef<const syntax::Expr *> brackets);
  const Expr *checkSharedDyn(const syntax::CallExpr &call, const intrinsics::MemoryRow &row,
                             ArrayRef<const syntax::Expr *> brackets);
  const Expr *checkAtomic(const syntax::CallExpr &call, const intrinsics::MemoryRow &row,
                          AtomicKind kind);
  const Expr *checkAtomicPlace(const syntax::Expr &argument, const intrinsics::MemoryRow &row,
                               bool isWritten);
  const Expr *checkHintedAccess(const syntax::CallExpr &call, const intrinsics::MemoryRow &row);
  const Expr *checkWideAccess(const syntax::CallExpr &call, const intrinsics::MemoryRow &row,
                              ArrayRef<const syntax::Expr *> brackets);
  const Expr *checkAccessSlice(const syntax::Expr &expr, const intrinsics::MemoryRow &row,
                               bool isWritten);
  /// The arguments of such a call: so many by position, and those names.
  std::optional<MemoryArguments> splitArguments(const syntax::CallExpr &call,
                                                const intrinsics::MemoryRow &row, unsigned minCount,
                                                unsigned maxCount, ArrayRef<StringRef> names);
  /// The value of a word that stands for the parameter; none where it was reported.
  template <class Word>
  std::optional<Word> readWord(StringRef parameter, const syntax::Expr &expr,
                               ArrayRef<NamedWord<Word>> words);
  /// The one type in brackets; Error where that was reported.
  Type readTypeArgument(StringRef name, SourceRange callee, ArrayRef<const syntax::Expr *> brackets,
                        StringRef example);

  /// The symbol of a local that a name means, marked as read, or null.
  Symbol *lookUp(StringRef name);
  bool isModule(const syntax::Expr &expr);
  template <class Node> Node *make(Node node) { return new (arena) Node(std::move(node)); }

  Session &session;
  FunctionEntry &entry;
  llvm::BumpPtrAllocator &arena;
  TypeContext &types;
  diag::Engine &diagnostics;
  Scopes scopes;
  llvm::DenseMap<const Local *, const Expr *> sliceVals; ///< what vals of slices were declared as
  std::vector<Loop> loops;
  llvm::DenseMap<const syntax::Expr *, LiteralClass> classes;
  unsigned callCount = 0; ///< calls checked, with those in the defaults that they use
  bool isReachable = true;
  bool isBroken = false;      ///< a part was not parsed; reads in it are not seen
  bool lostStatement = false; ///< neither are the names that a whole statement declared
  llvm::DenseSet<StringRef> reportedNames; ///< unknown ones; one missing declaration is one mistake
};

/// What a place is a part of: a slice, a local, or what is no place.
const Expr *wholeOf(const Expr *place);
/// The same in the end: past the slices that are elements, rows or sub-slices of others.
const Expr *rootOf(const Expr *place);
/// Reports slices that are kept longer than the memory of the function's own that they view.
void checkLifetimes(diag::Engine &diagnostics, const Function &function);
/// Whether it is a number of its own: 1, 0.5f64, math.PI.
bool isLiteral(const syntax::Expr &expr);
/// The literal that an expression is, with one minus or without, or null.
const syntax::Expr *literalOf(const syntax::Expr &expr, bool &isNegative);
/// The digits of math.PI, E, TAU, INF and NAN; empty for other members.
StringRef mathConstant(const syntax::MemberExpr &member);
/// Whether it is math.fast, whose members are functions as math's are.
bool isFastModule(const syntax::MemberExpr &member);
/// The row that gpu.name or math.name means, or null.
const intrinsics::Row *findIntrinsic(const syntax::MemberExpr &member);
const intrinsics::MemoryRow *findMemory(const syntax::MemberExpr &member);

} // namespace spl::sema
