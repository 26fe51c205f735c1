// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random signatures with random contracts: what is written is read as the same data, and what is
// read is written as the same text.
#include "test/unit/abi/Text.h"

#include <limits>
#include <random>

using namespace spl;
using spl::abi::Expression;
using spl::abi::Operation;
using spl::test::read;

namespace {

class RandomSignatures {
public:
  explicit RandomSignatures(unsigned seed) : random(seed) {}

  spl::abi::Signature next() {
    result = {};
    result.takesFaultRecord = below(2) == 0;
    result.isCooperative = below(2) == 0;
    result.name = "k" + std::to_string(below(10));
    for (int left = below(4); left > 0; --left)
      result.definitions.push_back(definition());
    for (int left = below(4); left > 0; --left)
      result.block.push_back(1 + below(1024));
    for (int left = below(6); left > 0; --left)
      result.parameters.push_back(parameter());
    if (below(3) != 0) {
      result.contract.emplace();
      for (int left = 1 + below(3); left > 0; --left) {
        const Expression smaller = sum(3);
        result.contract->add(smaller, sum(3));
      }
    }
    return std::move(result);
  }

private:
  int below(int end) { return static_cast<int>(random() % static_cast<unsigned>(end)); }

  ElementType definition() {
    const std::string name = "T" + std::to_string(result.definitions.size());
    if (below(2) == 0) {
      std::vector<ElementType::Field> fields;
      for (int i = below(4); i > 0; --i)
        fields.push_back({"f" + std::to_string(i), element()});
      return ElementType::structure(name, std::move(fields));
    }
    std::vector<ElementType::Member> members;
    for (int i = below(4); i > 0; --i)
      members.push_back({"M" + std::to_string(i), static_cast<std::int32_t>(random())});
    return ElementType::enumeration(name, std::move(members));
  }

  ElementType element() {
    const int count = static_cast<int>(result.definitions.size());
    switch (below(count ? 4 : 3)) {
    case 0:
      return ElementType::array(element(), 1 + below(5));
    case 1:
      return *plainTypeNamed(below(2) == 0 ? "f32x4" : "u8x16");
    case 2:
      return static_cast<ScalarType>(below(13));
    default:
      return result.definitions[static_cast<std::size_t>(below(count))];
    }
  }

  Parameter parameter() {
    const std::string name = "p" + std::to_string(result.parameters.size());
    const int rank = below(5);
    return {name, {element(), rank, rank > 0 && below(2) == 0}, below(4) == 0};
  }

  Expression sum(int depth) {
    if (depth == 0 || below(3) == 0)
      return leaf();
    const auto values = [&] {
      std::vector<Expression> all;
      for (int left = 1 + below(3); left > 0; --left)
        all.push_back(sum(depth - 1));
      return all;
    };
    switch (below(7)) {
    case 0:
      return Expression::minOf(values());
    case 1:
      return Expression::maxOf(values());
    case 2:
      return sum(depth - 1).negated();
    case 3:
      return sum(depth - 1).inParentheses();
    default: {
      static constexpr Operation operations[] = {Operation::Add, Operation::Subtract,
                                                 Operation::Multiply, Operation::Divide};
      const Expression left = sum(depth - 1);
      return Expression::combine(operations[below(4)], left, sum(depth - 1));
    }
    }
  }

  Expression leaf() {
    const auto axis = static_cast<unsigned>(below(3));
    const std::size_t count = result.parameters.size();
    const std::size_t position =
        count ? static_cast<std::size_t>(below(static_cast<int>(count))) : 0;
    if (count && below(2) == 0) {
      const ParameterType &type = result.parameters[position].type;
      if (type.isInteger())
        return Expression::argument(position);
      if (type.rank == 1 && below(2) == 0)
        return Expression::length(position);
      if (type.isSlice())
        return Expression::extent(position, axis % static_cast<unsigned>(type.rank));
      const auto offset = static_cast<std::uint32_t>(random() % (type.element.size() + 1));
      if (std::optional<ScalarPart> part = scalarAt(type.element, offset);
          part && ParameterType{part->type}.isInteger() && type.isComposed())
        return Expression::part(position, offset);
    }
    switch (below(5)) {
    case 0:
      return Expression::numGroups(axis);
    case 1:
      return Expression::localSize(axis);
    case 2:
      return Expression::globalSize(axis);
    case 3:
      return Expression::constant(std::numeric_limits<std::int64_t>::max());
    default:
      return Expression::constant(below(100));
    }
  }

  std::mt19937 random;
  spl::abi::Signature result;
};

} // namespace

TEST(RandomSignatures, AreReadAsTheyWereWritten) {
  RandomSignatures signatures(5);
  std::size_t withContract = 0, longest = 0;
  for (int round = 0; round < 20000; ++round) {
    const spl::abi::Signature signature = signatures.next();
    const std::string text = writeSignature(signature);
    const spl::abi::Signature again = read(text);
    ASSERT_EQ(again, signature) << text;
    ASSERT_EQ(writeSignature(again), text);
    withContract += signature.contract.has_value();
    longest = std::max(longest, text.size());
  }
  EXPECT_GT(withContract, 10000u);
  EXPECT_GT(longest, 500u);
}

TEST(RandomSignatures, DifferWhereTheirTextDiffers) {
  RandomSignatures signatures(6);
  spl::abi::Signature last = signatures.next();
  for (int round = 0; round < 5000; ++round) {
    spl::abi::Signature signature = signatures.next();
    EXPECT_EQ(signature == last, writeSignature(signature) == writeSignature(last));
    last = std::move(signature);
  }
  const std::string text = "struct A(x: f32) k(a: A)";
  EXPECT_FALSE(read(text) == read("struct B(x: f32) k(a: B)")) << "names of types are compared";
  EXPECT_TRUE(read(text) == read(text));
}

TEST(Expression, AddsTheParenthesesThatTheGrammarNeeds) {
  const spl::abi::Signature none;
  const auto number = [](std::int64_t value) { return Expression::constant(value); };
  const auto combine = [](Operation operation, const Expression &left, const Expression &right) {
    return Expression::combine(operation, left, right);
  };
  const Expression sum = combine(Operation::Add, number(1), number(2));
  const Expression product = combine(Operation::Multiply, number(3), number(4));
  EXPECT_EQ(writeExpression(combine(Operation::Multiply, sum, sum), none), "(1 + 2) * (1 + 2)");
  EXPECT_EQ(writeExpression(combine(Operation::Subtract, sum, sum), none), "1 + 2 - (1 + 2)");
  EXPECT_EQ(writeExpression(combine(Operation::Add, product, product), none), "3 * 4 + 3 * 4");
  EXPECT_EQ(writeExpression(combine(Operation::Divide, product, product), none), "3 * 4 / (3 * 4)");
  EXPECT_EQ(writeExpression(product.negated(), none), "-(3 * 4)");
  EXPECT_EQ(writeExpression(number(3).negated().negated(), none), "-(-3)");
  const Expression least = Expression::minOf({sum, number(7)});
  EXPECT_EQ(writeExpression(combine(Operation::Multiply, least, number(2)), none),
            "min(1 + 2, 7) * 2");
  EXPECT_EQ(sum.nesting(), 0);
  EXPECT_EQ(combine(Operation::Divide, product, least.negated()).nesting(), 1);
  EXPECT_EQ(combine(Operation::Multiply, Expression::maxOf({sum.inParentheses()}), sum).nesting(),
            2);
}
