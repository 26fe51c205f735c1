// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/statements/Match.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Expressions.h"
#include "frontend/sema/expressions/Literals.h"
#include "frontend/sema/expressions/Names.h"
#include "frontend/sema/expressions/Scopes.h"
#include "frontend/sema/statements/Statements.h"
#include "llvm/ADT/SmallVectorExtras.h"
#include <map>
#include <set>

namespace spl::sema {
namespace {

/// Maps the values of an integer type or an enum to keys from 0 in ascending order.
class Order {
public:
  explicit Order(Type type)
      : bits(type.bits()), flip(type.isUnsignedInt() ? 0 : uint64_t(1) << (bits - 1)) {}

  uint64_t key(const llvm::APInt &value) const { return value.getZExtValue() ^ flip; }
  uint64_t last() const { return ~uint64_t(0) >> (64 - bits); }
  std::string text(uint64_t key) const {
    llvm::SmallString<24> text;
    llvm::APInt(bits, key ^ flip).toString(text, 10, /*Signed=*/flip != 0);
    return text.str().str();
  }

private:
  unsigned bits;
  uint64_t flip;
};

/// The values that earlier patterns cover.
class Coverage {
public:
  explicit Coverage(Type type) : type(type), order(type) {}

  /// Adds the values from `first` to `last`. If all of them are covered already, returns one of the
  /// patterns that cover them.
  std::optional<SourceRange> add(const llvm::APInt &first, const llvm::APInt &last,
                                 SourceRange range);
  /// Returns the values that no pattern covers as text, or an empty text if there are none.
  std::string missing() const;

private:
  bool covers(uint64_t key) const {
    auto after = taken.upper_bound(key);
    return after != taken.begin() && std::prev(after)->second.last >= key;
  }
  std::string missingMembers() const;

