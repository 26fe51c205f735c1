// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Launch contracts as data: conditions on the arguments and sizes of a launch. The compiler makes
/// them, the runtime evaluates them. All types are values, which several threads may read at once.
/// Nothing here fails.
#ifndef SPL_ABI_CONTRACT_H
#define SPL_ABI_CONTRACT_H

#include <compare>
#include <cstddef>
#include <cstdint>
#include <vector>

namespace spl::abi {

/// What a step of a stack machine does. The operations of a condition are in postfix order.
enum class Operation : std::uint8_t {
  Constant,  ///< pushes the operand, which is not negative
  Argument,  ///< pushes a parameter of an integer type; the operand is its position
  Part,      ///< pushes an integer in a parameter of a struct or vector type, at an offset
  Length,    ///< pushes the extent of a parameter that is a slice of rank 1
  Extent,    ///< pushes the extent of a parameter that is a slice, along an axis
  NumGroups, ///< pushes a size of the launch along an axis; so do the next two
  LocalSize,
  GlobalSize,

  Parentheses, ///< changes no value: the text has parentheses around the last value
  MinOfFirst,  ///< changes no value: the last value is the first one in min(...)
  MaxOfFirst,
  Negate,

  Add, ///< takes two values and pushes one, as all that follow do
  Subtract,
  Multiply,
  Divide,
  Min, ///< the next value in the min(...) that the left value is
  Max,
  AtMost, ///< ends a condition, left <= right, and pushes nothing; the operand is its group
};

/// One step of the evaluation of a contract.
struct Step {
  Operation operation;
  std::uint8_t axis = 0;    ///< of Extent, NumGroups, LocalSize and GlobalSize
  std::uint32_t offset = 0; ///< of Part, in bytes
  /// Of Constant the number, of Argument, Part, Length and Extent the position, of AtMost the
  /// group.
  std::int64_t operand = 0;

  auto operator<=>(const Step &) const = default;
};

/// A sum in a condition. Its steps are those that the reader of the text form makes: where the
/// grammar needs parentheses, combine and negated add them.
class Expression {
public:
  static Expression constant(std::int64_t value); ///< \p value is not negative
  static Expression argument(std::size_t position);
  static Expression part(std::size_t position, std::uint32_t offset);
  static Expression length(std::size_t position);
  static Expression extent(std::size_t position, unsigned axis);
  static Expression numGroups(unsigned axis);
  static Expression localSize(unsigned axis);
  static Expression globalSize(unsigned axis);

  /// \p operation is Add, Subtract, Multiply or Divide.
  static Expression combine(Operation operation, Expression left, Expression right);
  /// The smallest or the largest of \p values, which are not empty.
  static Expression minOf(std::vector<Expression> values);
  static Expression maxOf(std::vector<Expression> values);
  Expression negated() const;
  Expression inParentheses() const;

  const std::vector<Step> &steps() const { return all; }
  /// The depth to which parentheses nest, those of min(...) and max(...) included.
  int nesting() const { return levels; }

private:
  /// How tightly the last operation binds.
  enum class Binding : std::uint8_t { Sum, Product, Factor, Primary };

  Expression(Step step) : all{step} {}
  static Expression list(Operation first, Operation next, std::vector<Expression> values);
  Expression bound(Binding least) &&;

  std::vector<Step> all;
  Binding binding = Binding::Primary;
  int levels = 0;
};

/// The conditions of one kernel, in one to three groups. The compiler lifts checks from the kernel
/// that hold under these conditions. Each of them needs the conditions of one group only. The
/// kernel has these versions:
///
/// - Checked: with all checks.
/// - Unchecked: without the lifted checks. It is for launches that meet all conditions.
/// - FirstUnmet + g, if there are several groups: with the lifted checks that need group g, and
///   without the others. It is for launches that meet all groups but group g.
struct Contract {
  enum Version : std::size_t { Checked, Unchecked, FirstUnmet };
  static constexpr std::size_t maxGroups = 3;

  // Limits, so that reading ends and the evaluation fits a fixed stack.
  static constexpr int maxNesting = 64;
  static constexpr std::size_t maxSteps = 4096;
  /// Each level of nesting holds up to three values: of a min or max, a sum and a product.
  static constexpr std::size_t maxDepth = 3 * (maxNesting + 1) + 2;

  std::vector<Step> steps; ///< of all conditions, each ended by an AtMost, in the order of groups

  /// Adds the condition \p smaller <= \p larger to a group: the last one, or the next after it.
  void add(const Expression &smaller, const Expression &larger, std::size_t group = 0);

  /// The number of groups. The last condition is in the last group.
  std::size_t groupCount() const;
  std::size_t versionCount() const {
    return groupCount() == 1 ? FirstUnmet : FirstUnmet + groupCount();
  }
  /// The version for launches that do not meet the groups whose bits are set in \p unmet.
  std::size_t versionFor(unsigned unmet) const;

  bool operator==(const Contract &) const = default;
};

} // namespace spl::abi

#endif
