// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests the project's own math functions on the host: special values, values that are hard to round
// or to reduce, and that each lane of a vector has the bits of the scalar function. measure-math
// measures their errors.
#include "codegen/OwnMath.h"
#include "codegen/LlvmBackend.h"
#include "test/unit/codegen/Harness.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <random>

namespace spl::test {
namespace {

unsigned operandsOf(llvm::StringRef name) { return name == "pow" ? 2 : 1; }

/// A function that loads its operands, one after the other, and stores its result.
std::string wrapper(llvm::StringRef name, bool isDouble, unsigned lanes) {
  std::string type = isDouble ? "double" : "float";
  if (lanes != 1)
    type = "<" + std::to_string(lanes) + " x " + type + ">";
  const std::string symbol = codegen::ownMathSymbol(name, isDouble, lanes);
  std::string types, loads, operands;
  for (unsigned i = 0; i != operandsOf(name); ++i) {
    const std::string number = std::to_string(i), comma = i == 0 ? "" : ", ";
    types += comma + type;
    operands += comma + type + " %x" + number;
    loads += "  %p" + number + " = getelementptr " + type + ", ptr %in, i64 " + number + "\n  %x" +
             number + " = load " + type + ", ptr %p" + number + ", align 4\n";
  }
  return "declare " + type + " @" + symbol + "(" + types + ")\ndefine void @call_" + symbol +
         "(ptr %in, ptr %out) {\n" + loads + "  %y = call " + type + " @" + symbol + "(" +
         operands + ")\n  store " + type + " %y, ptr %out, align 4\n  ret void\n}\n";
}

class OwnMath : public testing::Test {
protected:
  static void SetUpTestSuite() {
    const codegen::Options options = optionsFor("cpu");
    std::string text;
    for (llvm::StringRef name : codegen::ownMathFunctions())
      for (bool isDouble : {false, true})
        for (unsigned lanes : {1, 2, 4, 8, 16})
          if (lanes == 1 ||
              (lanes * (isDouble ? 64 : 32) >= 128 && lanes * (isDouble ? 64 : 32) <= 512))
            text += wrapper(name, isDouble, lanes);
    codegen::LlvmModule module{std::make_unique<llvm::LLVMContext>(), nullptr};
    llvm::SMDiagnostic error;
    module.module = llvm::parseAssemblyString(text, error, *module.context);
    ASSERT_TRUE(module.module != nullptr) << error.getMessage().str();
    const codegen::MachineKey key = options.target->llvmBackend(options)->machine();
    llvm::TargetMachine *machine = llvm::cantFail(codegen::machineFor(key));
    module.module->setTargetTriple(machine->getTargetTriple());
    module.module->setDataLayout(machine->createDataLayout());
    llvm::cantFail(codegen::linkOwnMath(*module.module));
    for (llvm::Function &function : *module.module) {
      function.addFnAttr("target-cpu", key.cpu);
      function.addFnAttr("target-features", key.features);
    }
    code = new HostCode(std::move(module), options);
  }
  static void TearDownTestSuite() {
    delete code;
    code = nullptr;
  }

  template <class T> static void call(llvm::StringRef name, unsigned lanes, const T *in, T *out) {
    const std::string symbol = "call_" + codegen::ownMathSymbol(name, sizeof(T) == 8, lanes);
    reinterpret_cast<void (*)(const T *, T *)>(code->symbol(symbol))(in, out);
  }
  template <class T> static T value(llvm::StringRef name, T x) {
    T result;
    call(name, 1, &x, &result);
    return result;
  }
  template <class T> static T power(T x, T y) {
    const T operands[] = {x, y};
    T result;
    call("pow", 1, operands, &result);
    return result;
  }

