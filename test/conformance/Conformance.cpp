// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conformance tests of arrays, transfers and launches.
#include "test/conformance/Conformance.h"

#include <array>
#include <cmath>
#include <thread>

using namespace spl;
using namespace spl::test;

namespace {

const std::size_t sizes[] = {0, 1, 31, 33, 1023, 1025, 1000003};

} // namespace

TEST_P(Conformance, AddsVectorsOfEverySize) {
  Module module = load();
  for (std::size_t count : sizes) {
    std::vector<float> a = numbers(count, 1), b = numbers(count, 2);
    auto deviceA = context->allocUpload<float>(a);
    auto deviceB = context->allocUpload<float>(b);
    auto out = context->alloc<float>(count);
    context->launch(module["vector_add"], {.global = {count}}, deviceA, deviceB, out);
    std::vector<float> result = out.download();
    ASSERT_EQ(result.size(), count);
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(result[i], a[i] + b[i]) << "at " << i << " of " << count;
  }
}

TEST_P(Conformance, ComputesSaxpyInPlaceForEveryLocalSize) {
  Module module = load();
  const std::size_t count = 1025;
  std::vector<float> x = numbers(count, 3), y = numbers(count, 4);
  auto deviceX = context->allocUpload<float>(x);
  for (std::int64_t local : {1, 32, 100, 1024}) {
    auto deviceY = context->allocUpload<float>(y);
    context->launch(module["saxpy"], {.global = {count}, .local = {local}}, 2.5f, deviceX, deviceY);
    context->sync();
    std::vector<float> result = deviceY.download();
    for (std::size_t i = 0; i < count; ++i)
      ASSERT_EQ(result[i], std::fma(2.5f, x[i], y[i])) << "at " << i << " with local " << local;
  }
}

TEST_P(Conformance, NumbersWorkItemsAlongThreeAxes) {
  Module module = load();
  const std::int64_t depth = 5, height = 9, width = 33;
  struct Config {
    LaunchConfig launch;
    Shape shape;
  };
  const Config configs[] = {
      {{.global = {width, height, depth}}, {depth, height, width}},
      {{.global = {width, height, depth}, .local = {32, 2, 3}}, {depth, height, width}},
      {{.global = {width, height}}, {1, height, width}},
      {{.global = {width}, .local = {1, 1, 1}}, {1, 1, width}},
  };
  for (const Config &config : configs) {
    auto out = context->alloc<std::int64_t>(config.shape);
    out.fill(-1);
    context->launch(module["ids"], config.launch, out);
    std::vector<std::int64_t> result = out.download();
    std::size_t at = 0;
    for (std::int64_t z = 0; z < config.shape[0]; ++z)
      for (std::int64_t y = 0; y < config.shape[1]; ++y)
        for (std::int64_t x = 0; x < config.shape[2]; ++x)
          ASSERT_EQ(result[at++], x + 1000 * y + 1000000 * z) << config.shape.str();
  }
}

TEST_P(Conformance, PassesScalarsOfEverySize) {
  Module module = load();
  auto out = context->allocZeros<double>(6);
  auto run = [&](bool b, std::int8_t i, std::uint16_t u, std::int64_t n, float f, double g) {
    context->launch(module["scalars"], {.global = {1}, .local = {1}}, b, i, u, n, f, g, out);
    EXPECT_EQ(out.download(),
              (std::vector<double>{b ? 1.0 : 0.0, double(i), double(u), double(n), double(f), g}));
  };
  run(true, -128, 65535, -(std::int64_t{1} << 52), 0.1f, 1e300);
  run(false, 127, 1, 1, -INFINITY, -0.1);
}

TEST_P(Conformance, PassesStructsVectorsAndEnums) {
  using test::Body;
  enum class Level : std::int32_t { Low, High = 10 };
  Module module = load();
  for (std::size_t count : {1, 37}) {
    std::vector<Body> bodies(count);
    for (std::size_t i = 0; i < count; ++i)
      bodies[i] = {{float(i), 2.5f, -float(i), 1e6f}, float(i) * 0.5f, std::int16_t(i)};
    auto device = context->allocUpload<Body>(bodies);
    const std::array<float, 4> velocity = {1, 0.25f, 3, -4};
    context->launch(module["shift"], {.global = {count}}, device, Body{{}, 7.5f, -300}, velocity,
                    Level::High);
    std::vector<Body> result = device.download();
    for (std::size_t i = 0; i < count; ++i) {
      for (int lane = 0; lane < 4; ++lane)
        EXPECT_EQ(result[i].pos[lane], bodies[i].pos[lane] + velocity[lane]) << i;
      EXPECT_EQ(result[i].mass, float(i) * 0.5f + 7.5f);
      EXPECT_EQ(result[i].kind, -290);
    }
  }
}

