// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests the C interface on the CUDA backend with the fake driver, which reports unreleased objects.
#include "test/capi/Misuse.h"
#include "test/conformance/Kernels.h"
#include "test/fakecuda/FakeDriver.h"

namespace spl::capi::test {
namespace {

TEST(CCuda, LoadsModulesAndNothingElse) {
  spl::test::FakeDriver fake;
  Fixture fixture;
  spl_context context = 0;
  expectOk(spl_context_make("cuda", 0, &context));
  const std::string ptx = spl::test::conformancePtx(), blank(ptx.size(), ' ');
  const std::string damaged = ptx.substr(0, ptx.size() / 2) + blank.substr(ptx.size() / 2);
  const auto onDevice = handle(fixture, "context", [=] { return context; });
  const auto none = any(static_cast<const char *const *>(nullptr));

  misuse(spl_module_load, onDevice, pointer<const void>("image", ptx.data()), any(ptx.size()), none,
         any(std::size_t{0}), made("module"));
  misuse(spl_module_load, any(context),
         value<const void *>(ptx.data(), {{damaged.data(), ""}, {blank.data(), ""}},
                             SPL_INVALID_IMAGE),
         any(ptx.size()), none, value<std::size_t>(0, {{1, "'signatures' is null"}}),
         made("module"));
  expectOk(spl_context_free(context));
  EXPECT_EQ(fake.complaints(), "");
}

TEST(CCuda, GivesEverythingBack) {
  spl::test::FakeDriver fake;
  const std::size_t before = spl_handle_count();
  const std::string ptx = spl::test::conformancePtx();
  const std::int64_t extents[] = {1023};
  std::vector<float> values(1023), result(1023);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = static_cast<float>(i) / 8;

  spl_context context;
  spl_module module;
  spl_kernel kernel;
  spl_stream stream;
  spl_event begin, end;
  spl_pool pool;
  spl_array x, y;
  expectOk(spl_context_make("cuda", 0, &context));
  expectOk(spl_module_load(context, ptx.data(), ptx.size(), nullptr, 0, &module));
  expectOk(spl_module_kernel(module, "saxpy", &kernel));
  expectOk(spl_module_free(module)); // the kernel keeps the module alive
  expectOk(spl_stream_make(context, 1, &stream));
  expectOk(spl_event_make(context, &begin));
  expectOk(spl_event_make(context, &end));
  expectOk(spl_pool_make(context, 1 << 20, 0, &pool));
  expectOk(spl_pool_alloc(pool, "f32", 1, extents, stream, &x));
  expectOk(spl_array_alloc(context, "f32", 1, extents, SPL_PLACE_UNIFIED, &y));

  const std::size_t bytes = values.size() * sizeof(float);
  const float alpha = -3;
  expectOk(spl_stream_record(stream, begin));
  expectOk(spl_array_upload_async(x, values.data(), bytes, stream));
  expectOk(spl_array_upload_async(y, values.data(), bytes, stream));
  expectOk(spl_stream_record(stream, end));
  expectOk(spl_event_sync(end));
  double ms = -1;
  expectOk(spl_event_elapsed_ms(end, begin, &ms));
  EXPECT_GE(ms, 0);

  spl_kernel_attributes_info attributes;
  expectOk(spl_kernel_attributes(kernel, &attributes));
  EXPECT_GT(attributes.group_size, 0);
  const spl_launch_config config = {1, {1023}, {64}, 0, 0};
  const spl_argument arguments[] = {
      {"y", y, 0, nullptr, nullptr}, {"alpha", 0, 0, "f32", &alpha}, {"x", x, 1, nullptr, nullptr}};
  expectOk(spl_launch_async(context, stream, kernel, &config, arguments, 3));
  expectOk(spl_context_free(context)); // the objects of the context keep the device open
  expectOk(spl_stream_sync(stream));
  expectOk(spl_array_download(y, result.data(), bytes));
  for (std::size_t i = 0; i < values.size(); ++i)
    ASSERT_EQ(result[i], -2 * values[i]);
  void *host = nullptr;
  expectOk(spl_array_host(y, &host));
  EXPECT_EQ(static_cast<float *>(host)[8], -2);

  expectOk(spl_array_free(x));
  expectOk(spl_array_free(y));
  expectOk(spl_pool_free(pool));
  expectOk(spl_event_free(begin));
  expectOk(spl_event_free(end));
  expectOk(spl_stream_free(stream));
  expectOk(spl_kernel_free(kernel));
  EXPECT_EQ(spl_handle_count(), before);
  EXPECT_EQ(fake.complaints(), "");
}

TEST(CCuda, CopiesBetweenDevices) {
  spl::test::FakeDriver fake;
  fake->deviceCount = 2;
  fake->peers = {{0, 1}};
  const std::size_t before = spl_handle_count();
  std::int32_t count = 0, reaches = -1;
  expectOk(spl_device_count("cuda", &count));
  EXPECT_EQ(count, 2);
  spl_context contexts[2];
  spl_array arrays[2];
  const std::int64_t extents[] = {3, 5};
  std::int16_t values[15], result[15] = {};
  for (int i = 0; i < 15; ++i)
    values[i] = static_cast<std::int16_t>(i * i - 7);
  for (int i = 0; i < 2; ++i) {
    expectOk(spl_context_make("cuda", i, &contexts[i]));
    expectOk(spl_array_alloc(contexts[i], "i16", 2, extents, SPL_PLACE_DEVICE, &arrays[i]));
  }
  expectOk(spl_context_enable_peer_access(contexts[1], contexts[0], &reaches));
  EXPECT_EQ(reaches, 0);
  expectOk(spl_context_enable_peer_access(contexts[0], contexts[1], &reaches));
  EXPECT_EQ(reaches, 1);
  expectOk(spl_array_upload(arrays[0], values, sizeof values));
  EXPECT_EQ(spl_array_copy(arrays[0], arrays[1]), SPL_INVALID_ARGUMENT);
  expectOk(spl_array_copy_to_peer(arrays[0], arrays[1]));
  expectOk(spl_array_download(arrays[1], result, sizeof result));
  EXPECT_EQ(std::memcmp(values, result, sizeof values), 0);
  for (int i = 0; i < 2; ++i) {
    expectOk(spl_array_free(arrays[i]));
    expectOk(spl_context_free(contexts[i]));
  }
  EXPECT_EQ(spl_handle_count(), before);
  EXPECT_EQ(fake.complaints(), "");
}

TEST(CCuda, WrapsStreamsOfOtherLibraries) {
  spl::test::FakeDriver fake;
  const std::size_t before = spl_handle_count();
  spl_context context;
  spl_stream own, wrapped;
  spl_array array;
  std::uint64_t native = 0, again = 0;
  int released = 0;
  const std::int64_t extents[] = {3};
  const float seven = 7;
  float result[3] = {};
  expectOk(spl_context_make("cuda", 0, &context));
  expectOk(spl_stream_make(context, 0, &own));
  expectOk(spl_array_alloc(context, "f32", 1, extents, SPL_PLACE_DEVICE, &array));
  expectOk(spl_stream_native(own, &native));
  EXPECT_NE(native, 0u);
  expectOk(spl_stream_wrap(
      context, native, [](void *count) { ++*static_cast<int *>(count); }, &released, &wrapped));
  expectOk(spl_stream_native(wrapped, &again));
  EXPECT_EQ(again, native);
  expectOk(spl_array_fill_async(array, &seven, sizeof seven, wrapped));
  expectOk(spl_stream_free(wrapped));
  EXPECT_EQ(released, 0) << "the array needs it still";
  expectOk(spl_array_download(array, result, sizeof result));
  EXPECT_EQ(released, 1);
  EXPECT_EQ(result[2], seven);
  expectOk(spl_stream_free(own));
  expectOk(spl_array_free(array));
  expectOk(spl_context_free(context));
  EXPECT_EQ(spl_handle_count(), before);
  EXPECT_EQ(fake.complaints(), "");
}

} // namespace
} // namespace spl::capi::test
