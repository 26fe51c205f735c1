// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the checks of a launch's arguments, with the exact texts of their errors. The texts are the
// same on every backend.
#include "test/unit/runtime/Thrown.h"

#include <spl/spl.h>

using namespace spl;
using spl::test::thrownBy;

static int launches = 0;

namespace {

class Arguments : public testing::Test {
protected:
  Arguments() { launches = 0; }

  Kernel kernel(const char *signature) {
    spl_cpu_entry count = [](void *const *, const spl_cpu_launch *, int64_t, int64_t) {
      ++launches;
    };
    return Module::load(context, HostCode{{{signature, count}}, nullptr}).kernels()[0];
  }

  /// The error of a launch of \p signature. Fails the test if the kernel ran.
  template <typename... Args> std::string refusal(const char *signature, Args &&...arguments) {
    Kernel target = kernel(signature);
    Error error = thrownBy(
        [&] { context.launch(target, {.global = {1}}, std::forward<Args>(arguments)...); });
    EXPECT_EQ(launches, 0);
    EXPECT_TRUE(error.code() == ErrorCode::InvalidArgument ||
                error.code() == ErrorCode::OverlappingArguments)
        << toString(error.code());
    return error.what();
  }

  Context context = Context::make(Backend::Cpu);
  Array<float> floats = context.allocZeros<float>(4);
  Array<float> others = context.allocZeros<float>(4);
  Array<double> doubles = context.allocZeros<double>(4);
  Array<float> matrix = context.allocZeros<float>({2, 2});
};

const char *const vectorAdd = "vector_add(a: &[f32], b: &[f32], out: &mut [f32])";
const char *const saxpy = "saxpy(alpha: f32, n: i64, y: &mut [f32])";

const std::string exactType = "; arguments are not converted: pass a value of exactly that type";
const std::string otherShape = "; reshape gives the same elements another shape";

} // namespace

TEST_F(Arguments, ThatFitAreTaken) {
  context.launch(kernel(vectorAdd), {.global = {1}}, floats, floats, others);
  context.launch(kernel(saxpy), {.global = {1}}, 1.5f, std::int64_t{3}, others);
  context.launch(kernel("none()"), {.global = {1}});
  context.launch(kernel("m(m: &[f32, 2])"), {.global = {1}}, matrix);
  EXPECT_EQ(launches, 4);
}

TEST_F(Arguments, MustBeAsManyAsTheParameters) {
  EXPECT_EQ(refusal(vectorAdd, floats, others), "vector_add takes 3 arguments (a, b, out); got 2");
  EXPECT_EQ(refusal("one(x: f32)"), "one takes 1 argument (x); got 0");
  EXPECT_EQ(refusal("none()", 1.0f), "none takes 0 arguments; got 1");
}

TEST_F(Arguments, MustHaveTheParametersType) {
  EXPECT_EQ(refusal(vectorAdd, doubles, floats, others),
            "parameter 'a' of vector_add is &[f32]; got an array of f64");
  EXPECT_EQ(refusal(vectorAdd, floats, 2.0f, others),
            "parameter 'b' of vector_add is &[f32]; got a scalar of type f32");
  EXPECT_EQ(refusal(saxpy, 2.0, std::int64_t{1}, others),
            "parameter 'alpha' of saxpy is f32; got f64" + exactType);
  EXPECT_EQ(refusal(saxpy, 2.0f, 1, others), "parameter 'n' of saxpy is i64; got i32" + exactType);
  EXPECT_EQ(refusal(saxpy, floats, std::int64_t{1}, others),
            "parameter 'alpha' of saxpy is f32; got an array of f32");
  EXPECT_EQ(refusal("flag(f: bool)", std::uint8_t{1}),
            "parameter 'f' of flag is bool; got u8" + exactType);
}