TEST_P(Conformance, TakesNamedArgumentsInAnyOrder) {
  Module module = load();
  auto a = context->allocUpload<float>({1, 2, 3, 4});
  auto b = context->allocUpload<float>({5, 6, 7, 8});
  Buffer out = context->allocBuffer(ScalarType::F32, 4);
  const std::vector<Argument> arguments = {{"out", out}, {"b", b}, {"a", a}};
  context->launch(module["vector_add"], {.global = {4}, .local = {1}}, arguments);
  Array<float> result(std::move(out));
  EXPECT_EQ(result.download(), (std::vector<float>{6, 8, 10, 12}));
}

TEST_P(Conformance, AZeroInGlobalLaunchesNothing) {
  Module module = load();
  auto out = context->alloc<float>(4);
  out.fill(7);
  auto in = context->allocZeros<float>(4);
  for (Dims global : {Dims{0}, Dims{4, 0}, Dims{0, 4, 1}})
    context->launch(module["vector_add"], {.global = global}, in, in, out);
  EXPECT_EQ(out.download(), (std::vector<float>{7, 7, 7, 7}));
}

TEST_P(Conformance, FillsElementsOfEveryType) {
  auto check = [&](auto value) {
    for (std::size_t count : {0, 1, 3, 1000}) {
      auto array = context->alloc<decltype(value)>(count);
      array.fill(value);
      EXPECT_EQ(array.download(), std::vector<decltype(value)>(count, value));
    }
  };
  check(true);
  check(std::int8_t{-3});
  check(std::uint8_t{200});
  check(std::int16_t{-30000});
  check(std::uint16_t{60000});
  check(std::int32_t{-2000000000});
  check(std::uint32_t{4000000000});
  check(std::int64_t{0x0123456789abcdef});
  check(std::uint64_t{0xabcdef01abcdef01});
  check(1.5f);
  check(-0.1);
  check(f16(-2.5));
  check(bf16(1e30));
  check(std::array<float, 4>{1, 2, 3, 4});
  check(std::array<std::int8_t, 3>{1, -2, 3});
  check(std::array<double, 5>{});
}

TEST_P(Conformance, TransfersWholeArraysOnly) {
  auto array = context->allocUpload<std::int32_t>({1, 2, 3});
  std::vector<std::int32_t> two(2), three(3);
  EXPECT_EQ(codeOf([&] { array.upload(two); }), ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([&] { array.download(std::span(two)); }), ErrorCode::InvalidArgument);
  array.download(std::span(three));
  EXPECT_EQ(three, (std::vector<std::int32_t>{1, 2, 3}));
}

TEST_P(Conformance, AlignsMemory) {
  for (std::size_t count : {1, 63, 4097, 1 << 20})
    EXPECT_EQ(context->alloc<float>(count).address() % 64, 0u) << count;
}

TEST_P(Conformance, ReportsOutOfMemoryAndStaysUsable) {
  try {
    context->alloc<double>(std::int64_t{1} << 50);
    FAIL() << "8 PiB were allocated";
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), ErrorCode::OutOfMemory);
    EXPECT_NE(error.message().find("9007199254740992 bytes asked"), std::string::npos)
        << error.what();
  }
  EXPECT_EQ(context->allocUpload<float>({1, 2}).download(), (std::vector<float>{1, 2}));
}

TEST_P(Conformance, RefusesShapesWithoutAMeaning) {
  EXPECT_EQ(codeOf([&] { context->alloc<float>(-1); }), ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([&] { context->alloc<float>(Shape()); }), ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([&] { context->alloc<float>(~std::uint64_t{0}); }), ErrorCode::InvalidArgument);
  EXPECT_EQ(codeOf([&] { context->alloc<float>({1 << 30, 1 << 30, 1 << 30, 1 << 30}); }),
            ErrorCode::InvalidArgument);
  auto empty = context->alloc<float>({1 << 30, 1 << 30, 1 << 30, 0});
  EXPECT_TRUE(empty.valid());
  EXPECT_EQ(empty.size(), 0);
}