  struct Values {
    uint64_t last;
    SourceRange range;
  };
  Type type;
  Order order;
  std::map<uint64_t, Values> taken; ///< ranges by their first value, without overlap
};

std::optional<SourceRange> Coverage::add(const llvm::APInt &first, const llvm::APInt &last,
                                         SourceRange range) {
  uint64_t begin = order.key(first), end = order.key(last);
  auto next = taken.upper_bound(begin);
  if (next != taken.begin())
    --next;
  SourceRange earlier;
  bool isNew = false;
  uint64_t at = begin;
  while (true) { // fills the gaps from begin to end
    while (next != taken.end() && next->second.last < at)
      ++next;
    if (next != taken.end() && next->first <= at) {
      earlier = next->second.range;
      if (next->second.last >= end)
        break;
      at = next->second.last + 1;
      continue;
    }
    uint64_t gapEnd = next == taken.end() ? end : std::min(end, next->first - 1);
    taken.insert(next, {at, {gapEnd, range}});
    isNew = true;
    if (gapEnd == end)
      break;
    at = gapEnd + 1;
  }
  return isNew ? std::nullopt : std::optional(earlier);
}

static constexpr unsigned maxShown = 4;

std::string Coverage::missingMembers() const {
  std::string text;
  unsigned count = 0;
  std::set<int32_t> seen; // members may have equal values; llvm::DenseSet cannot hold all numbers
  for (const EnumInfo::Member &member : type.enumInfo().members)
    if (!covers(order.key(llvm::APInt(32, member.value, /*isSigned=*/true))) &&
        seen.insert(member.value).second && ++count <= maxShown)
      text += ((text.empty() ? "" : ", ") + type.enumInfo().name + "." + member.name).str();
  return count > maxShown ? text + " and " + std::to_string(count - maxShown) + " more" : text;
}

std::string Coverage::missing() const {
  if (type.isEnum())
    return missingMembers();
  std::string text;
  unsigned count = 0;
  auto gap = [&](uint64_t first, uint64_t last) {
    if (++count > maxShown)
      return;
    text += (text.empty() ? "" : ", ") + order.text(first);
    if (first != last)
      text += "..=" + order.text(last);
  };
  uint64_t at = 0;
  for (const auto &[first, values] : taken) {
    if (at < first)
      gap(at, first - 1);
    if (values.last == order.last())
      return text + (count > maxShown ? " and more" : "");
    at = values.last + 1;
  }
  gap(at, order.last());
  return text + (count > maxShown ? " and more" : "");
}

} // namespace

// Reports 'case High:' with the hint 'Level.High', if there is no other 'High'.
static bool isBareMember(Session &session, Scopes &scopes, const syntax::Expr &pattern, Type type) {
  auto *name = llvm::dyn_cast<syntax::NameExpr>(&pattern);
  if (!name || !type.isEnum() || scopes.find(name->name) || session.bound(name->name) ||
      session.names->items.contains(name->name))
    return false;
  if (!type.enumInfo().member(name->name))
    return false;
  std::string full = (type.enumInfo().name + "." + name->name).str();
  session.diagnostics.emit(name->range, diag::UnknownName, shown(name->name), didYouMean(full))
      .fix(full);
  return true;
}

static const ConstantExpr *checkPattern(ExpressionContext &context, const syntax::Expr &pattern,
                                        Type type) {
  if (isBareMember(context.session, context.scopes, pattern, type))
    return nullptr;
  if (isUndeclared(context.session, context.scopes,
                   pattern)) { // 'case other:' with an undeclared name
    reportUnknownName(context, llvm::cast<syntax::NameExpr>(pattern).name, pattern.range,
                      "; a pattern must be a constant, and 'case _' matches all other values");
    return nullptr;
  }
  const Expr *value = checkAs(context, pattern, type);
  if (!value)
    return nullptr;
  const ConstantExpr *constant = context.session.knownInteger(*value);
  if (!constant)
    context.diagnostics.emit(value->range, diag::PatternNotConstant, quoted(value->range));
  return constant;
}

// Makes the condition that the subject matches a pattern. Returns null if it reports an error.
static const Expr *checkPatternRange(ExpressionContext &context, const syntax::Pattern &pattern,
                                     const Expr &subject, const ConstantExpr *&first,
                                     const ConstantExpr *&last) {
  Type isTrue = context.types.get(TypeKind::Bool);
  auto compare = [&](syntax::BinaryOp op, const ConstantExpr *value) -> const Expr * {
    return context.make(BinaryExpr{{isTrue, pattern.range}, op, &subject, value});
  };
  if (pattern.value) {
    first = last = checkPattern(context, *pattern.value, subject.type);
    return first ? compare(syntax::BinaryOp::Eq, first) : nullptr;
  }
  first = checkPattern(context, *pattern.lower, subject.type);
  last = checkPattern(context, *pattern.upper, subject.type);
  if (!first || !last)
    return nullptr;
  bool isSigned = !subject.type.isUnsignedInt();
  if (isSigned ? first->intValue.sgt(last->intValue) : first->intValue.ugt(last->intValue)) {
    context.diagnostics.emit(pattern.range, diag::PatternEmpty, quoted(pattern.range));
    return nullptr;
  }
  return context.make(LogicalExpr{{isTrue, pattern.range},
                                  true,
                                  compare(syntax::BinaryOp::Ge, first),
                                  compare(syntax::BinaryOp::Le, last)});
}

namespace {

/// The values that the arms checked so far cover.
struct MatchState {
  std::optional<Coverage> coverage = {};    ///< nothing if the subject has an error
  std::optional<SourceRange> wildcard = {}; ///< the pattern that covers the rest
  bool isGood = true;
};

} // namespace

/// The maximum number of conditions or arms in one node. More of them become a balanced tree, so
/// that a long list in the source does not become a deep tree.
static constexpr size_t maxInARow = 32;

/// Makes the condition that one of the tests is true. Returns null if there are no tests.
static const Expr *makeAnyOf(Session &session, llvm::SmallVector<const Expr *> tests) {
  while (tests.size() > 1) {
    llvm::SmallVector<const Expr *> parts;
    for (ArrayRef<const Expr *> left = tests; !left.empty();
         left = left.drop_front(std::min(left.size(), maxInARow))) {
      const Expr *any = left.front();
      for (const Expr *test : left.take_front(maxInARow).drop_front())
        any = session.make(
            LogicalExpr{{any->type, {any->range.begin, test->range.end}}, false, any, test});
      parts.push_back(any);
    }
    tests = std::move(parts);
  }
  return tests.empty() ? nullptr : tests.front();
}

/// Makes the condition of an arm. Returns null if the arm covers all values that are left, or if it
/// reports an error.
static const Expr *checkPatterns(ExpressionContext &context, const syntax::MatchStmt &stmt,
                                 const syntax::MatchArm &arm, const Expr *subject,
                                 MatchState &state) {
  llvm::SmallVector<const Expr *> tests;
  for (const syntax::Pattern &pattern : arm.patterns) {
    const bool isWildcard = !pattern.value && !pattern.lower;
    const ConstantExpr *first = nullptr, *last = nullptr;
    const Expr *test = nullptr;
    if (!isWildcard && subject)
      state.isGood &=
          (test = checkPatternRange(context, pattern, *subject, first, last)) != nullptr;
    if (!state.isGood)
      continue;
    std::optional<SourceRange> earlier = state.wildcard;
    if (isWildcard && !earlier && state.coverage->missing().empty())
      earlier = stmt.arms.front().range;
    if (!isWildcard && !earlier)
      earlier = state.coverage->add(first->intValue, last->intValue, pattern.range);
    if (earlier)
      context.diagnostics.emit(pattern.range, diag::UnreachableCase)
          .note(*earlier, diag::CoveredHere);
    if (isWildcard && !state.wildcard)
      state.wildcard = pattern.range;
    else if (test && !state.wildcard)
      tests.push_back(test);
  }
  return makeAnyOf(context.session, std::move(tests));
}

// Makes an if of these arms, or a tree of ifs if there are many. The last arm covers the remaining
// values, so its condition is not needed.
static const Stmt *makeIf(Session &session, llvm::SmallVector<IfArm> arms, SourceRange range) {
  while (arms.size() > maxInARow) {
    llvm::SmallVector<IfArm> parts;
    for (ArrayRef<IfArm> left = arms; !left.empty();
         left = left.drop_front(std::min(left.size(), maxInARow))) {
      ArrayRef<IfArm> row = left.take_front(maxInARow);
      const bool isLast = row.size() == left.size();
      const Stmt *branch = makeIf(session, llvm::to_vector(row), range);
      parts.push_back(
          {isLast ? nullptr
                  : makeAnyOf(session, llvm::map_to_vector(
                                           row, [](const IfArm &arm) { return arm.condition; })),
           ArrayRef(branch).copy(session.arena)});
    }
    arms = std::move(parts);
  }
  Block otherwise = arms.pop_back_val().body;
  if (arms.empty()) {
    const Expr *always =
        makeConstant(session, session.types.get(TypeKind::Bool), range, llvm::APInt(1, 1));
    return session.make(
        IfStmt{{range}, ArrayRef<IfArm>(IfArm{always, otherwise}).copy(session.arena), {}});
  }
  return session.make(IfStmt{{range}, ArrayRef(arms).copy(session.arena), otherwise});
}

CheckedStmt checkMatch(BodyContext &context, const syntax::MatchStmt &stmt) {
  const Expr *subject = checkValue(context, *stmt.subject);
  Type type = subject ? subject->type : context.types.error();
  if (subject && !type.isInt() && !type.isEnum()) {
    context.diagnostics.emit(subject->range, diag::MatchSubject, quoted(subject->range),
                             type.str());
    subject = nullptr;
  }
  Block before;
  if (subject && !llvm::isa<ConstantExpr>(subject)) { // the hidden local evaluates the subject once
    const Local *kept = makeHiddenLocal(context.session, "$match", type, subject->range);
    before = ArrayRef<const Stmt *>(context.make(LetStmt{{subject->range}, kept, subject}))
                 .copy(context.arena);
    subject = context.make(LocalExpr{{type, subject->range}, kept});
  }

  MatchState state;
  if (subject)
    state.coverage.emplace(type);
  state.isGood = subject && !stmt.isBroken;
  llvm::SmallVector<IfArm> arms;
  Completion completion = Completion::Ends;
  for (const syntax::MatchArm &arm : stmt.arms) {
    const bool isReached = !state.wildcard;
    const Expr *condition = checkPatterns(context, stmt, arm, subject, state);
    Block body;
    Completion ofArm = checkBlock(context, arm.body, body);
    if (ofArm == Completion::Continues || completion == Completion::Ends)
      completion = ofArm;
    if (condition || (isReached && state.wildcard))
      arms.push_back({state.wildcard ? nullptr : condition, body});
  }
  if (!state.isGood)
    return {nullptr, Completion::Unknown};
  if (std::string missing = state.wildcard ? "" : state.coverage->missing(); !missing.empty()) {
    context.diagnostics.emit(stmt.range, diag::MatchIncomplete, missing);
    return {nullptr, Completion::Unknown};
  }
  return {makeIf(context.session, std::move(arms), stmt.range), completion, before};
}

} // namespace spl::sema