TEST_F(Arguments, MustHaveTheParametersRank) {
  EXPECT_EQ(refusal(vectorAdd, floats, matrix, others),
            "parameter 'b' of vector_add is &[f32]; got an array of f32 of rank 2" + otherShape);
  EXPECT_EQ(refusal("m(m: &mut [f32, 3])", matrix),
            "parameter 'm' of m is &mut [f32, 3]; got an array of f32 of rank 2" + otherShape);
  EXPECT_EQ(refusal("m(m: &[f32, 2])", floats),
            "parameter 'm' of m is &[f32, 2]; got an array of f32 of rank 1" + otherShape);
}

namespace {

struct Pair {
  double first;
  float second;
};
struct Triple {
  float x, y, z;
};
struct alignas(16) Quad {
  float x, y, z, w;
};
enum class Level : std::int32_t { Low, High = 10 };

const char *const aggregates =
    "struct Pair(first: f64, second: f32) enum Level(Low = 0, High = 10) "
    "k(pair: Pair, v: f32x4, level: Level, pairs: &[Pair], vs: &mut [f32x4], m: &[[i16; 3], 2])";

} // namespace

TEST_F(Arguments, OfComposedTypesAreTakenByTheirLayout) {
  auto pairs = context.alloc<Pair>(3);
  auto arrays = context.alloc<std::array<float, 4>>(3);
  auto quads = context.alloc<Quad>(3);
  auto rows = context.alloc<std::array<std::int16_t, 3>>({2, 2});
  const std::array<float, 4> v = {1, 2, 3, 4};
  context.launch(kernel(aggregates), {.global = {1}}, Pair{}, v, Level::High, pairs, arrays, rows);
  context.launch(kernel(aggregates), {.global = {1}}, Pair{}, Quad{}, 10, pairs, quads, rows);
  EXPECT_EQ(launches, 2);
  launches = 0;

  auto refused = [&](auto &&...arguments) { return refusal(aggregates, arguments...); };
  EXPECT_EQ(refused(Triple{}, v, 0, pairs, quads, rows),
            "parameter 'pair' of k is Pair (16 bytes, aligned to 8); got C++ class (12 bytes, "
            "aligned to 4)");
  EXPECT_EQ(refused(1.0, v, 0, pairs, quads, rows), "parameter 'pair' of k is Pair; got f64");
  EXPECT_EQ(refused(quads, v, 0, pairs, quads, rows),
            "parameter 'pair' of k is Pair (16 bytes, aligned to 8); got an array of C++ class (16 "
            "bytes, aligned to 16)");
  EXPECT_EQ(refused(Pair{}, Pair{}, 0, pairs, quads, rows),
            "parameter 'v' of k is f32x4 (16 bytes, aligned to 16); got C++ class (16 bytes, "
            "aligned to 8); declare the class alignas(16)");
  EXPECT_EQ(refused(Pair{}, std::array<float, 2>{}, 0, pairs, quads, rows),
            "parameter 'v' of k is f32x4; got [f32; 2]");
  EXPECT_EQ(refused(Pair{}, std::array<int, 4>{}, 0, pairs, quads, rows),
            "parameter 'v' of k is f32x4; got [i32; 4]");
  EXPECT_EQ(refused(Pair{}, v, std::int64_t{0}, pairs, quads, rows),
            "parameter 'level' of k is Level; got i64");
  EXPECT_EQ(refused(Pair{}, v, 0, quads, quads, rows),
            "parameter 'pairs' of k is &[Pair] (16 bytes, aligned to 8); got an array of C++ class "
            "(16 bytes, aligned to 16)");
  EXPECT_EQ(
      refused(Pair{}, v, 0, Pair{}, quads, rows),
      "parameter 'pairs' of k is &[Pair]; got a value of type C++ class (16 bytes, aligned to "
      "8)");
  EXPECT_EQ(refused(Pair{}, v, 0, pairs, floats, rows),
            "parameter 'vs' of k is &mut [f32x4]; got an array of f32");
  auto row = context.alloc<std::array<std::int16_t, 3>>(4);
  EXPECT_EQ(refused(Pair{}, v, 0, pairs, quads, row),
            "parameter 'm' of k is &[[i16; 3], 2]; got an array of [i16; 3] of rank 1" +
                otherShape);
  Value tooShort(ScalarType::F64, std::vector<std::byte>(4));
  EXPECT_EQ(refused(tooShort, v, 0, pairs, quads, rows),
            "parameter 'pair' of k: the value of f64 has 4 bytes");
}

