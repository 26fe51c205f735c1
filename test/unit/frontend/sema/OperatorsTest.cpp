// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What every operator says of every type.
#include "CheckedSource.h"
#include "gtest/gtest.h"

using spl::test::CheckedSource;

namespace {

const char *const integers[] = {"i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64"};
const char *const floats[] = {"f16", "bf16", "f32", "f64"};
const char *const operators[] = {"+",  "-",  "*",  "/",  "%", "&",  "|", "^",
                                 "<<", ">>", "==", "!=", "<", "<=", ">", ">="};

std::string messagesOf(const std::string &type, const std::string &value) {
  return CheckedSource("fn test(x: " + type + ", y: " + type + "):\n    val _r = " + value + "\n")
      .messages();
}

} // namespace

TEST(Operators, AZeroIsAnErrorForDivisionsOfIntegersAlone) {
  for (const char *op : operators)
    for (bool isFloat : {false, true})
      for (const char *type : isFloat ? llvm::ArrayRef<const char *>(floats) : integers)
        for (const char *zero : {"0", "1"})
          for (bool isLeft : {false, true}) {
            const llvm::StringRef name = op;
            if (isFloat && llvm::StringRef("&|^<<>>").contains(name) && name != "<" && name != ">")
              continue;
            const std::string value =
                isLeft ? std::string(zero) + " " + op + " x" : "x " + std::string(op) + " " + zero;
            const bool isError =
                !isFloat && !isLeft && zero[0] == '0' && (name == "/" || name == "%");
            const std::string messages = messagesOf(type, value);
            EXPECT_EQ(messages.find("division-by-zero") != std::string::npos, isError)
                << type << ": " << value << ": " << messages;
          }
}

TEST(Operators, OperandsAreOfOneTypeOrWiden) {
  for (const char *a : {"i32", "i64", "u32", "f32", "f64"})
    for (const char *b : {"i32", "i64", "u32", "f32", "f64"})
      for (const char *op : {"+", "-", "*", "==", "<"}) {
        const std::string messages = CheckedSource(std::string("fn test(x: ") + a + ", y: " + b +
                                                   "):\n    val _r = x " + op + " y\n")
                                         .messages();
        const llvm::StringRef one = a, other = b;
        const bool widens =
            a[0] != 'f' && b[0] != 'f' && (one == "i64" || other == "i64"); // from i32 or u32
        EXPECT_EQ(messages.empty(), widens || one == other) << a << op << b << ": " << messages;
      }
}

// One wrong operand is one error, wherever it is in a chain.
TEST(Operators, AWrongOperandOfAChainIsReportedOnce) {
  for (const char *value : {"$ < x < y", "x < $ < y", "x < y < $", "1 < $ < x", "x < $ < 2",
                            "$ < 1 < 2", "$ == x", "x + $", "$ + x", "-$", "$ << x", "x << $"})
    for (const char *type : {"i32", "i64"}) {
      std::string text = value;
      text.replace(text.find('$'), 1, "missing");
      const std::string messages = messagesOf(type, text);
      EXPECT_TRUE(llvm::StringRef(messages).count(',') == 0 && !messages.empty())
          << text << ": " << messages;
    }
}
