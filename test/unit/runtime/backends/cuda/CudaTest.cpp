// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the CUDA backend with the fake driver: detection and errors.
#include "test/unit/runtime/backends/cuda/Cuda.h"

using namespace spl;
using spl::test::Cuda;
using spl::test::FakeDriver;
using spl::test::thrownBy;

static std::string cudaReason() {
  BackendStatus status = detectBackend(Backend::Cuda);
  EXPECT_EQ(status.available, status.reason.empty());
  return status.reason;
}

TEST(CudaDriver, WithoutADeviceIsAClearError) {
  const char *expected = "the CUDA driver is installed, but there is no device";
  {
    FakeDriver fake;
    fake->initResult = 100;
    EXPECT_EQ(cudaReason(), expected);
    EXPECT_EQ(Context::makeDefault().backend(), Backend::Cpu);
  }
  FakeDriver fake;
  fake->deviceCount = 0;
  EXPECT_EQ(cudaReason(), expected);
  EXPECT_EQ(Context::makeDefault().backend(), Backend::Cpu);
}

TEST(CudaDriver, ThatDoesNotStartIsAClearError) {
  {
    FakeDriver fake;
    fake->initResult = 803;
    EXPECT_EQ(cudaReason(), "the CUDA driver does not start: cuInit gives "
                            "CUDA_ERROR_SYSTEM_DRIVER_MISMATCH (803): system has unsupported "
                            "display driver / cuda driver combination");
    EXPECT_EQ(Context::makeDefault().backend(), Backend::Cpu);
    EXPECT_EQ(thrownBy([] { Context::make(Backend::Cuda); }).code(), ErrorCode::BackendUnavailable);
  }
  FakeDriver fake;
  fake->failingCall = "cuDeviceGetCount";
  fake->failingResult = 999;
  EXPECT_EQ(cudaReason(), "the CUDA driver does not start: cuDeviceGetCount gives "
                          "CUDA_ERROR_UNKNOWN (999): unknown error");
}

TEST(CudaDriver, ThatLacksAFunctionIsAClearError) {
  test::useCudaLibrary("libm.so.6");
  EXPECT_EQ(cudaReason(), "the CUDA driver is too old: it has no cuInit; a driver for CUDA 11.0 or "
                          "later is needed");
  EXPECT_EQ(Context::makeDefault().backend(), Backend::Cpu);
  test::useCudaLibrary(nullptr);
}

TEST(CudaDriver, WithoutCuGetProcAddressIsFoundByItsSymbols) {
  FakeDriver fake(SPL_FAKE_CUDA_OLD);
  EXPECT_EQ(cudaReason(), "");
  EXPECT_EQ(Context::make(Backend::Cuda).allocUpload<float>({1, 2}).download(),
            (std::vector<float>{1, 2}));
  EXPECT_EQ(fake->calls["cuMemAlloc"], 1);
}

TEST(CudaDriver, IsAskedOnce) {
  FakeDriver fake;
  detectBackends(); // this happens in a child process
  fake->initResult = 999;
  EXPECT_TRUE(detectBackend(Backend::Cuda).available);
  EXPECT_EQ(devices(Backend::Cuda).size(), 1u);
  fake->initResult = 0;
  EXPECT_EQ(fake->calls["cuInit"], 0);
  Context::make(Backend::Cuda);
  Context::make(Backend::Cuda);
  EXPECT_EQ(fake->calls["cuInit"], 1);
}

TEST_F(Cuda, LaunchesWithTheGeometryAskedFor) {
  auto x = context->allocZeros<float>(1000), y = context->allocZeros<float>(1000);
  context->launch((*module)["saxpy"], {.global = {1000}, .shared = 64}, 1.0f, x, y);
  auto ids = context->alloc<std::int64_t>({2, 3, 4});
  context->launch((*module)["ids"], {.global = {4, 3, 2}, .local = {2, 2, 2}}, ids);
  ASSERT_EQ(fake->launches.size(), 2u);
  EXPECT_EQ(fake->launches[0].kernel, "saxpy");
  EXPECT_EQ(fake->launches[0].groups, (std::array<unsigned, 3>{4, 1, 1}));
  EXPECT_EQ(fake->launches[0].local, (std::array<unsigned, 3>{256, 1, 1}));
  EXPECT_EQ(fake->launches[0].sharedBytes, 64u);
  EXPECT_EQ(fake->launches[1].groups, (std::array<unsigned, 3>{2, 2, 1}));
  EXPECT_EQ(fake->launches[1].local, (std::array<unsigned, 3>{2, 2, 2}));
}

TEST_F(Cuda, LeavesTheCallersContextCurrent) {
  const detail::Driver &driver = *detail::cudaDriver().driver;
  auto callers = reinterpret_cast<detail::CuContext>(0xca11e6);
  driver.ctxPushCurrent(callers);
  {
    auto array = context->allocUpload<float>({1, 2});
    array.fill(3);
    array.download();
    Module again = Module::load(*context, test::conformancePtx());
    context->sync();
    failNow("cuMemAlloc", 2);
    EXPECT_THROW(context->alloc<float>(4), Error);
  }
  detail::CuContext current = nullptr;
  driver.ctxPopCurrent(&current);
  EXPECT_EQ(current, callers);
}

