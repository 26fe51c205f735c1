// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests misuse of streams, pools, pipelines, loaders, traces and the functions for interpreters.
#include "test/capi/Misuse.h"
#include "test/unit/TemporaryFolder.h"

#include <spl/c/jit.h>

namespace spl::capi::test {
namespace {

class CMoreMisuse : public testing::Test {
protected:
  Parameter<std::uint64_t> of(const std::string &kind) { return handle(fixture, kind); }

  Fixture fixture;
};

float data[3] = {1, 2, 3};

TEST_F(CMoreMisuse, Streams) {
  misuse(spl_stream_make, of("context"), any(0), made("stream"));
  misuse(spl_stream_default, of("context"), made("stream"));
  misuse(spl_stream_native, of("stream"), result<std::uint64_t>("native"));
  static int released = 0;
  misuse(
      spl_stream_wrap, of("context"),
      value<std::uint64_t>(0, {{64, "no streams of other libraries"}}, SPL_UNSUPPORTED_ON_TARGET),
      any(+[](void *count) { ++*static_cast<int *>(count); }), any(static_cast<void *>(&released)),
      made("stream"));
  EXPECT_EQ(released, 1); // only by the call that succeeded
  misuse(spl_stream_sync, of("stream"));
  misuse(spl_stream_query, of("stream"), result<std::int32_t>("done"));
  misuse(spl_stream_record, of("stream"), of("event"));
  misuse(spl_stream_wait, of("stream"), of("event"));
  misuse(spl_stream_call, of("stream"),
         value<spl_status (*)(void *)>([](void *) { return spl_status{SPL_OK}; },
                                       {{nullptr, "'function' is null"}}),
         any(static_cast<void *>(nullptr)));
  misuse(spl_stream_free, ended(fixture, "stream"));
}

TEST_F(CMoreMisuse, Events) {
  misuse(spl_event_make, of("context"), made("event"));
  misuse(spl_event_sync, of("event"));
  misuse(spl_event_query, of("event"), result<std::int32_t>("done"));
  const std::uint64_t start = fixture.make("event"), unrecorded = fixture.make("event");
  for (const std::uint64_t event : {start, fixture["event"]}) {
    expectOk(spl_stream_record(fixture["stream"], event));
    expectOk(spl_event_sync(event));
  }
  auto from = handle(fixture, "event", [=] { return start; });
  from.wrong.push_back({unrecorded, SPL_INVALID_ARGUMENT, "recorded"});
  from.wrong.push_back({fixture["event"], SPL_INVALID_ARGUMENT, "the same event"});
  misuse(spl_event_elapsed_ms, of("event"), from, result<double>("ms"));
  expectOk(spl_event_free(start));
  expectOk(spl_event_free(unrecorded));
  misuse(spl_event_free, ended(fixture, "event"));
}

TEST_F(CMoreMisuse, Pools) {
  static const std::int64_t extents[] = {3};
  misuse(spl_pool_make, of("context"), any(std::size_t{0}), any(std::size_t{0}), made("pool"));
  misuse(spl_pool_alloc, of("pool"),
         value<const char *>("f32", {{nullptr, "'element' is null"}, {"f33", "'f33'"}}),
         value<std::int32_t>(1, {{0, "'rank' is 0"}, {5, "'rank' is 5"}}),
         pointer<const std::int64_t>("extents", extents), of("stream"), made("array"));
  misuse(spl_pool_get, of("pool"), result<spl_pool_info>("info"));
  misuse(spl_pool_trim, of("pool"), any(std::size_t{0}));
  misuse(spl_pool_free, ended(fixture, "pool"));
}

/// A trace. 0 is correct too.
Parameter<std::uint64_t> traceOrNone(const Fixture &fixture) {
  auto parameter = handle(fixture, "trace");
  std::erase_if(parameter.wrong, [](const auto &wrong) { return wrong.value == 0; });
  return parameter;
}

TEST_F(CMoreMisuse, Pipelines) {
  static const spl_pipeline_stages stages = {};
  misuse(spl_pipeline_make, of("context"), pointer<const spl_pipeline_stages>("stages", &stages),
         value<std::size_t>(3, {{0, "0 buffers"}}), traceOrNone(fixture), made("pipeline"));
  misuse(spl_pipeline_submit, of("pipeline"));
  misuse(spl_pipeline_finish, of("pipeline"));
  misuse(spl_pipeline_run, of("pipeline"), any(std::size_t{2}));
  misuse(spl_pipeline_get, of("pipeline"), result<spl_pipeline_info>("info"));
  misuse(spl_pipeline_free, ended(fixture, "pipeline"));
}

spl_status produce(void *, std::size_t, void **batch, std::int32_t *) {
  *batch = data;
  return SPL_OK;
}

TEST_F(CMoreMisuse, Loaders) {
  const spl_loader_options right = {produce, nullptr, nullptr, 2, 1, fixture["trace"]};
  const spl_loader_options noProducer = {nullptr, nullptr, nullptr, 2, 1, 0};
  const spl_loader_options noPrefetch = {produce, nullptr, nullptr, 0, 1, 0};
  const spl_loader_options noWorkers = {produce, nullptr, nullptr, 2, 0, 0};
  const spl_loader_options noTrace = {produce, nullptr, nullptr, 2, 1, fixture["array"]};
  auto options = value<const spl_loader_options *>(&right, {{nullptr, "'options' is null"},
                                                            {&noProducer, "no producer"},
                                                            {&noPrefetch, "prefetch is 0"},
                                                            {&noWorkers, "no workers"}});
  options.wrong.push_back({&noTrace, SPL_INVALID_HANDLE, "expected a trace, got the array"});
  misuse(spl_loader_make, options, made("loader"));
  const auto there = result<std::int32_t>("there");
  misuse(spl_loader_next, of("loader"), result<void *>("batch"), there);
  misuse(spl_loader_get, of("loader"), result<spl_loader_info>("info"));
  misuse(spl_loader_free, ended(fixture, "loader"));
}

TEST_F(CMoreMisuse, Traces) {
  const spl::test::TemporaryFolder folder;
  const std::string file = folder.path() / "misuse.json";
  const auto name = value<const char *>("it", {{nullptr, "'name' is null"}});
  misuse(spl_trace_make, made("trace"));
  misuse(spl_trace_add_lane, of("trace"), name, result<std::int32_t>("lane"));
  misuse(spl_trace_span, of("trace"),
         value<std::int32_t>(0, {{-1, "'index' is -1"}, {999, "'index' is 999"}}), name,
         value<std::int64_t>(5, {{-1, "'begin' is -1"}, {INT64_MIN, "'begin'"}, {8, "'end' 7"}}),
         value<std::int64_t>(7, {{4, "'end' 4"}, {INT64_MIN, "'end'"}}), any(std::int64_t{-1}));
  misuse(
      spl_trace_save, of("trace"),
      value<const char *>(file.c_str(), {{nullptr, "'path' is null"}, {"/no/such/x", "/no/such"}}));
  misuse(spl_trace_free, ended(fixture, "trace"));
}

TEST_F(CMoreMisuse, Jit) {
  const std::string source = SPL_EXAMPLES "/vector_add.spl";
  const char *const text = "#[gpu]\nfn nothing():\n    return\n";
  misuse(spl_jit_default_options, result<spl_jit_options>("options"));

  static spl_jit_options right, level, registers, checks, noChecks, includes, instance;
  expectOk(spl_jit_default_options(&right));
  level = registers = checks = noChecks = includes = instance = right;
  static const char *const names[] = {nullptr};
  level.opt_level = 4;
  registers.max_registers = 256;
  checks.checks = "everything";
  noChecks.checks = nullptr;
  includes.include_count = 1;
  instance.instances = names;
  instance.instance_count = 1;
  const auto options =
      value<const spl_jit_options *>(&right, {{&level, "optLevel is 4"},
                                              {&registers, "maxRegisters is 256"},
                                              {&checks, "everything"},
                                              {&noChecks, "'options.checks' is null"},
                                              {&includes, "'options.includes' is null"},
                                              {&instance, "'options.instances' is null"}});
  misuse(spl_jit_load_file, of("context"),
         value<const char *>(source.c_str(), {{nullptr, "'path' is null"}}), options,
         made("module"));
  misuse(spl_jit_load_source, of("context"),
         value<const char *>(text, {{nullptr, "'text' is null"}}),
         any(static_cast<const char *>(nullptr)), options, made("module"));
  misuse(spl_jit_load_source, any(fixture["context"]),
         value<const char *>(text, {{"fn", "it.spl:1"}}, SPL_COMPILE_FAILED), any("it.spl"),
         any(static_cast<const spl_jit_options *>(nullptr)), made("module"));
}

/// Converts the result of a function for interpreters to a status.
spl_status statusOf(std::int32_t number) { return number < 0 ? -number : SPL_OK; }

/// The status of a call that returned \p handle. Frees the handle.
spl_status madeOf(const std::string &kind, std::uint64_t handle) {
  if (handle != 0) {
    expectOk(Fixture::free(kind, handle));
    return SPL_OK;
  }
  spl_error_info info;
  spl_last_error_info(&info);
  return info.status;
}

TEST_F(CMoreMisuse, SmallSet) {
  const auto count = value<std::int64_t>(3, {{-1, "negative"}, {INT64_MAX, "does not fit"}});
  const auto type = value<const char *>("f32", {{nullptr, "'element' is null"}, {"f33", "'f33'"}});
  auto number = type;
  number.wrong.push_back(
      {"f32x4", SPL_INVALID_ARGUMENT, "the element type must be a scalar, not f32x4"});
  misuseAs(
      "spl_gpu_alloc_zeros", [](auto... a) { return madeOf("array", spl_gpu_alloc_zeros(a...)); },
      type, count);
  misuseAs(
      "spl_gpu_alloc_ones", [](auto... a) { return madeOf("array", spl_gpu_alloc_ones(a...)); },
      number, count);
  misuseAs(
      "spl_gpu_free", [](auto... a) { return statusOf(spl_gpu_free(a...)); },
      ended(fixture, "array"));
  misuseAs("spl_gpu_stream_create", [] { return madeOf("stream", spl_gpu_stream_create()); });
  misuseAs(
      "spl_gpu_stream_sync", [](auto... a) { return statusOf(spl_gpu_stream_sync(a...)); },
      of("stream"));
  misuseAs(
      "spl_gpu_stream_query", [](auto... a) { return statusOf(spl_gpu_stream_query(a...)); },
      of("stream"));
  misuseAs(
      "spl_gpu_stream_free", [](auto... a) { return statusOf(spl_gpu_stream_free(a...)); },
      ended(fixture, "stream"));

  const spl_array arrays[] = {fixture["array"], fixture["array"]}, wrong[] = {fixture["array"], 0};
  const void *const sources[] = {data, data}, *const none[] = {data, nullptr};
  const std::size_t sizes[] = {12, 12}, small[] = {12, 11};
  auto targets = pointer<const spl_array>("arrays", arrays);
  targets.wrong.push_back({wrong, SPL_INVALID_HANDLE, "the handle 0"});
  misuseAs(
      "spl_gpu_async_upload_batch",
      [](auto... a) { return statusOf(spl_gpu_async_upload_batch(a...)); }, targets,
      value<const void *const *>(sources, {{nullptr, "'sources' is null"}, {none, "'sources[]'"}}),
      value<const std::size_t *>(
          sizes, {{nullptr, "'bytes' is null"}, {small, "'arrays[1]' has 12 bytes, not 11"}}),
      any(std::size_t{2}), of("stream"));
  expectOk(spl_stream_sync(fixture["stream"]));
}

} // namespace
} // namespace spl::capi::test
