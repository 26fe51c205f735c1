// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scenarios with one context: devices, memory, modules, launches, and destruction in unusual
// orders.
#include "test/scenarios/Scenario.h"

#include <optional>
#include <thread>

using namespace spl;
using namespace spl::test;

SPL_SCENARIO(OpenAndClose) { require(openCuda().backend() == Backend::Cuda, "the backend"); }

SPL_SCENARIO(AskForDevices) { // for queries without an open context see AskingTest.cpp
  Context context = openCuda();
  const std::vector<DeviceInfo> found = devices(Backend::Cuda);
  for (const DeviceInfo &each : found)
    if (!each.problem.empty())
      throw Error({.message = each.problem});
  require(found.size() == 2 && found[1].capability == fake->capability, "the devices");
}

SPL_SCENARIO(AskForFreeMemory) {
  Context context = openCuda();
  const auto free = context.device().memoryFree;
  auto array = context.alloc<float>(1000);
  require(*context.device().memoryFree == *free - 4000, "the free memory");
}

SPL_SCENARIO(AllocateAndFree) {
  Context context = openCuda();
  auto first = context.alloc<float>(100);
  auto second = context.alloc<double>({3, 5});
  first.free();
  require(!first.valid() && second.valid(), "what is valid");
}

SPL_SCENARIO(AllocateNothing) {
  Context context = openCuda();
  auto array = context.alloc<float>(0);
  array.upload({});
  array.fill(1);
  require(array.download().empty(), "the elements");
}

SPL_SCENARIO(UploadAndDownload) {
  Context context = openCuda();
  auto array = context.allocUpload<std::int32_t>({1, -2, 3});
  require(array.download() == Ints{1, -2, 3}, "the elements");
}

SPL_SCENARIO(FillElementsOfEverySize) {
  Context context = openCuda();
  auto filled = [&]<typename T>(T value) {
    auto array = context.alloc<T>(5);
    array.fill(value);
    require(array.download() == std::vector<T>(5, value), "the elements");
  };
  filled(std::uint8_t{3});
  filled(std::int16_t{-300});
  filled(1.5f);
  filled(0.0);
  filled(0.1);
}

SPL_SCENARIO(LoadAndUnload) {
  Context context = openCuda();
  Module module = Module::load(context, scenarioPtx());
  require(module.kernels().size() == 2, "the kernels");
}

SPL_SCENARIO(LaunchAndDownload) {
  Opened opened;
  auto array = opened.context.allocUpload<std::int32_t>({1, 2, 3});
  opened.context.launch(opened.module["add"], {.global = {3}}, array, 10);
  require(array.download() == Ints{11, 12, 13}, "the elements");
}

SPL_SCENARIO(LaunchManyTimes) {
  Opened opened;
  auto array = opened.context.allocZeros<std::int32_t>(300);
  for (int i = 1; i <= 4; ++i)
    opened.context.launch(opened.module["add"], {.global = {300}, .local = {64}}, array, i);
  opened.context.sync();
  require(array.download() == Ints(300, 10), "the elements");
}

SPL_SCENARIO(ArraysOutliveTheContext) {
  std::optional<Context> context = openCuda();
  auto array = context->allocUpload<std::int32_t>({7});
  context.reset();
  require(array.download() == Ints{7}, "the element");
}

SPL_SCENARIO(KernelsOutliveTheModule) {
  Context context = openCuda();
  std::optional<Kernel> kernel = Module::load(context, scenarioPtx())["add"];
  auto array = context.allocZeros<std::int32_t>(2);
  context.launch(*kernel, {.global = {2}}, array, 4);
  kernel.reset();
  require(array.download() == Ints{4, 4}, "the elements");
}

SPL_SCENARIO(ModulesOutliveTheContext) {
  std::optional<Module> module;
  {
    Context context = openCuda();
    module = Module::load(context, scenarioPtx());
  }
  require((*module)["add"].name() == "add", "the kernel");
}

SPL_SCENARIO(MoveArrays) {
  Context context = openCuda();
  auto first = context.allocUpload<std::int32_t>({1});
  auto second = context.allocUpload<std::int32_t>({2});
  first = std::move(second);
  auto third = std::move(first);
  require(third.download() == Ints{2}, "the element");
}

SPL_SCENARIO(OpenADeviceTwice) {
  Context first = openCuda(), second = openCuda();
  auto array = first.allocUpload<std::int32_t>({5});
  std::optional<Context> moved = std::move(first);
  moved.reset();
  second.sync();
  require(array.download() == Ints{5}, "the element");
}