TEST_P(Conformance, KeepsTheDeviceOpenForWhatOutlivesTheContext) {
  auto array = context->allocUpload<float>({1, 2, 3});
  std::optional<Module> module = load();
  Kernel kernel = (*module)["vector_add"];
  module.reset();
  context.reset();
  EXPECT_EQ(array.download(), (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(kernel.name(), "vector_add");
}

TEST_P(Conformance, RefusesAnotherContextsArraysAndKernels) {
  Context other = Context::make(GetParam().backend);
  Module module = load();
  Kernel kernel = module["vector_add"];
  auto in = context->allocZeros<float>(4);
  auto out = context->alloc<float>(4);
  auto foreign = other.allocZeros<float>(4);
  auto otherContext = [&](auto &&...arguments) {
    try {
      context->launch(kernel, {.global = {4}}, arguments...);
    } catch (const Error &error) {
      return error.message();
    }
    return std::string();
  };
  EXPECT_EQ(otherContext(in, foreign, out)
                .find("parameter 'b' of vector_add: the array belongs to another context"),
            0u);
  EXPECT_EQ(codeOf([&] { other.launch(kernel, {.global = {4}}, in, in, out); }),
            ErrorCode::InvalidArgument);
}

TEST_P(Conformance, IsUsedFromManyThreadsAtOnce) {
  Module module = load();
  std::vector<std::thread> threads;
  std::array<int, 8> wrong{};
  for (int t = 0; t < 8; ++t)
    threads.emplace_back([&, t] {
      const std::size_t count = 1025;
      std::vector<float> a = numbers(count, t), b = numbers(count, 50 + t);
      for (int round = 0; round < 20; ++round) {
        auto deviceA = context->allocUpload<float>(a);
        auto deviceB = context->allocUpload<float>(b);
        auto out = context->alloc<float>(count);
        context->launch(module["vector_add"], {.global = {count}, .local = {32}}, deviceA, deviceB,
                        out);
        std::vector<float> result = out.download();
        for (std::size_t i = 0; i < count; ++i)
          wrong[t] += result[i] != a[i] + b[i];
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, (std::array<int, 8>{}));
}

// Threads share all objects that docs/runtime.md allows them to share. The tsan preset detects
// races.
TEST_P(Conformance, SharesModulesKernelsAndMemoryAmongThreads) {
  const Module module = load();
  const Kernel kernel = module["vector_add"];
  const std::int64_t part = 300;
  const std::vector<float> a = numbers(4 * part, 3);
  auto in = context->allocUpload(a);
  auto out = context->allocZeros<float>(4 * part);
  std::vector<std::jthread> threads;
  for (std::int64_t t = 0; t < 4; ++t)
    threads.emplace_back([&, mine = in.view(t * part, part),
                          result = out.view(t * part, part)]() mutable {
      const Stream stream = context->makeStream();
      for (int round = 0; round < 10; ++round) {
        context->launchAsync(stream, kernel, {.global = {part}}, mine, mine, result);
        EXPECT_EQ(module.kernels().size(), 5u);
        EXPECT_EQ(kernel.occupancy(256).groupsPerUnit > 0, kernel.attributes().groupSize >= 256);
        EXPECT_EQ(kernel.suggestedGroupSize(), module["vector_add"].suggestedGroupSize());
        EXPECT_EQ(context->unmetCondition(kernel, {.global = {part}}, mine, mine, result), "");
        EXPECT_EQ(load()["vector_add"].signature().str(), kernel.signature().str());
        EXPECT_EQ(devices(GetParam().backend)[0].name, context->device().name);
        EXPECT_EQ(Config::parse("dtype: f32", "c").dtype(), ScalarType::F32);
      }
      stream.sync();
    });
  threads.clear();
  std::vector<float> doubled(a);
  for (float &each : doubled)
    each += each;
  EXPECT_EQ(out.download(), doubled);
}

TEST_P(Conformance, DescribesItsDevice) {
  DeviceInfo device = context->device();
  EXPECT_EQ(device.backend, GetParam().backend);
  EXPECT_EQ(device.index, 0);
  EXPECT_FALSE(device.name.empty());
  ASSERT_TRUE(device.memoryFree);
  EXPECT_GT(*device.memoryFree, 0u);
  EXPECT_LE(*device.memoryFree, device.memoryTotal);
  EXPECT_GE(device.computeUnits, 1);
  EXPECT_EQ(device.limits.groupSize, 1024);
}

TEST_P(Conformance, NamesTheNearestKernel) {
  Module module = load();
  EXPECT_EQ(module.kernels().size(), 5u);
  try {
    module["vector_ad"];
    FAIL() << "a kernel was found";
  } catch (const Error &error) {
    EXPECT_EQ(error.code(), ErrorCode::UnknownKernel);
    EXPECT_STREQ(error.what(), "there is no kernel 'vector_ad'; the module has vector_add, saxpy, "
                               "ids, scalars and shift; did you mean 'vector_add'?");
  }
}

TEST_P(Conformance, RefusesTheOtherKindOfCode) {
  Image image = GetParam().backend == Backend::Cpu
                    ? Image(DeviceCode{test::conformancePtx(), {}})
                    : Image(HostCode{test::conformanceKernels(), nullptr});
  EXPECT_EQ(codeOf([&] { Module::load(*context, image); }), ErrorCode::UnsupportedOnTarget);
}

SPL_ON_EVERY_BACKEND(Conformance);