TEST_F(Arguments, OfStructsAreComparedByFieldsNotByName) {
  auto structOf = [&](const char *signature) {
    return kernel(signature).signature().parameters()[0].type.element;
  };
  const char *const body = "struct Body(x: f32, y: i32) k(b: &[Body])";
  Buffer same = context.allocBuffer(structOf("struct Corps(x: f32, y: i32) k(b: Corps)"), 2);
  Buffer other = context.allocBuffer(structOf("struct Body(x: f32, z: i32) k(b: Body)"), 2);
  context.launch(kernel(body), {.global = {1}}, same);
  EXPECT_EQ(launches, 1);
  launches = 0;
  EXPECT_EQ(refusal(body, other), "parameter 'b' of k is &[Body] of other fields or members; got "
                                  "an array of Body");
}

TEST_F(Arguments, AreLaidOutAsTheirTypesAreAligned) {
  spl_cpu_entry look = [](void *const *params, const spl_cpu_launch *, int64_t, int64_t) {
    for (int i = 0; i < 4; ++i)
      launches += reinterpret_cast<std::uintptr_t>(params[i]) % 16 != 0;
    struct Large {
      double numbers[5];
    };
    const auto &large = *static_cast<const Large *>(params[1]);
    launches += *static_cast<const std::uint8_t *>(params[0]) == 3 && large.numbers[4] == 4.5 &&
                        *static_cast<const float *>(params[2]) == 1.5f &&
                        *static_cast<const std::int64_t *>(params[4]) == 4
                    ? 100
                    : 0;
  };
  Module module = Module::load(
      context, HostCode{{{"k(a: u8, b: [f64; 5], c: f32, d: &[f32])", look}}, nullptr});
  context.launch(module["k"], {.global = {1}}, std::uint8_t{3},
                 std::array<double, 5>{0, 1, 2, 3, 4.5}, 1.5f, floats);
  EXPECT_EQ(launches, 100);
}

TEST_F(Arguments, MustBeMutableWhereTheKernelWrites) {
  const Array<float> &constant = others;
  EXPECT_EQ(refusal(vectorAdd, floats, floats, constant),
            "parameter 'out' of vector_add is &mut [f32]; got a read-only array of f32");
  EXPECT_EQ(refusal(vectorAdd, floats, floats, constant.view(0, 4)),
            "parameter 'out' of vector_add is &mut [f32]; got a read-only array of f32");
  context.launch(kernel(vectorAdd), {.global = {1}}, constant, constant, floats);
  context.launch(kernel(vectorAdd), {.global = {1}}, constant, constant, floats.view(0, 4));
  context.launch(kernel(vectorAdd), {.global = {1}}, constant, constant, context.alloc<float>(4));
  EXPECT_EQ(launches, 3);
}

TEST_F(Arguments, MayShareMemoryOnlyWhereNothingIsWritten) {
  EXPECT_EQ(
      refusal(vectorAdd, floats, others, floats),
      "parameters 'a' and 'out' of vector_add share memory, and 'out' is &mut [f32]; give the "
      "kernel a separate array for what it writes, or write #[alias] before one of the two "
      "parameters");
  EXPECT_EQ(refusal("f(w: &mut [f32], r: &[f32])", floats, floats),
            "parameters 'w' and 'r' of f share memory, and 'w' is &mut [f32]; give the kernel a "
            "separate array for what it writes, or write #[alias] before one of the two "
            "parameters");
  Error error = thrownBy([&] {
    context.launch(kernel("f(v: &mut [f32], w: &mut [f32])"), {.global = {1}}, floats, floats);
  });
  EXPECT_EQ(error.code(), ErrorCode::OverlappingArguments);
  auto empty = context.alloc<float>(0);
  context.launch(kernel(vectorAdd), {.global = {1}}, empty, empty, empty);
  EXPECT_EQ(launches, 1);
}

