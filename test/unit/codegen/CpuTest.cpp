// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/unit/codegen/Harness.h"
#include <cmath>
#include <gtest/gtest.h>
#include <numeric>

namespace spl::test {
namespace {

constexpr float untouched = -7;

/// Runs vector_add on the slices. There are enough groups for the longest slice.
std::unique_ptr<Fault> add(HostCode &code, std::vector<float> &a, std::vector<float> &b,
                           std::vector<float> &out, int64_t extent, int64_t localSize = 256) {
  float *pointers[] = {a.data(), b.data(), out.data()};
  int64_t extents[] = {int64_t(a.size()), int64_t(b.size()), extent};
  std::vector<void *> params;
  for (int i = 0; i < 3; ++i)
    params.insert(params.end(), {&pointers[i], &extents[i]});
  int64_t groups = std::max<int64_t>(1, (extent + localSize - 1) / localSize);
  return code.run("vector_add", params, groups, localSize);
}

std::vector<float> ramp(size_t size, float start, float step) {
  std::vector<float> values(size);
  for (size_t i = 0; i < size; ++i)
    values[i] = start + step * float(i);
  return values;
}

class Levels : public testing::TestWithParam<std::tuple<unsigned, const char *>> {
protected:
  codegen::Options options() const {
    codegen::Options options = optionsFor("cpu");
    options.optLevel = std::get<0>(GetParam());
    options.checks = llvm::cantFail(mir::CheckKinds::parse(std::get<1>(GetParam())));
    return options;
  }
};

INSTANTIATE_TEST_SUITE_P(Cpu, Levels,
                         testing::Combine(testing::Values(0u, 1u, 2u, 3u),
                                          testing::Values("all", "none")));

TEST_P(Levels, VectorAddOfEverySize) {
  HostCode code(vectorAdd, options());
  for (int64_t size : {0, 1, 31, 33, 255, 256, 257, 1023, 1025, 1000003}) {
    std::vector<float> a = ramp(size, 1, 0.5), b = ramp(size, -3, 0.25);
    // The elements beyond the extent must stay untouched.
    std::vector<float> out(size + 300, untouched);
    EXPECT_EQ(add(code, a, b, out, size), nullptr) << size;
    for (int64_t i = 0; i < size; ++i)
      ASSERT_EQ(out[i], float(1 + 0.5f * float(i)) + float(-3 + 0.25f * float(i))) << i;
    for (int64_t i = size; i < size + 300; ++i)
      ASSERT_EQ(out[i], untouched) << i;
  }
}

TEST_P(Levels, SaxpyRoundsOnce) {
  HostCode code(saxpy, options());
  float alpha = 1.1f;
  std::vector<float> x = ramp(1025, 0.1f, 0.37f), y = ramp(1025, -55, 0.77f), before = y;
  float *px = x.data(), *py = y.data();
  int64_t size = 1025;
  EXPECT_EQ(code.run("saxpy", {&alpha, &px, &size, &py, &size}, 5, 256), nullptr);
  for (int64_t i = 0; i < size; ++i)
    ASSERT_EQ(y[i], std::fma(alpha, x[i], before[i])) << i;
}

TEST(Cpu, GroupsOfOneShareRunAndNoOthers) {
  HostCode code(vectorAdd, optionsFor("cpu"));
  std::vector<float> a = ramp(1024, 0, 1), b = ramp(1024, 0, 1), out(1024, untouched);
  float *pointers[] = {a.data(), b.data(), out.data()};
  int64_t extent = 1024;
  std::vector<void *> params{&pointers[0], &extent, &pointers[1], &extent, &pointers[2], &extent};
  spl_cpu_launch launch{{16, 1, 1}, {64, 1, 1}, nullptr, 0};
  EXPECT_EQ(code.run("vector_add", params, launch, 3, 5), nullptr);
  EXPECT_EQ(code.run("vector_add", params, launch, 7, 7), nullptr); // an empty range of groups
  for (int64_t i = 0; i < 1024; ++i)
    ASSERT_EQ(out[i], i >= 3 * 64 && i < 5 * 64 ? 2 * float(i) : untouched) << i;
}

TEST(Cpu, AFaultNamesKindPlaceSubjectAndWorkItem) {
  HostCode code(vectorAdd, optionsFor("cpu"));
  std::vector<float> a = ramp(277, 0, 1), b = ramp(1000, 0, 1), out(1000, untouched);
  std::unique_ptr<Fault> fault = add(code, a, b, out, 1000);
  ASSERT_NE(fault, nullptr);
  EXPECT_EQ(fault->site.kind, SPL_FAULT_IndexOutOfBounds);
  EXPECT_STREQ(fault->site.subject, "a");
  EXPECT_STREQ(fault->site.file, "test.spl");
  EXPECT_EQ(fault->site.line, 9);
  EXPECT_EQ(fault->value, 277);
  EXPECT_EQ(fault->bound, 277);
  EXPECT_EQ(fault->workItem[0], 277);
  EXPECT_EQ(fault->workItem[1], 0);
  EXPECT_EQ(fault->workItem[2], 0);
  for (int64_t i = 0; i < 277; ++i)
    ASSERT_EQ(out[i], 2 * float(i)) << i;
}

TEST(Cpu, EmptySlicesMayBeNull) {
  HostCode code(vectorAdd, optionsFor("cpu"));
  std::vector<float> none, out(4, untouched);
  EXPECT_EQ(add(code, none, none, out, 0), nullptr);
  EXPECT_NE(add(code, none, none, out, 4), nullptr);
}

const char *const ids = R"mlir(
spl.kernel @ids(%out: !spl.slice<i64, mut>)
    attributes {signature = #spl.signature<"ids(out: &mut [i64])">} {
  %x = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %y = spl.intrinsic "gpu.global_id" axis 1 : () -> i64
  %z = spl.intrinsic "gpu.global_id" axis 2 : () -> i64
  %w = spl.intrinsic "gpu.global_size" axis 0 : () -> i64
  %h = spl.intrinsic "gpu.global_size" axis 1 : () -> i64
  %lx = spl.intrinsic "gpu.local_id" axis 0 : () -> i64
  %gy = spl.intrinsic "gpu.group_id" axis 1 : () -> i64
  %0 = arith.muli %z, %h : i64
  %1 = arith.addi %0, %y : i64
  %2 = arith.muli %1, %w : i64
  %flat = arith.addi %2, %x : i64
  %c1000 = arith.constant 1000 : i64
  %3 = arith.muli %flat, %c1000 : i64
  %c10 = arith.constant 10 : i64
  %4 = arith.muli %lx, %c10 : i64
  %5 = arith.addi %3, %4 : i64
  %value = arith.addi %5, %gy : i64
  spl.store %value, %out[%flat] : !spl.slice<i64, mut>
  spl.return
}
)mlir";

TEST_P(Levels, IdsAndSizesOnThreeAxes) {
  HostCode code(ids, options());
  spl_cpu_launch launch{{3, 2, 2}, {5, 3, 2}, nullptr, 0};
  int64_t width = 15, height = 6, depth = 4, size = width * height * depth;
  std::vector<int64_t> out(size, -1);
  int64_t *pointer = out.data();
  EXPECT_EQ(code.run("ids", {&pointer, &size}, launch, 0, 12), nullptr);
  for (int64_t i = 0; i < size; ++i)
    ASSERT_EQ(out[i], i * 1000 + i % width % 5 * 10 + i / width % height / 3) << i;
}

// The functions are too large to be inlined. Their calls pass on the values that describe the
// work-item.
std::string deepCalls(unsigned depth) {
  std::string text = R"mlir(
spl.func private @f0(%a: !spl.slice<f32> {spl.name = "a"}, %i: i64 {spl.name = "i"}) -> f32 {
  %v = spl.load %a[%i] : !spl.slice<f32>
  %y = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %f = arith.sitofp %y : i64 to f32
  %r = arith.addf %v, %f : f32
  spl.return %r : f32
}
)mlir";
  for (unsigned i = 1; i <= depth; ++i) {
    std::string callee = "f" + std::to_string(i - 1);
    text += "spl.func private @f" + std::to_string(i) +
            "(%a: !spl.slice<f32> {spl.name = \"a\"}, %i: i64 {spl.name = \"i\"}) -> f32 {\n"
            "  %v = spl.call @" +
            callee +
            "(%a, %i) : (!spl.slice<f32>, i64) -> f32\n"
            "  spl.return %v : f32\n}\n";
  }
  text += "spl.kernel @deep(%a: !spl.slice<f32> {spl.name = \"a\"}, %o: !spl.slice<f32, mut> "
          "{spl.name = \"o\"}) attributes {signature = #spl.signature<\"deep()\">} {\n"
          "  %i = spl.intrinsic \"gpu.global_id\" axis 0 : () -> i64\n"
          "  %v = spl.call @f" +
          std::to_string(depth) +
          "(%a, %i) : (!spl.slice<f32>, i64) -> f32\n"
          "  spl.store %v, %o[%i] : !spl.slice<f32, mut>\n  spl.return\n}\n";
  return text;
}