TEST_F(Cuda, AStreamIsTheDriversTooForOtherLibraries) {
  const detail::Driver &driver = *detail::cudaDriver().driver;
  Stream stream = context->makeStream();
  EXPECT_NE(stream.native(), 0u);
  EXPECT_EQ(context->defaultStream().native(), 0u);
  EXPECT_EQ(Context::make(Backend::Cpu).makeStream().native(), 0u);
  auto array = context->alloc<std::uint8_t>(3);
  detail::CuDevice device = 0;
  driver.deviceGet(&device, 0);
  detail::CuContext others = nullptr; // another library that uses the device
  driver.primaryCtxRetain(&others, device);
  driver.ctxPushCurrent(others);
  array.fillAsync(1, stream);
  driver.memsetD8Async(array.address(), 5, 2, reinterpret_cast<detail::CuStream>(stream.native()));
  driver.ctxPopCurrent(&others);
  driver.primaryCtxRelease(device);
  std::vector<std::uint8_t> values(3);
  array.downloadAsync(values, stream);
  stream.sync();
  EXPECT_EQ(values, (std::vector<std::uint8_t>{5, 5, 1}));
}

TEST_F(Cuda, OutOfMemorySaysAskedAndFree) {
  failNow("cuMemAlloc", 2);
  Error error = thrownBy([&] { context->alloc<float>(1000); });
  EXPECT_EQ(error.code(), ErrorCode::OutOfMemory);
  EXPECT_STREQ(
      error.what(),
      "out of memory: 4000 bytes asked, 1073741824 free (cuMemAlloc: "
      "CUDA_ERROR_OUT_OF_MEMORY, 2); cuda device 0 (PTX interpreter); free arrays or use smaller "
      "ones");
}

TEST_F(Cuda, OutOfMemoryOfAnyCallSaysWhatIsFreeAndTheLargestArrays) {
  auto array = context->alloc<float>({3, 7});
  failNow("cuStreamCreateWithPriority", 2);
  EXPECT_EQ(thrownBy([&] { context->makeStream(); }).message(),
            "out of memory: 1073741740 bytes free; the largest of 1 live arrays: f32[3 x 7], 84 "
            "bytes");
  failNow("cuDevicePrimaryCtxRetain", 2);
  EXPECT_EQ(thrownBy([] { Context::make(Backend::Cuda); }).message(), "out of memory")
      << "there is no context to ask";
}

TEST_F(Cuda, OutOfMemorySaysWhatIsFreeWhereItIsAskedFor) {
  failNow("cuMemAllocHost", 2);
  const std::string pinned = thrownBy([&] { context->allocPinned<float>(1000); }).message();
  EXPECT_EQ(pinned.find("out of memory: 4000 bytes asked, "), 0u) << pinned;
  EXPECT_NE(pinned.find(" free"), std::string::npos) << pinned;
  EXPECT_EQ(pinned.find("1073741824"), std::string::npos) << "that is the device's: " << pinned;
}

TEST_F(Cuda, OutOfMemoryIsSilentOfWhatIsNotKnown) {
  fake->failAt = fake->callCount + 2; // the call after those that make the context current
  fake->failsOnwards = true;
  fake->failingResult = 2;
  const Error error = thrownBy([&] { context->alloc<float>(1000); });
  fake->failAt = 0;
  EXPECT_EQ(error.call(), "cuMemAlloc");
  EXPECT_EQ(error.message(), "out of memory: 4000 bytes asked");
}

TEST_F(Cuda, AFailingCallIsNamed) {
  struct Case {
    const char *call;
    std::function<void()> use;
  };
  auto array = context->allocUpload<float>({1, 2});
  auto wide = context->alloc<double>(3);
  const Stream stream = context->makeStream();
  Event event = context->makeEvent();
  stream.record(event);
  const Case cases[] = {
      {"cuCtxPushCurrent", [&] { context->sync(); }},
      {"cuCtxSynchronize", [&] { context->sync(); }},
      {"cuMemGetInfo", [&] { context->device(); }},
      {"cuMemcpyHtoD", [&] { array.upload({3, 4}); }},
      {"cuMemcpyDtoH", [&] { array.download(); }},
      {"cuMemsetD32Async", [&] { array.fill(1); }},
      {"cuMemcpyDtoDAsync", [&] { wide.fill(0.1); }},
      {"cuModuleGetFunction", [&] { Module::load(*context, test::conformancePtx()); }},
      {"cuLaunchKernel",
       [&] {
         const Array<float> &in = array;
         auto out = context->alloc<float>(2);
         context->launch((*module)["vector_add"], {.global = {2}}, in, in, out);
       }},
      {"cuDevicePrimaryCtxRetain", [&] { Context::make(Backend::Cuda); }},
      {"cuDeviceGetName", [&] { Context::make(Backend::Cuda); }},
      // Calls whose errors scenarios may ignore, because destructors make them too.
      {"cuStreamSynchronize", [&] { stream.sync(); }},
      {"cuStreamQuery", [&] { stream.query(); }},
      {"cuEventSynchronize", [&] { event.sync(); }},
      {"cuEventCreate", [&] { context->makeEvent(); }},
      {"cuEventRecord", [&] { stream.record(event); }},
      {"cuStreamWaitEvent", [&] { stream.wait(event); }},
      {"cuStreamEndCapture", [&] { Graph::capture(stream, [] {}); }},
  };
  for (const Case &c : cases) {
    failNow(c.call, 400);
    Error error = thrownBy(c.use);
    EXPECT_EQ(error.code(), ErrorCode::DriverError) << c.call;
    EXPECT_EQ(error.call(), c.call);
    EXPECT_EQ(error.nativeCode(), 400);
    EXPECT_EQ(error.nativeName(), "CUDA_ERROR_INVALID_HANDLE");
    fake->failingCall.clear();
  }
  context->sync();
}