  static inline HostCode *code;
};

template <class T> using Bits = std::conditional_t<sizeof(T) == 4, uint32_t, uint64_t>;
template <class T> bool isSame(T a, T b) {
  return (std::isnan(a) && std::isnan(b)) || std::bit_cast<Bits<T>>(a) == std::bit_cast<Bits<T>>(b);
}

constexpr double infinity = std::numeric_limits<double>::infinity();
const double nan = std::nan("");

struct Special {
  const char *function;
  double x, result;
};

} // namespace

// The results that Annex F of C99 asks for, and the ends of the domains.
TEST_F(OwnMath, SpecialValues) {
  const Special rows[] = {
      {"exp", 0.0, 1.0},
      {"exp", -0.0, 1.0},
      {"exp", -infinity, 0.0},
      {"exp", infinity, infinity},
      {"exp", nan, nan},
      {"exp", -nan, nan},
      {"exp", 1e30, infinity},
      {"exp", -1e30, 0.0},
      {"exp", 800, infinity},
      {"exp", -800, 0.0},
      {"log", 1.0, 0.0},
      {"log", 0.0, -infinity},
      {"log", -0.0, -infinity},
      {"log", -1.0, nan},
      {"log", -infinity, nan},
      {"log", infinity, infinity},
      {"log", nan, nan},
      {"log", -nan, nan},
      {"log", -1e-45, nan},
      {"log", -1e30, nan},
      {"sin", 0.0, 0.0},
      {"sin", -0.0, -0.0},
      {"sin", infinity, nan},
      {"sin", -infinity, nan},
      {"sin", nan, nan},
      {"sin", 0x1p-149, 0x1p-149},
      {"sin", -0x1p-149, -0x1p-149},
      {"cos", 0.0, 1.0},
      {"cos", -0.0, 1.0},
      {"cos", infinity, nan},
      {"cos", -infinity, nan},
      {"cos", nan, nan},
      {"cos", 0x1p-149, 1.0},
      {"erfc", 0.0, 1.0},
      {"erfc", -0.0, 1.0},
      {"erfc", infinity, 0.0},
      {"erfc", -infinity, 2.0},
      {"erfc", nan, nan},
      {"erfc", -nan, nan},
      {"tanh", 0.0, 0.0},
      {"tanh", -0.0, -0.0},
      {"tanh", infinity, 1.0},
      {"tanh", -infinity, -1.0},
      {"tanh", nan, nan},
      {"tanh", -nan, nan},
      {"tanh", 0x1p-149, 0x1p-149},
      {"tanh", -0x1p-130, -0x1p-130},
      {"tanh", 30, 1.0},
      {"tanh", -1e30, -1.0},
      {"erf", 0.0, 0.0},
      {"erf", -0.0, -0.0},
      {"erf", infinity, 1.0},
      {"erf", -infinity, -1.0},
      {"erf", nan, nan},
      {"erf", -nan, nan},
      {"erf", 30, 1.0},
      {"erf", -1e30, -1.0},
      {"erfc", 30, 0.0},
      {"erfc", -30, 2.0},
      {"erfc", 1e30, 0.0},
  };
  for (const Special &row : rows) {
    EXPECT_PRED2(isSame<double>, value(row.function, row.x), row.result)
        << row.function << "(" << row.x << ")";
    EXPECT_PRED2(isSame<float>, value(row.function, float(row.x)), float(row.result))
        << row.function << "(" << row.x << "f)";
  }
}

TEST_F(OwnMath, TheLastFiniteAndTheFirstSubnormalResult) {
  EXPECT_EQ(value("exp", 0x1.62e42ep+6f), 0x1.ffff08p+127f);
  EXPECT_EQ(value("exp", 0x1.62e430p+6f), float(infinity));
  EXPECT_EQ(value("exp", -0x1.9fe368p+6f), 0x1p-149f);
  EXPECT_EQ(value("exp", -0x1.9fe36ap+6f), 0.0f);
  EXPECT_EQ(value("exp", 0x1.62e42fefa39efp+9), 0x1.fffffffffff2ap+1023);
  EXPECT_EQ(value("exp", 0x1.62e42fefa39f0p+9), infinity);
  EXPECT_EQ(value("exp", -0x1.74910d52d3051p+9), 0x1p-1074);
  EXPECT_EQ(value("exp", -0x1.74910d52d3052p+9), 0.0);
  EXPECT_NEAR(value("log", 0x1p-1074), -0x1.74385446d71c3p+9, 0x1p-43);
  EXPECT_NEAR(value("log", 0x1p-149f), -0x1.9d1dap+6f, 0x1p-16f);
}

// The numbers that are the nearest to a multiple of pi / 2 (Muller, Elementary Functions,
// 2016, 11.3.2).
TEST_F(OwnMath, SinesNextToTheirZeroes) {
  const double hardest = 6381956970095103 * 0x1p+797;
  EXPECT_NEAR(value("cos", hardest) / -4.68716592425462761112e-19, 1, 0x1p-51);
  EXPECT_EQ(value("sin", hardest), 1.0);
  EXPECT_NEAR(value("sin", 0x1.921fb54442d18p+1) / 0x1.1a62633145c07p-53, 1, 0x1p-51);
  EXPECT_NEAR(value("sin", 0x1.fffffffffffffp+1023) / 0.00496195478918406090, 1, 0x1p-51);
  EXPECT_NEAR(value("cos", 0x1.fffffffffffffp+1023) / -0.99998768942655991, 1, 0x1p-51);
  EXPECT_NEAR(value("sin", 0x1.fffffep+127f) / -0.52187652f, 1, 0x1p-22);
}

// The results of pow that Annex F of C99 asks for.
TEST_F(OwnMath, SpecialPowers) {
  const double any[] = {0.0, -0.0, 1.0, -1.0, 0.5, -2.5, 1e30, -1e-30, infinity, -infinity, nan};
  auto expect = [](double x, double y, double result) {
    EXPECT_PRED2(isSame<double>, power(x, y), result) << x << " ** " << y;
    EXPECT_PRED2(isSame<float>, power(float(x), float(y)), float(result)) << x << "f ** " << y;
  };
  for (double x : any) {
    expect(x, 0.0, 1);
    expect(x, -0.0, 1);
    expect(1, x, 1);
    if (x != 1)
      expect(nan, x == 0 ? nan : x, nan);
  }
  const double zeroes[] = {0.0, -0.0}, ones[] = {1.0, -1.0};
  for (double sign : ones) {
    const double zero = sign * 0.0, infinite = sign * infinity;
    for (double odd : {1.0, 3.0, 101.0}) {
      expect(zero, -odd, infinite);
      expect(zero, odd, zero);
      expect(infinite, odd, infinite);
      expect(infinite, -odd, zero);
    }
    for (double other : {2.0, 0.5, 2.5, 1e30, infinity}) {
      expect(zero, -other, infinity);
      expect(zero, other, 0);
      expect(infinite, other, infinity);
      expect(infinite, -other, 0);
    }
    expect(sign, infinity, 1);
    expect(sign, -infinity, 1);
    expect(sign * 0.5, infinity, 0);
    expect(sign * 0.5, -infinity, infinity);
    expect(sign * 1.5, infinity, infinity);
    expect(sign * 1.5, -infinity, 0);
    expect(sign * 2, 1e30, infinity);
    expect(sign * 2, -1e30, 0);
    expect(sign * 2, 10, 1024);
    expect(sign * 2, 11, sign * 2048);
    expect(sign * 2, -3, sign * 0.125);
  }
  for (double zero : zeroes)
    expect(zero, nan, nan);
  for (double fraction : {0.5, -2.5, 1e-30})
    expect(-2, fraction, nan);
  // Every number from 2^24 or 2^53 on is an even integer.
  EXPECT_EQ(power(-1.0f, 0x1p+24f), 1.0f);
  EXPECT_EQ(power(-1.0f, 0x1.fffffep+23f), -1.0f);
  EXPECT_EQ(power(-1.0, 0x1p+53), 1.0);
  EXPECT_EQ(power(-1.0, 0x1.fffffffffffffp+52), -1.0);
  EXPECT_EQ(power(2.0, -1074.0), 0x1p-1074);
  EXPECT_EQ(power(2.0, 1023.0), 0x1p+1023);
  EXPECT_EQ(power(2.0f, -149.0f), 0x1p-149f);
}

// Each lane has the bits of the scalar function, so a result does not depend on vectorisation.
template <class T> static void compareLanes(auto call, llvm::StringRef name) {
  std::mt19937_64 random(11);
  const unsigned operands = operandsOf(name);
  for (unsigned lanes = 16 / sizeof(T); lanes <= 64 / sizeof(T); lanes *= 2)
    for (int round = 0; round != 3000; ++round) {
      T in[32], out[16];
      for (unsigned at = 0; at != operands * lanes; ++at) {
        const uint64_t bits = random();
        in[at] = round % 2 ? std::bit_cast<T>(Bits<T>(bits)) : T(double(int64_t(bits)) * 0x1p-59);
      }
      call(name, lanes, in, out);
      for (unsigned lane = 0; lane != lanes; ++lane) {
        const T own[] = {in[lane], in[operands == 2 ? lanes + lane : lane]};
        T scalar;
        call(name, 1, own, &scalar);
        ASSERT_PRED2(isSame<T>, out[lane], scalar) << name.str() << "(" << own[0] << ", " << own[1]
                                                   << ") in lane " << lane << " of " << lanes;
      }
    }
}

TEST_F(OwnMath, VectorsHaveTheBitsOfScalars) {
  for (llvm::StringRef name : codegen::ownMathFunctions()) {
    compareLanes<float>([](auto... arguments) { call(arguments...); }, name);
    compareLanes<double>([](auto... arguments) { call(arguments...); }, name);
  }
}

} // namespace spl::test