TEST_P(Levels, CallsThatAreNotInlinedWork) {
  HostCode code(deepCalls(150), options());
  std::vector<float> a = ramp(64, 100, 1), out(64, untouched);
  float *pa = a.data(), *po = out.data();
  int64_t size = 64, shorter = 40;
  EXPECT_EQ(code.run("deep", {&pa, &size, &po, &size}, 4, 16), nullptr);
  for (int64_t i = 0; i < 64; ++i)
    ASSERT_EQ(out[i], 100 + 2 * float(i));
  if (options().checks == mir::CheckKinds::none())
    return;
  std::unique_ptr<Fault> fault = code.run("deep", {&pa, &shorter, &po, &size}, 4, 16);
  ASSERT_NE(fault, nullptr);
  EXPECT_EQ(fault->value, 40);
  EXPECT_EQ(fault->workItem[0], 40);
}

const char *const choices = R"mlir(
spl.func private @pick(%a: !spl.slice<i1> {spl.name = "a"}, %b: !spl.slice<i1> {spl.name = "b"},
                       %c: i1 {spl.name = "c"}) -> !spl.slice<i1> {
  %r = arith.select %c, %a, %b : !spl.slice<i1>
  spl.return %r : !spl.slice<i1>
}
spl.kernel @choices(%a: !spl.slice<i1> {spl.name = "a"}, %b: !spl.slice<i1> {spl.name = "b"},
                    %c: i1 {spl.name = "c"}, %o: !spl.slice<i1, mut> {spl.name = "o"})
    attributes {signature = #spl.signature<"choices()">} {
  %i = spl.intrinsic "gpu.global_id" axis 0 : () -> i64
  %s = spl.call @pick(%a, %b, %c) : (!spl.slice<i1>, !spl.slice<i1>, i1) -> !spl.slice<i1>
  %t = scf.if %c -> !spl.slice<i1> {
    scf.yield %s : !spl.slice<i1>
  } else {
    %v = spl.read_only %o : !spl.slice<i1, mut> -> !spl.slice<i1>
    scf.yield %v : !spl.slice<i1>
  }
  %x = spl.load %s[%i] : !spl.slice<i1>
  %y = spl.load %t[%i] : !spl.slice<i1>
  %r = arith.xori %x, %y : i1
  spl.store %r, %o[%i] : !spl.slice<i1, mut>
  spl.return
}
)mlir";