TEST_F(Cuda, AFailureThatEndsTheContextIsKept) {
  auto array = context->allocUpload<float>({1, 2});
  failNow("cuCtxSynchronize", 700);
  Error first = thrownBy([&] { context->sync(); });
  EXPECT_EQ(first.code(), ErrorCode::KernelFault);
  EXPECT_EQ(first.fault(), nullptr);
  EXPECT_STREQ(first.what(),
               "a kernel failed on the device: an illegal memory access was encountered "
               "(cuCtxSynchronize: CUDA_ERROR_ILLEGAL_ADDRESS, 700); cuda device 0 "
               "(PTX interpreter); run it on the cpu backend to see where");
  fake->failingCall.clear();
  Error later = thrownBy([&] { array.download(); });
  EXPECT_EQ(later.code(), ErrorCode::DeviceLost);
  EXPECT_EQ(std::string(later.what()), "an earlier failure ended this context: " +
                                           std::string(first.what()) + "; start the process again");
  EXPECT_EQ(later.nativeName(), "CUDA_ERROR_ILLEGAL_ADDRESS");
}

/// A kernel that traps if kind is 1. It reads far beyond y if kind is 2, and at a misaligned
/// address if kind is 3.
static const char *const faulty = R"(// spl.kernel faulty(kind: i32, y: &mut [f32])
.version 6.3
.target sm_75
.address_size 64
.visible .entry faulty(.param .u32 kind, .param .u64 y, .param .u64 length)
{
.reg .pred %p<4>; .reg .b32 %r; .reg .b64 %rd;
ld.param.b32 %r, [kind];
ld.param.b64 %rd, [y];
setp.eq.s32 %p1, %r, 1;
setp.eq.s32 %p2, %r, 2;
setp.eq.s32 %p3, %r, 3;
@%p1 trap;
@%p2 ld.global.b32 %r, [%rd+10000];
@%p3 ld.global.b32 %r, [%rd+1];
st.global.b32 [%rd], 0f40000000;
ret;
})";

TEST_F(Cuda, AKernelsFaultIsReportedByLaterCallsAndEndsTheContext) {
  fake->deviceCount = 2;
  test::useCudaLibrary(SPL_FAKE_CUDA); // lists the devices again
  struct {
    int kind, native;
    const char *text;
  } cases[] = {{1, 719,
                "unspecified launch failure (line 13: trap: a trap, in thread (0, 0, 0) of "
                "block (0, 0, 0) of faulty)"},
               {2, 700, "an illegal memory access was encountered (line 14: "},
               {3, 716, "misaligned address (line 15: "}};
  for (const auto &c : cases) {
    Context other = Context::make(Backend::Cuda, 1);
    Module module = Module::load(other, faulty);
    auto y = other.allocUpload<float>({1, 1});
    other.launch(module["faulty"], {.global = {1}, .local = {1}}, 0, y);
    EXPECT_EQ(y.download(), (std::vector<float>{2, 1}));
    other.launch(module["faulty"], {.global = {1}, .local = {1}}, c.kind, y);
    Error error = thrownBy([&] { y.download(); });
    EXPECT_EQ(error.code(), ErrorCode::KernelFault);
    EXPECT_EQ(error.nativeCode(), c.native);
    EXPECT_EQ(error.message().find("a kernel failed on the device: " + std::string(c.text)), 0u)
        << error.message();
    EXPECT_EQ(thrownBy([&] { other.alloc<float>(1); }).code(), ErrorCode::DeviceLost);
    EXPECT_EQ(context->allocUpload<float>({5}).download(), std::vector<float>{5});
  }
}

TEST_F(Cuda, DestructorsSwallowTheDriversFailures) {
  {
    auto array = context->alloc<float>(4);
    failNow("cuCtxPushCurrent", 4);
  }
  module.reset();
  context.reset();
  EXPECT_EQ(fake.complaints(), "1 of kind allocation left\n1 of kind module left\n")
      << "freed without the context";
  fake->live.clear();
}