TEST_F(Arguments, MustStillHaveTheirMemory) {
  Array<float> moved = context.alloc<float>(4), target = std::move(moved);
  EXPECT_EQ(refusal(vectorAdd, floats, moved, others),
            "parameter 'b' of vector_add: the array was moved from or freed");
  target.free();
  target.free();
  EXPECT_EQ(refusal(vectorAdd, target, floats, others),
            "parameter 'a' of vector_add: the array was moved from or freed");
  EXPECT_EQ(target.size(), 0);
  EXPECT_EQ(thrownBy([&] { target.fill(1); }).message(), "fill: the array was moved from or freed");
  EXPECT_EQ(thrownBy([&] { target.download(); }).message(),
            "download: the array was moved from or freed");
  EXPECT_EQ(thrownBy([&] { target.upload({}); }).message(),
            "upload: the array was moved from or freed");
}

TEST_F(Arguments, AreCheckedByNameToo) {
  auto named = [&](std::vector<Argument> arguments) {
    return refusal(saxpy, std::span<const Argument>(arguments));
  };
  Argument alpha("alpha", 1.0f), n("n", std::int64_t{1}), y("y", others);
  EXPECT_EQ(named({alpha, n}), "parameter 'y' of saxpy is not given");
  EXPECT_EQ(named({alpha, n, alpha}), "parameter 'alpha' of saxpy is given twice");
  EXPECT_EQ(
      named({Argument("alhpa", 1.0f), n, y}),
      "saxpy has no parameter 'alhpa'; did you mean 'alpha'?; its parameters are alpha, n and "
      "y");
  EXPECT_EQ(named({Argument("zzzzzz", 1.0f), n, y}),
            "saxpy has no parameter 'zzzzzz'; its parameters are alpha, n and y");
  EXPECT_EQ(refusal("none()", std::span<const Argument>(&n, 1)),
            "none has no parameter 'n'; it takes no arguments");
  EXPECT_EQ(named({Argument(1.0f), n, y}), "launch of saxpy: some arguments have a name and some "
                                           "have not; name all of them or none");
  EXPECT_EQ(named({Argument("alpha", Value(std::uint8_t{1})), n, y}),
            "parameter 'alpha' of saxpy is f32; got u8" + exactType);
  context.launch(kernel(saxpy), {.global = {1}}, y, alpha, n);
  EXPECT_EQ(launches, 1);
}

TEST_F(Arguments, AreCheckedBeforeAnEmptyLaunchSucceeds) {
  EXPECT_EQ(thrownBy([&] { context.launch(kernel(vectorAdd), {.global = {0}}, floats); }).code(),
            ErrorCode::InvalidArgument);
}

TEST_F(Arguments, ABufferBecomesAnArrayOfItsOwnTypeOnly) {
  Buffer buffer = context.allocBuffer(ScalarType::I32, {2, 3});
  EXPECT_EQ(buffer.size(), 6);
  EXPECT_EQ(buffer.sizeBytes(), 24u);
  EXPECT_EQ(thrownBy([&] { Array<float> wrong(std::move(buffer)); }).message(),
            "a buffer of i32 cannot become an array of f32");
  buffer = context.allocBuffer(ScalarType::I32, {2, 3});
  Array<std::int32_t> right(std::move(buffer));
  EXPECT_EQ(right.shape(), (Shape{2, 3}));
  EXPECT_FALSE(buffer.valid());
}

TEST_F(Arguments, AContextThatWasMovedFromSaysSo) {
  Context other = std::move(context);
  EXPECT_EQ(thrownBy([&] { context.sync(); }).message(), "the context was moved from");
  context = std::move(other);
  context.sync();
}