TEST_P(Levels, BoolsAreBytesAndSlicesAreChosenWhole) {
  HostCode code(choices, options());
  uint8_t a[] = {1, 0, 1, 0}, b[] = {1, 1, 0, 0}, out[] = {0, 1, 255, 0}, condition = 0;
  uint8_t *pa = a, *pb = b, *po = out;
  int64_t size = 4;
  EXPECT_EQ(code.run("choices", {&pa, &size, &pb, &size, &condition, &po, &size}, 1, 4), nullptr);
  EXPECT_EQ(std::vector<int>(out, out + 4), (std::vector<int>{1, 0, 1, 0}));
  condition = 1;
  EXPECT_EQ(code.run("choices", {&pa, &size, &pb, &size, &condition, &po, &size}, 1, 4), nullptr);
  EXPECT_EQ(std::vector<int>(out, out + 4), (std::vector<int>{0, 0, 0, 0}));
}

const char *const numbers = R"mlir(
spl.kernel @numbers(%f: !spl.slice<f32>, %i: !spl.slice<i32>, %of: !spl.slice<f32, mut>,
                    %oi: !spl.slice<i32, mut>)
    attributes {signature = #spl.signature<"numbers()">} {
  %c0 = arith.constant 0 : i64
  %c1 = arith.constant 1 : i64
  %c2 = arith.constant 2 : i64
  %c3 = arith.constant 3 : i64
  %x = spl.load %f[%c0] : !spl.slice<f32>
  %y = spl.load %f[%c1] : !spl.slice<f32>
  %k = spl.load %i[%c0] : !spl.slice<i32>
  %min = spl.intrinsic "math.min"(%x, %y) : (f32, f32) -> f32
  %max = spl.intrinsic "math.max"(%x, %y) : (f32, f32) -> f32
  %mod = spl.intrinsic "op.fmod"(%x, %y) : (f32, f32) -> f32
  %exp = spl.intrinsic "math.exp"(%x) : (f32) -> f32
  spl.store %min, %of[%c0] : !spl.slice<f32, mut>
  spl.store %max, %of[%c1] : !spl.slice<f32, mut>
  spl.store %mod, %of[%c2] : !spl.slice<f32, mut>
  spl.store %exp, %of[%c3] : !spl.slice<f32, mut>
  %abs = spl.intrinsic "math.abs"(%k) : (i32) -> i32
  %umax = spl.intrinsic "math.max"(%k, %abs) {isUnsigned} : (i32, i32) -> i32
  %signed = spl.float_to_int %x : f32 to i32
  %unsigned = spl.float_to_int %x {isUnsigned} : f32 to i32
  spl.store %abs, %oi[%c0] : !spl.slice<i32, mut>
  spl.store %umax, %oi[%c1] : !spl.slice<i32, mut>
  spl.store %signed, %oi[%c2] : !spl.slice<i32, mut>
  spl.store %unsigned, %oi[%c3] : !spl.slice<i32, mut>
  spl.return
}
)mlir";

