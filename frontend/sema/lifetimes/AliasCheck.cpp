// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Collects the slices among the arguments of a call, and reports two that certainly overlap.
#include "frontend/sema/lifetimes/AliasCheck.h"
#include "frontend/sema/DiagnosticText.h"
#include "frontend/sema/expressions/Literals.h"
#include "frontend/sema/lifetimes/SliceViews.h"

namespace spl::sema {
namespace {

/// A slice among the arguments of a call: an argument, or a part of one.
struct SliceArgument {
  const Expr *slice; ///< without its implicit conversion
  bool isMut;        ///< as the parameter's
  std::string path;  ///< from the argument to the slice: ".cells"

  std::string text() const {
    std::string text = quoted(slice->range);
    if (path.empty() || text.front() != '\'')
      return text;
    if (needsParentheses())
      text.insert(1, "(").insert(text.size() - 1, ")");
    return text.insert(text.size() - 1, path);
  }

private:
  /// Whether the argument is a conditional without parentheses around it.
  bool needsParentheses() const {
    const Expr *whole = slice;
    while (whole->range.end == slice->range.end) // parts have the range of the argument
      if (auto *field = llvm::dyn_cast<FieldExpr>(whole))
        whole = field->base;
      else if (auto *index = llvm::dyn_cast<IndexExpr>(whole))
        whole = index->base;
      else
        break;
    auto *choice = llvm::dyn_cast<ConditionalExpr>(whole);
    return choice && choice->then->range.begin == choice->range.begin;
  }
};

/// Adds the slices of an argument.
void collectSlices(Session &session, const Expr &argument, const std::string &path,
                   llvm::SmallVectorImpl<SliceArgument> &slices) {
  const Type type = argument.type;
  if (type.isSlice())
    return slices.push_back({&withoutCast(argument), type.isMut(), path});
  if (!type.holdsSlices())
    return;
  if (auto *build = llvm::dyn_cast<BuildExpr>(&argument);
      build && (type.isStruct() || build->parts.size() == type.length())) {
    for (const Expr *part : build->parts)
      collectSlices(session, *part, "", slices);
    return;
  }
  if (type.isStruct()) {
    for (auto [number, field] : llvm::enumerate(type.structInfo().fields))
      collectSlices(
          session,
          *session.make(FieldExpr{{field.type, argument.range}, &argument, unsigned(number)}),
          path + "." + field.name.str(), slices);
    return;
  }
  for (uint64_t number = 0; number != type.length(); ++number) {
    const Expr *index = makeConstant(session, session.types.get(TypeKind::I64), argument.range,
                                     llvm::APInt(64, number));
    collectSlices(session,
                  *session.make(IndexExpr{{type.element(), argument.range},
                                          &argument,
                                          ArrayRef(index).copy(session.arena),
                                          /*isInside=*/true}),
                  path + "[" + std::to_string(number) + "]", slices);
  }
}

/// The end of the message about two arguments that overlap: what to mark or to pass instead. The
/// numbers are the indices of their parameters.
std::string overlapRemedy(const FunctionEntry &callee, unsigned first, unsigned second) {
  const auto &parameters = callee.function->parameters;
  if (parameters[first]->isReference && parameters[second]->isReference)
    return "; pass a copy of one of them";
  if (first == second)
    return (" or '" + parameters[first]->name + "' is marked '#[alias]'").str();
  for (auto [one, other] : {std::pair(first, second), std::pair(second, first)})
    if (parameters[one]->isReference)
      return (" or '" + parameters[other]->name + "' is marked '#[alias]'").str();
  return " or a parameter is marked '#[alias]'";
}

} // namespace

void requireDisjoint(Session &session, const SliceVals &vals, const FunctionEntry &callee,
                     ArrayRef<const Expr *> arguments) {
  llvm::SmallVector<SliceArgument, 4> slices;
  const auto &aliases = callee.function->traits.aliases;
  llvm::SmallVector<unsigned, 4> parameters; // the index of the parameter of each slice
  for (auto [index, argument] : llvm::enumerate(arguments))
    if (aliases.empty() || !aliases[index]) {
      collectSlices(session, *argument, "", slices);
      parameters.resize(slices.size(), unsigned(index));
    }
  for (auto [index, later] : llvm::enumerate(slices))
    for (auto [before, earlier] : llvm::enumerate(ArrayRef(slices).take_front(index))) {
      const Expr &a = *earlier.slice, &b = *later.slice;
      if (!earlier.isMut && !later.isMut)
        continue;
      if (!ViewFinder(session, nullptr).overlap(a, b) &&
          !ViewFinder(session, &vals).overlap(a, b) &&
          !ViewFinder(session, &vals).alwaysOverlap(a, b))
        continue;
      std::string first = earlier.text(), second = later.text();
      session.diagnostics.emit(b.range, diag::OverlappingArguments,
                               first == second ? first + " is given twice"
                                               : first + " and " + second + " overlap",
                               shown(callee.writtenName()),
                               overlapRemedy(callee, parameters[before], parameters[index]));
      return;
    }
}

} // namespace spl::sema
