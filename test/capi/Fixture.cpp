// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/capi/Fixture.h"

#include "test/conformance/HostAbi.h"

#include <gtest/gtest.h>

namespace spl::capi::test {

void expectOk(spl_status status) { EXPECT_EQ(status, SPL_OK) << spl_last_error(); }

static void fill(void *const *params, const spl_cpu_launch *launch, std::int64_t begin,
                 std::int64_t end) {
  auto *const out = spl::test::param<float *>(params, 0);
  const auto size = spl::test::param<std::int64_t>(params, 1);
  const auto value = spl::test::param<float>(params, 2);
  spl::test::forEachWorkItem(launch, begin, end, [&](std::int64_t x, std::int64_t, std::int64_t) {
    if (x < size)
      out[x] = value;
  });
}

const char *const fillSignature = "fill(out: &mut [f32], value: f32)";
const spl_host_kernel fillKernel = {fillSignature, fill, nullptr};

namespace {

struct Kind {
  std::string name;
  std::function<spl_status(const Fixture &, std::uint64_t *)> make;
  spl_status (*free)(std::uint64_t);
};

spl_status produceNothing(void *, std::size_t, void **, std::int32_t *there) {
  *there = 0;
  return SPL_OK;
}

/// A kind comes after the kinds that it needs.
const std::vector<Kind> table = {
    {"config",
     [](const Fixture &, auto *made) { return spl_config_parse("colour: red\n", "test", made); },
     spl_config_free},
    {"context", [](const Fixture &, auto *made) { return spl_context_make("cpu", 0, made); },
     spl_context_free},
    {"array",
     [](const Fixture &fixture, auto *made) {
       const std::int64_t extents[] = {3};
       return spl_array_alloc_zeros(fixture["context"], "f32", 1, extents, made);
     },
     spl_array_free},
    {"stream",
     [](const Fixture &fixture, auto *made) {
       return spl_stream_make(fixture["context"], 0, made);
     },
     spl_stream_free},
    {"event",
     [](const Fixture &fixture, auto *made) { return spl_event_make(fixture["context"], made); },
     spl_event_free},
    {"pool",
     [](const Fixture &fixture, auto *made) {
       return spl_pool_make(fixture["context"], 0, 0, made);
     },
     spl_pool_free},
    {"module",
     [](const Fixture &fixture, auto *made) {
       return spl_module_load_host(fixture["context"], &fillKernel, 1, nullptr, nullptr, made);
     },
     spl_module_free},
    {"kernel",
     [](const Fixture &fixture, auto *made) {
       return spl_module_kernel(fixture["module"], "fill", made);
     },
     spl_kernel_free},
    {"graph",
     [](const Fixture &fixture, auto *made) {
       auto work = [](void *user) {
         const Fixture &fixture = *static_cast<const Fixture *>(user);
         const float value = 2;
         const spl_launch_config config = {
             .axes = 1, .global = {3}, .local = {}, .shared_bytes = 0};
         const spl_argument arguments[] = {
             {.name = nullptr,
              .array = fixture["array"],
              .read_only = 0,
              .type = nullptr,
              .value = nullptr},
             {.name = nullptr, .array = 0, .read_only = 0, .type = "f32", .value = &value}};
         return spl_launch_async(fixture["context"], fixture["stream"], fixture["kernel"], &config,
                                 arguments, 2);
       };
       return spl_graph_capture(fixture["stream"], work, const_cast<Fixture *>(&fixture), made);
     },
     spl_graph_free},
    {"graph exec",
     [](const Fixture &fixture, auto *made) {
       return spl_graph_instantiate(fixture["graph"], made);
     },
     spl_graph_exec_free},
    {"pipeline",
     [](const Fixture &fixture, auto *made) {
       const spl_pipeline_stages stages = {};
       return spl_pipeline_make(fixture["context"], &stages, 2, 0, made);
     },
     spl_pipeline_free},
    {"loader",
     [](const Fixture &, auto *made) {
       const spl_loader_options options = {.produce = produceNothing,
                                           .drop = nullptr,
                                           .user = nullptr,
                                           .prefetch = 2,
                                           .workers = 1,
                                           .trace = 0};
       return spl_loader_make(&options, made);
     },
     spl_loader_free},
    {"trace",
     [](const Fixture &, auto *made) {
       const spl_status status = spl_trace_make(made);
       std::int32_t lane = 0;
       return status == SPL_OK ? spl_trace_add_lane(*made, "first", &lane) : status;
     },
     spl_trace_free},
};

const Kind &kindNamed(const std::string &name) {
  for (const Kind &kind : table)
    if (kind.name == name)
      return kind;
  throw std::out_of_range("no kind " + name);
}

} // namespace

const std::vector<std::string> &kinds() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> result;
    for (const Kind &kind : table)
      result.push_back(kind.name);
    return result;
  }();
  return names;
}

Fixture::Fixture() {
  for (const Kind &kind : table)
    handles[kind.name] = make(kind.name);
}

Fixture::~Fixture() {
  for (const auto &[kind, handle] : handles)
    expectOk(free(kind, handle));
}

std::uint64_t Fixture::make(const std::string &kind) const {
  std::uint64_t handle = 0;
  expectOk(kindNamed(kind).make(*this, &handle));
  EXPECT_NE(handle, 0u);
  return handle;
}

spl_status Fixture::free(const std::string &kind, std::uint64_t handle) {
  return kindNamed(kind).free(handle);
}

} // namespace spl::capi::test
