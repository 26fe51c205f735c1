// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts are those of C, and a type takes what has the same bytes for the same meaning.
#include <gtest/gtest.h>

#include <random>
#include <spl/ElementType.h>
#include <vector>

using namespace spl;

namespace {

const ScalarType scalars[] = {ScalarType::Bool, ScalarType::I8,  ScalarType::U8,  ScalarType::I16,
                              ScalarType::U16,  ScalarType::I32, ScalarType::U32, ScalarType::I64,
                              ScalarType::U64,  ScalarType::F32, ScalarType::F64};

/// The least multiple of \p align that is not less, found by counting.
std::size_t aligned(std::size_t value, std::size_t align) {
  while (value % align != 0)
    ++value;
  return value;
}

} // namespace

TEST(ElementTypes, FieldsLieAsInC) {
  std::mt19937 random(1);
  auto below = [&](std::size_t count) { return random() % count; };
  std::vector<ElementType> types(std::begin(scalars), std::end(scalars));
  for (int round = 0; round < 500; ++round) {
    std::vector<ElementType::Field> fields;
    std::size_t end = 0, align = 1, parts = 1;
    std::vector<std::size_t> offsets;
    for (std::size_t i = 0, count = 1 + below(5); i < count; ++i) {
      const ElementType &type = types[below(types.size())];
      std::string name = "f";
      name += std::to_string(i);
      fields.push_back({name, type});
      offsets.push_back(aligned(end, type.align()));
      end = offsets.back() + type.size();
      align = std::max(align, type.align());
      parts += type.parts();
    }
    const ElementType made = ElementType::structure("S", fields);
    ASSERT_EQ(made.align(), align);
    ASSERT_EQ(made.size(), aligned(end, align));
    ASSERT_EQ(made.parts(), parts);
    for (std::size_t i = 0; i < offsets.size(); ++i)
      ASSERT_EQ(made.fields()[i].offset, offsets[i]) << i;
    EXPECT_TRUE(made == ElementType::structure("Other", fields));
    fields.back().name = "other";
    EXPECT_FALSE(made == ElementType::structure("S", fields));
    const auto length = static_cast<std::int64_t>(1 + below(4));
    const ElementType array = ElementType::array(made, length);
    ASSERT_EQ(array.size(), made.size() * static_cast<std::size_t>(length));
    ASSERT_EQ(array.align(), align);
    if (types.size() < 40 && made.parts() < 30) {
      types.push_back(made);
      types.push_back(array);
    }
  }
}

TEST(ElementTypes, TakeTheSameBytesForTheSameMeaning) {
  std::vector<ElementType> types(std::begin(scalars), std::end(scalars));
  const ElementType choice = ElementType::enumeration("E", {{"A", 0}, {"B", 1}});
  const ElementType vector = ElementType::vector(ScalarType::F32, 4);
  const ElementType lanes = ElementType::array(ScalarType::F32, 4);
  const ElementType pair = ElementType::structure("P", {{"x", ScalarType::F32}, {"y", lanes}});
  for (const ElementType &type : {choice, vector, lanes, pair})
    types.push_back(type);
  for (const ElementType &type : types)
    for (const ElementType &given : types) {
      const bool isNumber = type == choice && given == ElementType(ScalarType::I32);
      const bool isLanes = type == vector && given == lanes;
      EXPECT_EQ(type.takes(given), type == given || isNumber || isLanes)
          << type.str() << " " << given.str();
    }
  for (const ElementType &type : types)
    for (std::size_t size : {type.size() - 1, type.size(), type.size() + 1})
      for (std::size_t align : {type.align(), 2 * type.align()}) {
        if (size == 0)
          continue;
        const bool isComposed = type == vector || type == lanes || type == pair;
        EXPECT_EQ(type.takes(ElementType::opaque(size, align)),
                  isComposed && size == type.size() && align == type.align())
            << type.str() << " " << size << " " << align;
      }
  EXPECT_FALSE(vector.takes(ElementType::array(ScalarType::F32, 3)));
  EXPECT_FALSE(vector.takes(ElementType::array(ScalarType::I32, 4)));
  EXPECT_FALSE(lanes.takes(vector));
}
