// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the errors of the C interface: the last error of each thread, its parts and its fault, and
// errors that C callbacks return.
#include "test/capi/Fixture.h"

#include "spl/Error.h"
#include "test/fakecuda/CudaLibrary.h"
#include "test/unit/Environment.h"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <limits>
#include <thread>

namespace spl::capi::test {
namespace {

spl_error_info lastInfo() {
  spl_error_info info;
  spl_last_error_info(&info);
  return info;
}

TEST(CErrors, AreOfEachThread) {
  EXPECT_EQ(spl_context_sync(0), SPL_INVALID_HANDLE);
  const std::string here = spl_last_error();
  EXPECT_STREQ(here.c_str(), "expected a context, got the handle 0, which is none");
  std::thread([&] {
    EXPECT_STREQ(spl_last_error(), "");
    EXPECT_EQ(lastInfo().status, SPL_OK);
    EXPECT_STREQ(lastInfo().status_name, "ok");
    EXPECT_EQ(spl_last_fault(nullptr), 0);
    EXPECT_EQ(spl_array_free(0), SPL_INVALID_HANDLE);
    EXPECT_STREQ(spl_last_error(), "expected an array, got the handle 0, which is none");
  }).join();
  EXPECT_EQ(spl_last_error(), here);
  std::size_t size, align;
  EXPECT_EQ(spl_element_layout("f64", &size, &align), SPL_OK);
  EXPECT_EQ(spl_last_error(), here); // success does not change it
  spl_last_error_info(nullptr);
}

TEST(CErrors, HaveNamesAndNumbersOfTheirOwn) {
  EXPECT_STREQ(spl_status_name(SPL_OK), "ok");
#define SPL_ERROR_CODE(NAME, NUMBER, C_NAME, TEXT, MEANING)                                        \
  EXPECT_STREQ(spl_status_name(SPL_##C_NAME), TEXT);                                               \
  EXPECT_EQ(static_cast<int>(ErrorCode::NAME), static_cast<int>(SPL_##C_NAME));
#include "spl/ErrorCodes.def"
  EXPECT_STREQ(spl_status_name(-1), "unknown-error");
  // Programs in other languages use these numbers.
  EXPECT_EQ(static_cast<int>(SPL_INVALID_ARGUMENT), 1);
  EXPECT_EQ(static_cast<int>(SPL_KERNEL_FAULT), 10);
  EXPECT_EQ(static_cast<int>(SPL_INVALID_HANDLE), 15);
}

TEST(CErrors, HaveTheirParts) {
  spl_context context;
  EXPECT_EQ(spl_context_make("cpu", 7, &context), SPL_BACKEND_UNAVAILABLE);
  const spl_error_info info = lastInfo();
  EXPECT_EQ(info.status, SPL_BACKEND_UNAVAILABLE);
  EXPECT_STREQ(info.status_name, "backend-unavailable");
  EXPECT_NE(std::string(info.message).find("7"), std::string::npos);
  EXPECT_EQ(info.batch, -1);
  EXPECT_EQ(info.stage, -1);

  const std::int64_t far[] = {std::int64_t{1} << 55};
  Fixture fixture;
  spl_array array;
  EXPECT_EQ(spl_array_alloc(fixture["context"], "u8", 1, far, SPL_PLACE_DEVICE, &array),
            SPL_OUT_OF_MEMORY);
  EXPECT_STRNE(lastInfo().hint, "");
  EXPECT_NE(std::string(spl_last_error()).find(lastInfo().hint), std::string::npos);
}

TEST(CErrors, AdviseWithoutNamesOfCxx) {
  Fixture fixture;
  const std::int64_t extent[] = {3};
  spl_array array;
  expectOk(spl_array_alloc(fixture["context"], "u8", 1, extent, SPL_PLACE_DEVICE, &array));
  void *data;
  EXPECT_EQ(spl_array_host(array, &data), SPL_INVALID_ARGUMENT);
  EXPECT_STREQ(lastInfo().hint, "allocate it as unified or pinned memory, or download it");
  expectOk(spl_array_free(array));

  spl_stream stream;
  expectOk(spl_stream_default(fixture["context"], &stream));
  spl_graph graph;
  EXPECT_EQ(spl_graph_capture(
                stream, [](void *) -> spl_status { return SPL_OK; }, nullptr, &graph),
            SPL_INVALID_ARGUMENT);
  EXPECT_STREQ(lastInfo().hint, "make a stream and capture that");
  expectOk(spl_stream_free(stream));

  spl_pool pool;
  expectOk(spl_pool_make(fixture["context"], 2, 0, &pool));
  EXPECT_EQ(spl_pool_alloc(pool, "u8", 1, extent, fixture["stream"], &array), SPL_OUT_OF_MEMORY);
  EXPECT_STREQ(lastInfo().hint, "free arrays of the pool, or make it with a larger cap");
  expectOk(spl_pool_free(pool));
}

TEST(CErrors, HaveTheFaultOfAKernel) {
  Fixture fixture;
  const char *const source = "#[gpu]\n"
                             "fn shift(src: &[f32], dst: &mut [f32]):\n"
                             "    val i = gpu.global_id()\n"
                             "    dst[i] = src[i + 1]\n";
  spl_module module;
  spl_kernel kernel;
  expectOk(spl_jit_load_source(fixture["context"], source, "dir/shift.spl", nullptr, &module));
  expectOk(spl_module_kernel(module, "shift", &kernel));
  const spl_array target = fixture.make("array");
  const spl_launch_config config = {1, {3}, {3}, 0, 0};
  const spl_argument arguments[] = {{"dst", target, 0, nullptr, nullptr},
                                    {"src", fixture["array"], 1, nullptr, nullptr}};
  EXPECT_EQ(spl_launch(fixture["context"], kernel, &config, arguments, 2), SPL_KERNEL_FAULT);
  spl_fault fault = {};
  ASSERT_EQ(spl_last_fault(&fault), 1);
  EXPECT_EQ(fault.kind, static_cast<int>(FaultKind::IndexOutOfBounds));
  EXPECT_STREQ(fault.kind_name, "index-out-of-bounds");
  EXPECT_STREQ(fault.file, "dir/shift.spl");
  EXPECT_EQ(fault.line, 4);
  EXPECT_EQ(fault.column, 14);
  EXPECT_EQ(fault.value, 3);
  EXPECT_EQ(fault.bound, 3);
  EXPECT_STREQ(fault.subject, "src");
  EXPECT_EQ(fault.work_item[0], 2);
  EXPECT_EQ(fault.group[0], 0);
  EXPECT_STREQ(spl_last_error(),
               "dir/shift.spl:4:14: error: index 3 is out of bounds for 'src' of length 3 "
               "[index-out-of-bounds]; in work-item (2, 0, 0) of group (0, 0, 0)");

  // For a launch in a stream, the call that waits for the stream reports the fault.
  expectOk(spl_launch_async(fixture["context"], fixture["stream"], kernel, &config, arguments, 2));
  EXPECT_EQ(spl_stream_sync(fixture["stream"]), SPL_KERNEL_FAULT);
  fault = {};
  ASSERT_EQ(spl_last_fault(&fault), 1);
  EXPECT_EQ(fault.line, 4);
  EXPECT_EQ(spl_stream_sync(0), SPL_INVALID_HANDLE);
  EXPECT_EQ(spl_last_fault(&fault), 0); // the last error is another one, without a fault

  expectOk(spl_array_free(target));
  expectOk(spl_kernel_free(kernel));
  expectOk(spl_module_free(module));
}

// C callbacks.

spl_status failWith(void *status) { return *static_cast<spl_status *>(status); }

TEST(CErrors, ComeOutOfStreams) {
  Fixture fixture;
  spl_status status = SPL_OUT_OF_MEMORY;
  expectOk(spl_stream_call(fixture["stream"], failWith, &status));
  EXPECT_EQ(spl_stream_sync(fixture["stream"]), SPL_OUT_OF_MEMORY);
  EXPECT_STREQ(spl_last_error(), "a function in a stream returned status 8, out-of-memory");
  status = 4711;
  expectOk(spl_stream_call(fixture["stream"], failWith, &status));
  EXPECT_EQ(spl_stream_sync(fixture["stream"]), SPL_CALLBACK_FAILED);
  EXPECT_STREQ(spl_last_error(), "a function in a stream returned status 4711, unknown-error");
}

TEST(CErrors, TellWhatWasSkippedAndHowManyOthersThereAre) {
  Fixture fixture;
  const spl_stream other = fixture.make("stream");
  spl_status status = SPL_OUT_OF_MEMORY, fine = SPL_OK;
  for (spl_stream stream : {spl_stream{fixture["stream"]}, other}) {
    expectOk(spl_stream_call(stream, failWith, &status));
    expectOk(spl_stream_call(stream, failWith, &fine));
    for (std::int32_t done = 0; !done;)
      expectOk(spl_stream_query(stream, &done));
  }
  EXPECT_EQ(spl_context_sync(fixture["context"]), SPL_OUT_OF_MEMORY);
  EXPECT_EQ(lastInfo().skipped, 2u);
  EXPECT_EQ(lastInfo().others, 1u);
  EXPECT_STREQ(spl_last_error(),
               "a function in a stream returned status 8, out-of-memory; 2 operations behind it "
               "were skipped; 1 other operation failed");
  expectOk(spl_context_sync(fixture["context"]));
  expectOk(spl_stream_free(other));
}

TEST(CErrors, ComeOutOfGraphs) {
  Fixture fixture;
  spl_status status = SPL_LAUNCH_REFUSED;
  spl_graph graph = 77;
  EXPECT_EQ(spl_graph_capture(fixture["stream"], failWith, &status, &graph), SPL_LAUNCH_REFUSED);
  EXPECT_STREQ(spl_last_error(), "the work of a graph returned status 9, launch-refused");
  EXPECT_EQ(graph, 77u);
  expectOk(spl_stream_sync(fixture["stream"])); // the stream does not capture any more
}

TEST(CErrors, ComeOutOfPipelinesWithTheirBatch) {
  Fixture fixture;
  // Batch 2 fails because a call in the stage failed. All parts of that error are kept.
  const spl_pipeline_stages stages = {
      .upload = nullptr,
      .compute = [](void *, std::size_t batch, std::size_t, spl_stream) -> spl_status {
        spl_device_info info;
        return batch == 2 ? spl_device_at("cpu", 9, &info) : SPL_OK;
      },
      .download = nullptr,
      .user = nullptr};
  spl_pipeline pipeline;
  expectOk(spl_pipeline_make(fixture["context"], &stages, 2, fixture["trace"], &pipeline));
  EXPECT_EQ(spl_pipeline_run(pipeline, 5), SPL_INVALID_ARGUMENT);
  EXPECT_STREQ(spl_last_error(), "batch 2, compute: 'index' is 9, and there are 1 devices");
  EXPECT_EQ(lastInfo().batch, 2);
  EXPECT_EQ(lastInfo().stage, SPL_STAGE_COMPUTE);
  expectOk(spl_pipeline_run(pipeline, 2)); // the pipeline can run again
  spl_pipeline_info info;
  expectOk(spl_pipeline_get(pipeline, &info));
  EXPECT_EQ(info.batches, 2u);
  expectOk(spl_pipeline_free(pipeline));
}

/// A producer of three batches, of which batch 1 fails.
struct Batches {
  std::atomic<int> live = 0;
  std::atomic<spl_loader> loader = 0;

  static spl_status produce(void *user, std::size_t index, void **batch, std::int32_t *there) {
    auto *self = static_cast<Batches *>(user);
    if (index == 1)
      return SPL_DEVICE_LOST;
    *there = index < 3;
    if (*there) {
      ++self->live;
      *batch = new std::size_t(index);
    }
    return SPL_OK;
  }
  static void drop(void *user, void *batch) {
    --static_cast<Batches *>(user)->live;
    delete static_cast<std::size_t *>(batch);
  }
};

TEST(CErrors, ComeOutOfLoadersInTheirPlace) {
  Batches batches;
  const spl_loader_options options = {Batches::produce, Batches::drop, &batches, 2, 2, 0};
  spl_loader loader;
  expectOk(spl_loader_make(&options, &loader));
  for (std::size_t index = 0; index < 3; ++index) {
    void *batch = nullptr;
    std::int32_t there = 0;
    const spl_status status = spl_loader_next(loader, &batch, &there);
    EXPECT_EQ(status, index == 1 ? SPL_DEVICE_LOST : SPL_OK);
    if (index == 1)
      continue;
    ASSERT_TRUE(there);
    EXPECT_EQ(*static_cast<std::size_t *>(batch), index);
    Batches::drop(&batches, batch);
  }
  void *batch = &batches;
  std::int32_t there = 1;
  expectOk(spl_loader_next(loader, &batch, &there));
  EXPECT_EQ(there, 0);
  EXPECT_EQ(batch, nullptr);
  expectOk(spl_loader_free(loader));
  EXPECT_EQ(batches.live, 0);

  // Batches that were not taken are dropped.
  expectOk(spl_loader_make(&options, &loader));
  expectOk(spl_loader_next(loader, &batch, &there));
  Batches::drop(&batches, batch);
  expectOk(spl_loader_free(loader));
  EXPECT_EQ(batches.live, 0);
}

TEST(CErrors, ALoaderMayBeFreedByItsProducer) {
  static std::atomic<spl_loader> loader;
  static std::atomic<spl_status> freed;
  static std::atomic<int> calls;
  for (int round = 0; round < 20; ++round) {
    loader = 0, freed = -1, calls = 0;
    const auto produce = [](void *, std::size_t index, void **, std::int32_t *) -> spl_status {
      ++calls;
      while (loader == 0)
        std::this_thread::yield();
      if (index == 0)
        freed = spl_loader_free(loader);
      return SPL_OK;
    };
    const spl_loader_options options = {produce, nullptr, nullptr, 1, 1, 0};
    spl_loader made;
    expectOk(spl_loader_make(&options, &made));
    loader = made;
    while (freed == -1)
      std::this_thread::yield();
    EXPECT_EQ(freed, SPL_OK);
    void *batch;
    std::int32_t there;
    EXPECT_EQ(spl_loader_next(made, &batch, &there), SPL_INVALID_HANDLE);
  }
}

// Functions that cannot fail.

TEST(CValues, OfHalves) {
  EXPECT_EQ(spl_f16_from(1.5), 0x3e00);
  EXPECT_EQ(spl_f16_to_float(0x3e00), 1.5f);
  EXPECT_EQ(spl_f16_from(1e9), 0x7c00);
  EXPECT_EQ(spl_bf16_from(-2), 0xc000);
  EXPECT_EQ(spl_bf16_to_float(0xc000), -2.0f);
  EXPECT_TRUE(
      std::isnan(spl_bf16_to_float(spl_bf16_from(std::numeric_limits<double>::quiet_NaN()))));
}

TEST(CValues, OfTheSmallSet) {
  const std::size_t before = spl_handle_count();
  const spl_context context = spl_gpu_context();
  spl_device_info device;
  expectOk(spl_context_device(context, &device));
  EXPECT_STREQ(device.backend, spl_gpu_backend_name());
  EXPECT_EQ(spl_gpu_available(), std::string(device.backend) != "cpu");
  EXPECT_GE(spl_gpu_device_count(), 1);
  expectOk(spl_context_free(context)); // the context of the interpreter functions is another one

  const spl_array ones = spl_gpu_alloc_ones("bf16", 5), zeros = spl_gpu_alloc_zeros("i64", 3);
  std::uint16_t halves[5];
  expectOk(spl_array_download(ones, halves, sizeof halves));
  for (const std::uint16_t half : halves)
    EXPECT_EQ(half, 0x3f80);
  const std::int64_t values[] = {7, -8, 9};
  std::int64_t result[] = {1, 1, 1};
  expectOk(spl_array_download(zeros, result, sizeof result));
  EXPECT_EQ(result[0] | result[1] | result[2], 0);

  const spl_stream stream = spl_gpu_stream_create();
  const std::uint16_t twos[] = {0x4000, 0x4001, 0x4002, 0x4003, 0x4004};
  const spl_array arrays[] = {zeros, ones};
  const void *const sources[] = {values, twos};
  const std::size_t bytes[] = {sizeof values, sizeof twos};
  EXPECT_EQ(spl_gpu_async_upload_batch(arrays, sources, bytes, 2, stream), 0);
  EXPECT_EQ(spl_gpu_stream_sync(stream), 0);
  EXPECT_EQ(spl_gpu_stream_query(stream), 1);
  expectOk(spl_array_download(zeros, result, sizeof result));
  expectOk(spl_array_download(ones, halves, sizeof halves));
  EXPECT_EQ(result[1], -8);
  EXPECT_EQ(halves[4], 0x4004);
  EXPECT_EQ(spl_gpu_stream_free(stream), 0);
  EXPECT_EQ(spl_gpu_stream_free(stream), -SPL_INVALID_HANDLE);
  EXPECT_EQ(spl_gpu_free(ones), 0);
  EXPECT_EQ(spl_gpu_free(zeros), 0);
  EXPECT_EQ(spl_handle_count(), before);
}

TEST(CErrors, TheSmallSetSaysWhereNoBackendIs) {
  spl::test::useCudaLibrary("libspl-no-such-driver.so.1");
  const struct {
    const char *backend;
    spl_status status;
    std::string says;
  } cases[] = {
      {"cuda", SPL_BACKEND_UNAVAILABLE, "the cuda backend cannot be used here: no CUDA driver"},
      {"gpu", SPL_INVALID_ARGUMENT, "SPL_BACKEND is 'gpu'; the backends are auto, cuda and cpu"},
  };
  for (const auto &[backend, status, says] : cases) {
    spl::test::Environment chosen("SPL_BACKEND", backend);
    EXPECT_EQ(spl_gpu_available(), -status) << backend;
    EXPECT_EQ(std::string(spl_last_error()).find(says), 0u) << spl_last_error();
    EXPECT_EQ(spl_gpu_device_count(), -status) << backend;
  }
  spl::test::Environment wrong("SPL_BACKEND", "gpu");
  EXPECT_EQ(spl_gpu_backend_name(), nullptr);
  spl::test::Environment cpu("SPL_BACKEND", "cpu");
  EXPECT_EQ(spl_gpu_available(), 0);
  EXPECT_STREQ(spl_gpu_backend_name(), "cpu");
  spl::test::useCudaLibrary(nullptr);
}

} // namespace
} // namespace spl::capi::test
