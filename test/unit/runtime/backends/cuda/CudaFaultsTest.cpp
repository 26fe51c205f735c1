// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests kernels with checks in the graphs of other libraries, whose launches have a null fault
// record.
#include "test/conformance/CheckedKernel.h"
#include "test/unit/runtime/backends/cuda/Cuda.h"

using namespace spl;
using namespace spl::test;

namespace {

/// Makes the primary context of device 0 current, as code of another library does.
class ForeignCode {
public:
  ForeignCode() {
    driver.deviceGet(&device, 0);
    driver.primaryCtxRetain(&primary, device);
    driver.ctxPushCurrent(primary);
  }
  ~ForeignCode() {
    detail::CuContext ignored = nullptr;
    driver.ctxPopCurrent(&ignored);
    driver.primaryCtxRelease(device);
  }

  /// Captures what \p enqueue does with the stream, and runs the graph. Returns the result of the
  /// run.
  detail::CuResult run(std::uint64_t native, const std::function<void()> &enqueue) {
    constexpr int relaxed = 2;
    const auto stream = reinterpret_cast<detail::CuStream>(native);
    EXPECT_EQ(driver.streamBeginCapture(stream, relaxed), detail::CuResult::Success);
    enqueue();
    detail::CuGraph graph = nullptr;
    detail::CuGraphExec exec = nullptr;
    EXPECT_EQ(driver.streamEndCapture(stream, &graph), detail::CuResult::Success);
    EXPECT_EQ(driver.graphInstantiate(&exec, graph, 0ull), detail::CuResult::Success);
    driver.graphLaunch(exec, stream);
    const detail::CuResult result = driver.streamSynchronize(stream);
    driver.graphExecDestroy(exec);
    driver.graphDestroy(graph);
    return result;
  }

private:
  const detail::Driver &driver = *detail::cudaDriver().driver;
  detail::CuDevice device = 0;
  detail::CuContext primary = nullptr;
};

} // namespace

TEST_F(Cuda, AKernelInAForeignGraphTrapsWhereItsCheckFails) {
  Stream own = context->makeStream();
  Stream wrapped = context->wrapStream(own.native());
  auto out = context->allocZeros<std::int32_t>(3);
  Module checked = Module::load(*context, checkedPtx);
  ForeignCode foreign;
  auto launch = [&](std::int64_t at) {
    return foreign.run(own.native(), [&] {
      context->launchAsync(wrapped, checked["checked"], {.global = {3}}, at, out);
    });
  };
  EXPECT_EQ(launch(-1), detail::CuResult::Success);
  EXPECT_EQ(out.download(), (std::vector<std::int32_t>{1, 1, 1}));
  // Launches outside of the graph have records.
  context->launchAsync(wrapped, checked["checked"], {.global = {3}}, std::int64_t{1}, out);
  EXPECT_TRUE(thrownBy([&] { wrapped.sync(); }).fault());
  EXPECT_EQ(launch(1), detail::CuResult::LaunchFailed);
  const Error error = thrownBy([&] { context->sync(); });
  EXPECT_EQ(error.code(), ErrorCode::KernelFault);
  EXPECT_EQ(error.nativeName(), "CUDA_ERROR_LAUNCH_FAILED");
  EXPECT_NE(std::string(error.what()).find("brkpt"), std::string::npos) << error.what();
}