TEST_P(Levels, NumbersAtTheirEdges) {
  HostCode code(numbers, options());
  auto run = [&](float x, float y, int32_t k, std::vector<float> &floats) {
    float in[] = {x, y}, *pf = in, *pof = floats.data();
    std::vector<int32_t> ints(4);
    int32_t *pi = &k, *poi = ints.data();
    int64_t two = 2, one = 1, four = 4;
    EXPECT_EQ(code.run("numbers", {&pf, &two, &pi, &one, &pof, &four, &poi, &four}, 1, 1), nullptr);
    return ints;
  };
  constexpr int32_t least = INT32_MIN, most = INT32_MAX;
  std::vector<float> out(4);
  EXPECT_EQ(run(NAN, 2, least, out), (std::vector<int32_t>{least, least, 0, 0}));
  EXPECT_EQ(out[0], 2);
  EXPECT_EQ(out[1], 2);
  EXPECT_TRUE(std::isnan(out[3]));
  EXPECT_EQ(run(-0.0f, 0.0f, -5, out), (std::vector<int32_t>{5, -5, 0, 0}));
  EXPECT_TRUE(std::signbit(out[0]));
  EXPECT_FALSE(std::signbit(out[1]));
  EXPECT_TRUE(std::isnan(out[2]));
  EXPECT_EQ(run(0.0f, -0.0f, 5, out), (std::vector<int32_t>{5, 5, 0, 0}));
  EXPECT_TRUE(std::signbit(out[0]));
  EXPECT_FALSE(std::signbit(out[1]));
  EXPECT_EQ(run(1e30f, 7, 0, out), (std::vector<int32_t>{0, 0, most, -1}));
  EXPECT_EQ(out[2], std::fmod(1e30f, 7.0f));
  EXPECT_EQ(run(-1e30f, 7, 1, out), (std::vector<int32_t>{1, 1, least, 0}));
  EXPECT_EQ(run(-2.9f, 2, 1, out), (std::vector<int32_t>{1, 1, -2, 0}));
}

TEST(Cpu, LoopsBecomeVectorInstructionsWithChecksAndWithout) {
  struct {
    const char *target, *vector;
  } machines[] = {{"cpu:znver4", "<16 x float>"}, {"cpu:x86-64-v3", "<8 x float>"}};
  for (auto [target, vector] : machines)
    for (const char *checks : {"all", "none"})
      for (const char *kernel : {vectorAdd, saxpy}) {
        codegen::Options options = optionsFor(target);
        options.checks = llvm::cantFail(mir::CheckKinds::parse(checks));
        std::string text = llvmIr(kernel, options);
        EXPECT_TRUE(llvm::StringRef(text).contains("store " + std::string(vector)))
            << target << checks << text;
      }
}

} // namespace
} // namespace spl::test
