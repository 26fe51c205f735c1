// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/DiagnosticText.h"
#include "frontend/lex/Lexer.h"
#include "frontend/sema/ForeignFunctions.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Casting.h"

namespace spl::sema {

static constexpr size_t maxQuoteLength = 40;

static bool isShort(SourceRange range) {
  StringRef text = range.text();
  return text.size() <= maxQuoteLength && !text.contains('\n');
}

std::string quoted(SourceRange range) {
  return isShort(range) ? ("'" + range.text() + "'").str() : "this expression";
}

StringRef shortText(SourceRange range) { return isShort(range) ? range.text() : ""; }

StringRef shown(StringRef name) { return name.take_front(80); }

// Whether one pair of parentheses encloses the whole text, which is not so in (a) + (b).
static bool isParenthesised(StringRef text) {
  if (!text.starts_with("("))
    return false;
  int depth = 0;
  for (char c : text.drop_back()) {
    depth += (c == '(') - (c == ')');
    if (depth == 0)
      return false;
  }
  return text.ends_with(")");
}

std::string asOperand(const Expr &expr) {
  if (auto *cast = llvm::dyn_cast<CastExpr>(&expr))
    if (cast->range.begin == cast->operand->range.begin &&
        cast->range.end == cast->operand->range.end)
      return asOperand(*cast->operand); // an implicit conversion
  bool isTight = true;
  switch (expr.kind) {
  case Expr::Kind::Constant:
  case Expr::Kind::Local:
  case Expr::Kind::PlaceValue:
  case Expr::Kind::Index:
  case Expr::Kind::Subslice:
  case Expr::Kind::Reference:
  case Expr::Kind::Field:
  case Expr::Kind::Lane:
  case Expr::Kind::Atomic:
  case Expr::Kind::Shared:
  case Expr::Kind::SharedDyn:
  case Expr::Kind::Access:
  case Expr::Kind::Build:
  case Expr::Kind::ConstantData:
  case Expr::Kind::Extent:
  case Expr::Kind::Call:
    break;
  case Expr::Kind::Intrinsic:
    isTight = llvm::cast<IntrinsicExpr>(expr).id != intrinsics::Id::Fmod; // Fmod is written x % y
    break;
  case Expr::Kind::Unary:
    isTight = llvm::cast<UnaryExpr>(expr).op != syntax::UnaryOp::Not;
    break;
  case Expr::Kind::Binary:
  case Expr::Kind::Logical:
  case Expr::Kind::CompareChain:
  case Expr::Kind::Conditional:
  case Expr::Kind::Cast:
  case Expr::Kind::Fma:
    isTight = false;
    break;
  }
  StringRef text = expr.range.text();
  return isTight || isParenthesised(text) ? text.str() : ("(" + text + ")").str();
}

std::string castText(const Expr &expr, Type to) {
  const bool fits = expr.type.isEnum() ? to.isInt() : expr.type.isScalar() && to.isNumber();
  if (!isShort(expr.range) || !fits)
    return {};
  return asOperand(expr) + " as " + to.str();
}

std::string divisionText(const Expr &expr, Type expected) {
  auto *division = llvm::dyn_cast<BinaryExpr>(&expr);
  if (!division || division->op != syntax::BinaryOp::Div || !expr.type.isInt() ||
      !expected.isFloat() || !isShort(expr.range))
    return {};
  auto text = [expected](const Expr &operand) {
    StringRef literal = operand.range.text();
    return llvm::all_of(literal, llvm::isDigit) ? literal.str() : castText(operand, expected);
  };
  return text(*division->lhs) + " / " + text(*division->rhs);
}

std::string conditionText(const Expr &expr) {
  const bool isMask = expr.type.isVector() && expr.type.lane().isBool();
  if (isShort(expr.range) && expr.type.isSlice())
    return asOperand(expr) + ".len() != 0";
  if (!isShort(expr.range) || (!expr.type.isNumber() && !isMask))
    return {};
  if (isMask)
    return "math.all(" + expr.range.text().str() + ")";
  auto *constant = llvm::dyn_cast<ConstantExpr>(&expr);
  if (constant && llvm::isDigit(expr.range.text().ltrim("( ").front())) { // while 1
    const bool isZero =
        constant->isFloat ? constant->floatValue.isZero() : constant->intValue.isZero();
    return isZero ? "false" : "true";
  }
  return asOperand(expr) + " != 0";
}

std::string writeHint(const std::string &text) {
  return text.empty() ? text : "; write '" + text + "'";
}

std::string foreignHint(syntax::Foreign kind, StringRef name, ArrayRef<StringRef> operands) {
  std::string hint = kind == syntax::Foreign::Function ? foreignFunctionHint(name, operands)
                                                       : syntax::hintForName(kind, name, operands);
  return hint.empty() ? hint : "; " + hint;
}

llvm::SmallVector<StringRef, 4> argumentTexts(const syntax::CallExpr &call) {
  llvm::SmallVector<StringRef, 4> texts;
  for (const syntax::Argument &argument : call.arguments)
    texts.push_back(argument.value->range.text());
  return texts;
}

std::string foreignTypeHint(StringRef name) {
  StringRef ours = syntax::typeForForeign(name);
  return ours.empty() ? foreignHint(syntax::Foreign::Type, name) : writeHint(ours.str());
}

std::string membersHint(Type type) {
  std::string hint = "; its values are its members";
  if (ArrayRef<EnumInfo::Member> members = type.enumInfo().members; !members.empty())
    hint += (", as in '" + type.enumInfo().name + "." + members.front().name + "'").str();
  return hint;
}

std::string missingHint(ArrayRef<StringRef> names) {
  std::string text;
  for (auto [index, name] : llvm::enumerate(names))
    text += ((index == 0                  ? "; '"
              : index + 1 == names.size() ? "' and '"
                                          : "', '") +
             shown(name))
                .str();
  return names.empty() ? text : text + (names.size() == 1 ? "' is missing" : "' are missing");
}

std::string rankHint(const Expr &expr, unsigned rank) {
  if (!expr.type.isSlice() || expr.type.rank() == rank)
    return {};
  std::string hint =
      "; its rank is " + std::to_string(expr.type.rank()) + ", not " + std::to_string(rank);
  StringRef text = shortText(expr.range);
  if (expr.type.rank() < rank || !llvm::all_of(text, lex::isIdentifierPart) || text.empty())
    return hint;
  std::string row = text.str() + "[";
  const StringRef names[] = {"i", "j", "k"};
  for (unsigned axis = 0; axis != expr.type.rank() - rank; ++axis)
    row += (axis == 0 ? "" : ", ") + names[axis].str();
  return hint + "; '" + row + "]' is a row of that rank";
}

std::string counted(size_t count, StringRef noun) {
  return std::to_string(count) + " " + noun.str() + (count == 1 ? "" : "s");
}

} // namespace spl::sema
