// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/runtime/Thrown.h"

#include <spl/Module.h>

#include <cstddef>

using namespace spl;
using spl::test::textOf;
using spl::test::thrownBy;

TEST(Signature, SaysWhereMalformedTextGoesWrong) {
  const Error error = thrownBy([] { Signature::parse("k(a: f31)"); });
  EXPECT_EQ(error.code(), ErrorCode::InvalidImage);
  EXPECT_EQ(error.message(),
            "the kernel signature 'k(a: f31)' is malformed: a type was expected at column 6");
  EXPECT_EQ(thrownBy([] { (void)HostKernel{"k(", nullptr}; }).code(), ErrorCode::InvalidImage);
}

TEST(Signature, IsWhatTheCompilerMade) {
  const spl::abi::Signature made{.name = "k", .parameters = {{"a", {ScalarType::F32, 1, true}}}};
  const Signature signature(made);
  EXPECT_EQ(signature.str(), "k(a: &mut [f32])");
  EXPECT_EQ(signature.indexOf("a"), 0u);
  EXPECT_EQ(signature.indexOf("b"), std::nullopt);
  EXPECT_EQ(signature.launchContract(), nullptr);
}

TEST(Signature, KnowsEveryScalarType) {
  for (const char *name : {"bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "f16",
                           "bf16", "f32", "f64"}) {
    std::optional<ScalarType> type = scalarTypeNamed(name);
    ASSERT_TRUE(type) << name;
    EXPECT_EQ(toString(*type), name);
  }
  EXPECT_EQ(sizeOf(ScalarType::Bool), 1u);
  EXPECT_EQ(sizeOf(ScalarType::I16), 2u);
  EXPECT_EQ(sizeOf(ScalarType::F64), 8u);
  EXPECT_EQ(scalarTypeOf<long>(), ScalarType::I64);
  EXPECT_EQ(scalarTypeOf<long long>(), ScalarType::I64);
  EXPECT_EQ(scalarTypeOf<unsigned short>(), ScalarType::U16);
  EXPECT_EQ(scalarTypeOf<signed char>(), ScalarType::I8);
}

TEST(Signature, LaysStructsOutAsCDoes) {
  struct Inner {
    std::uint8_t a;
    double b;
  };
  struct alignas(16) Outer {
    std::int16_t flags[3];
    std::int32_t level;
    float pos[4] __attribute__((aligned(16)));
    Inner inner[2];
    bool last;
  };
  const Signature signature = Signature::parse(
      "struct Inner(a: u8, b: f64) enum Level(Low = 0) struct Outer(flags: [i16; 3], level: Level, "
      "pos: f32x4, inner: [Inner; 2], last: bool) k(o: &mut [Outer])");
  const ElementType outer = signature.parameters()[0].type.element;
  EXPECT_EQ(outer.size(), sizeof(Outer));
  EXPECT_EQ(outer.align(), alignof(Outer));
  ASSERT_EQ(outer.fields().size(), 5u);
  EXPECT_EQ(outer.fields()[1].offset, offsetof(Outer, level));
  EXPECT_EQ(outer.fields()[2].offset, offsetof(Outer, pos));
  EXPECT_EQ(outer.fields()[3].offset, offsetof(Outer, inner));
  EXPECT_EQ(outer.fields()[4].offset, offsetof(Outer, last));
  const ElementType inner = outer.fields()[3].type.element();
  EXPECT_EQ(inner.fields()[1].offset, offsetof(Inner, b));
  EXPECT_EQ(outer.fields()[1].type.members()[0].name, "Low");
  EXPECT_TRUE(outer.takes(elementTypeOf<Outer>()));
  EXPECT_FALSE(outer.takes(elementTypeOf<Inner>()));
}

TEST(Signature, ShowsControlBytesAndLongTextReadably) {
  EXPECT_EQ(textOf([] { Signature::parse(std::string_view("k\0(\n", 4)); }),
            "the kernel signature 'k\\x00(\\x0a' is malformed: '(' was expected at column 2");
  std::string message = textOf([] { Signature::parse(std::string(1 << 20, '(')); });
  EXPECT_LT(message.size(), 300u);
}
