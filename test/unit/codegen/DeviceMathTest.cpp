// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tests functions of libclc against libm. The bitcode of libclc is portable LLVM IR, so it runs on
// the host.
#include "codegen/targets/nvptx/DeviceMath.h"
#include "codegen/LlvmBackend.h"
#include "test/unit/codegen/Harness.h"
#include "llvm/AsmParser/Parser.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Target/TargetMachine.h"
#include <bit>
#include <cmath>
#include <gtest/gtest.h>
#include <random>

namespace spl::test {
namespace {

using codegen::DeviceMath;
using codegen::MathLibrary;

/// A module with one wrapper for each libclc function that the language uses, such as exp2f for
/// exp2 on f32.
std::string wrappers(const DeviceMath &library) {
  std::string text;
  for (const char *name : {"exp2", "log2", "tan", "atan", "fmod"})
    for (bool isDouble : {false, true}) {
      unsigned arity = llvm::StringRef(name) == "fmod" ? 2 : 1;
      std::string type = isDouble ? "double" : "float";
      std::string parameters = type + " %x" + (arity == 2 ? ", " + type + " %y" : "");
      std::string symbol = library.symbol(name, isDouble, arity);
      std::string own = "device_" + std::string(name) + (isDouble ? "" : "f");
      text += "declare " + type + " @" + symbol + "(" + type + (arity == 2 ? ", " + type : "") +
              ")\ndefine " + type + " @" + own + "(" + parameters + ") {\n  %r = call " + type +
              " @" + symbol + "(" + parameters + ")\n  ret " + type + " %r\n}\n";
    }
  return text;
}

class Libclc : public testing::Test {
protected:
  void SetUp() override {
    llvm::Expected<DeviceMath> library = DeviceMath::find(MathLibrary::Libclc);
    if (!library)
      GTEST_SKIP() << llvm::toString(library.takeError());
    codegen::Options options = optionsFor("cpu");
    codegen::LlvmModule module{std::make_unique<llvm::LLVMContext>(), nullptr};
    llvm::SMDiagnostic error;
    module.module = llvm::parseAssemblyString(wrappers(*library), error, *module.context);
    ASSERT_TRUE(module.module != nullptr);
    llvm::TargetMachine *machine =
        llvm::cantFail(codegen::machineFor(options.target->llvmBackend(options)->machine()));
    module.module->setTargetTriple(machine->getTargetTriple());
    module.module->setDataLayout(machine->createDataLayout());
    if (llvm::Error failed = library->link(*module.module))
      FAIL() << llvm::toString(std::move(failed));
    code = std::make_unique<HostCode>(std::move(module), options);
  }

  template <class Function> Function *get(llvm::StringRef name) {
    return reinterpret_cast<Function *>(code->symbol(name));
  }

  std::unique_ptr<HostCode> code;
};

/// The difference of two values in units of the last place of T at \p want.
template <class T, class Wide> double ulps(T got, Wide want) {
  if (std::isnan(want) || std::isnan(got))
    return std::isnan(want) && std::isnan(got) ? 0 : INFINITY;
  if (got == T(want))
    return 0;
  if (std::isinf(got) || std::isinf(T(want)))
    return INFINITY;
  constexpr bool isFloat = sizeof(T) == 4;
  int exponent;
  std::frexp(want, &exponent);
  Wide unit = std::ldexp(Wide(1), std::max(exponent - (isFloat ? 24 : 53), isFloat ? -149 : -1074));
  return double(std::fabs(Wide(got) - want) / unit);
}

using F32 = float(float);
using F32x2 = float(float, float);
using F64 = double(double);
using F64x2 = double(double, double);

TEST_F(Libclc, FunctionsOfOneF32) {
  struct {
    const char *name;
    double (*reference)(double);
    double limit;
  } rows[] = {{"device_exp2f", std::exp2, 2.5},
              {"device_log2f", std::log2, 1.5},
              {"device_tanf", std::tan, 4.5},
              {"device_atanf", std::atan, 2.5}};
  for (auto [name, reference, limit] : rows) {
    F32 *function = get<F32>(name);
    for (uint64_t bits = 0; bits < uint64_t(1) << 32; bits += 4093) {
      float x = std::bit_cast<float>(uint32_t(bits));
      ASSERT_LE(ulps(function(x), reference(x)), limit) << name << "(" << x << ")";
    }
  }
}

TEST_F(Libclc, Exp2KeepsSubnormals) {
  F32 *function = get<F32>("device_exp2f");
  for (float x = -125; x > -155; x -= 0.001f)
    ASSERT_LE(ulps(function(x), std::exp2(double(x))), 2) << x;
  EXPECT_EQ(function(-INFINITY), 0);
}

TEST_F(Libclc, FmodIsExact) {
  std::mt19937_64 random(7);
  F32x2 *single = get<F32x2>("device_fmodf");
  F64x2 *twice = get<F64x2>("device_fmod");
  for (int i = 0; i < 300000; ++i) {
    float x = std::bit_cast<float>(uint32_t(random())),
          y = std::bit_cast<float>(uint32_t(random()));
    ASSERT_EQ(ulps(single(x, y), double(std::fmod(x, y))), 0) << x << " % " << y;
  }
  for (int i = 0; i < 20000; ++i) {
    double x = std::bit_cast<double>(random()), y = std::bit_cast<double>(random());
    ASSERT_EQ(ulps(twice(x, y), (long double)(std::fmod(x, y))), 0) << x << " % " << y;
  }
}

TEST_F(Libclc, FunctionsOfOneF64) {
  struct {
    const char *name;
    long double (*reference)(long double);
  } rows[] = {{"device_exp2", std::exp2},
              {"device_log2", std::log2},
              {"device_tan", std::tan},
              {"device_atan", std::atan}};
  std::mt19937_64 random(7);
  for (auto [name, reference] : rows) {
    F64 *function = get<F64>(name);
    for (int i = 0; i < 200000; ++i) {
      double any = std::bit_cast<double>(random()), usual = double(int64_t(random())) * 0x1p-56;
      ASSERT_LE(ulps(function(any), reference(any)), 2) << name << "(" << any << ")";
      ASSERT_LE(ulps(function(usual), reference(usual)), 2) << name << "(" << usual << ")";
    }
  }
}

TEST(DeviceMath, SymbolsAreTheLibrarys) {
  DeviceMath libdevice{MathLibrary::Libdevice, ""}, libclc{MathLibrary::Libclc, ""};
  EXPECT_EQ(libdevice.symbol("tan", false, 1), "__nv_tanf");
  EXPECT_EQ(libdevice.symbol("fmod", true, 2), "__nv_fmod");
  EXPECT_EQ(libclc.symbol("tan", false, 1), "_Z3tanf");
  EXPECT_EQ(libclc.symbol("fmod", true, 2), "_Z4fmoddd");
}

} // namespace
} // namespace spl::test