SPL_SCENARIO(LoadWhatIsNoPtx) {
  Context context = openCuda();
  requireError(fake, ErrorCode::InvalidImage, [&] {
    Module::load(context, "// spl.kernel k()\n.version 6.3\n.target sm_75\n.visible .entry k( {");
  });
  Module::load(context, scenarioPtx());
}

SPL_SCENARIO(LoadWhatLacksAKernel) {
  Context context = openCuda();
  requireError(fake, ErrorCode::InvalidImage,
               [&] { Module::load(context, "// spl.kernel missing()\n" + scenarioPtx()); });
}

SPL_SCENARIO(AskForTooMuch) {
  Context context = openCuda();
  auto small = context.alloc<float>(10);
  requireError(fake, ErrorCode::OutOfMemory, [&] { context.alloc<double>(std::int64_t{1} << 40); });
  small.fill(2);
  require(small.download() == std::vector<float>(10, 2), "the elements");
}

SPL_SCENARIO(LoseTheDevice) {
  Opened opened;
  auto array = opened.context.allocZeros<std::int32_t>(3);
  opened.context.launch(opened.module["fail"], {.global = {3}}, array);
  requireError(fake, ErrorCode::KernelFault, [&] { opened.context.sync(); });
  requireError(fake, ErrorCode::DeviceLost, [&] { array.download(); });
}

SPL_SCENARIO(LoseTheDeviceInAStream) {
  bool isCalled = false;
  Opened opened;
  Stream stream = opened.context.makeStream();
  Event event = opened.context.makeEvent();
  MemoryPool pool = opened.context.makePool();
  auto array = pool.alloc<std::int32_t>(3, stream);
  requireError(fake, ErrorCode::KernelFault, [&] { // any of these calls may report it
    opened.context.launchAsync(stream, opened.module["fail"], {.global = {3}}, array);
    stream.call([&] { isCalled = true; });
    stream.record(event);
    event.sync();
  });
  requireError(fake, ErrorCode::DeviceLost, [&] { opened.context.makeStream(); });
  require(!isCalled, "a function came after the fault");
}

SPL_SCENARIO(AskAKernelForItsAttributes) {
  Opened opened;
  const Kernel kernel = opened.module["add"];
  require(kernel.attributes().registers == 32, "the registers");
  require(kernel.occupancy(256).groupsPerUnit == (fake->capability == 75 ? 4 : 8),
          "the groups of a unit");
  require(kernel.suggestedGroupSize() == 1024, "the suggested size");
}

SPL_SCENARIO(LaunchTooLargeAGroup) {
  Opened opened;
  auto array = opened.context.allocZeros<std::int32_t>(3);
  requireError(fake, ErrorCode::LaunchRefused, [&] {
    opened.context.launch(opened.module["add"], {.global = {3}, .local = {4096}}, array, 1);
  });
  opened.context.launch(opened.module["add"], {.global = {3}}, array, 1);
  require(array.download() == Ints(3, 1), "the elements");
}

SPL_SCENARIO(CopyArrays) {
  Context context = openCuda();
  auto source = context.allocUpload<std::int32_t>({1, 2, 3});
  auto target = context.alloc<std::int32_t>(3);
  source.copyTo(target);
  source.fill(0);
  require(target.download() == Ints{1, 2, 3}, "the elements");
}

SPL_SCENARIO(ShareRows) {
  Context context = openCuda();
  auto all = context.alloc<std::int32_t>({3, 2});
  all.upload({1, 2, 3, 4, 5, 6});
  auto rows = all.view(1, 2);
  all.free();
  rows.view(1, 1).fill(9);
  require(rows.download() == Ints{3, 4, 9, 9}, "the rows");
}

SPL_SCENARIO(ShareAContextBetweenThreads) {
  Opened opened;
  std::exception_ptr failures[3];
  {
    std::vector<std::jthread> threads;
    for (std::int32_t each = 0; each < 3; ++each)
      threads.emplace_back([&, each] {
        try {
          Stream stream = opened.context.makeStream();
          auto array = opened.context.allocUpload<std::int32_t>({each, each + 1});
          opened.add(stream, array, 10);
          require(array.download() == Ints{each + 10, each + 11}, "the elements");
        } catch (...) {
          failures[each] = std::current_exception();
        }
      });
  }
  for (const std::exception_ptr &failure : failures)
    if (failure)
      std::rethrow_exception(failure);
}
