// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests misuse of devices, contexts, arrays, modules and launches.
#include "test/capi/Misuse.h"
#include "test/unit/TemporaryFolder.h"

#include <dlpack/dlpack.h>
#include <limits>

namespace spl::capi::test {
namespace {

class CMisuse : public testing::Test {
protected:
  Parameter<std::uint64_t> of(const std::string &kind) { return handle(fixture, kind); }

  const std::size_t before = spl_handle_count();
  Fixture fixture;
};

constexpr std::int64_t three[] = {3};
float data[3] = {1, 2, 3};

/// The name of a backend. A wrong one names no backend.
auto backend() {
  return value<const char *>("cpu",
                             {{nullptr, "'backend' is null"}, {"", "''"}, {"abacus", "'abacus'"}});
}

auto element() {
  std::vector<std::pair<const char *, std::string>> wrong = {{nullptr, "'element' is null"}};
  for (const char *text :
       {"", "f33", "&[f32]", "f32) k(x: f32", "f32, y: f32", "bytes(3, 2)", "bytes(4, 3)",
        "bytes(0, 1)", "bytes(-4, 4)", "bytes(4)", "bytes(4, 4", "struct Body(mass: f32)",
        "[f32; 0]", "struct Body(mass: f33) Body", "#[alias] f32", "f32\xff"})
    wrong.push_back({text, "there is no element type"});
  return value<const char *>("f32", wrong);
}

auto rank() {
  return value<std::int32_t>(1, {{0, "'rank' is 0"}, {-1, "'rank' is -1"}, {5, "'rank' is 5"}});
}

auto extents() {
  static const std::int64_t negative[] = {-1}, huge[] = {std::numeric_limits<std::int64_t>::max()};
  return value<const std::int64_t *>(
      three, {{nullptr, "'extents' is null"}, {negative, "negative"}, {huge, "does not fit"}});
}

/// A size in bytes. Wrong ones are no sizes of an array of three f32.
auto bytes() {
  std::vector<std::pair<std::size_t, std::string>> wrong;
  for (const std::size_t size : {std::size_t{1}, sizeof data - 1, sizeof data + 1, ~std::size_t{0}})
    wrong.push_back({size, "bytes"});
  return value<std::size_t>(sizeof data, wrong);
}

/// The size of an element.
auto one() {
  return value<std::size_t>(4, {{0, "4 bytes, not 0"}, {3, "4 bytes, not 3"}, {12, "not 12"}});
}

TEST_F(CMisuse, Devices) {
  misuse(spl_backend_at, value<std::size_t>(0, {{2, "there are 2"}, {~std::size_t{0}, "'index'"}}),
         result<spl_backend_info>("info"));
  misuse(spl_preferred_backend, result<const char *>("name"));
  misuse(spl_device_count, backend(), result<std::int32_t>("count"));
  misuse(spl_device_at, backend(), value<std::int32_t>(0, {{1, "'index' is 1"}, {-1, "is -1"}}),
         result<spl_device_info>("info"));
}

TEST_F(CMisuse, Configs) {
  const spl::test::TemporaryFolder folder;
  const std::string file = folder.path() / "misuse.sdn";
  FILE *stream = fopen(file.c_str(), "w");
  ASSERT_TRUE(stream);
  fclose(stream);

  misuse(spl_config_find, made("config"));
  misuse(spl_config_load,
         value<const char *>(file.c_str(), {{nullptr, "'path' is null"}, {"/no/such", "/no/such"}}),
         made("config"));
  misuse(
      spl_config_parse,
      value<const char *>("use_gpu: false", {{nullptr, "'text' is null"}, {"use_gpu", "it:1: "}}),
      value<const char *>("it", {{nullptr, "'name' is null"}}), made("config"));
  misuse(spl_config_get, of("config"), result<spl_config_info>("info"));
  misuse(spl_config_warning, of("config"), value<std::size_t>(0, {{1, "there are 1"}}),
         result<const char *>("text"));
  misuse(spl_config_free, ended(fixture, "config"));
}

TEST_F(CMisuse, Contexts) {
  misuse(spl_context_make_default, made("context"));
  misuse(spl_context_make, backend(), any(0), made("context"));
  misuse(spl_context_make, any("cpu"),
         value<std::int32_t>(0, {{1, "1"}, {-1, "-1"}}, SPL_BACKEND_UNAVAILABLE), made("context"));
  misuse(spl_context_make_limited, backend(), any(0), any(0), made("context"));
  misuse(spl_context_make_limited, any("cpu"), any(0),
         value<std::int32_t>(1, {{-1, "cpuThreads is -1"}, {65537, "cpuThreads is 65537"}}),
         made("context"));
  misuse(spl_context_make_from_config, made("context"));
  misuse(spl_context_make_with, of("config"), made("context"));
  misuse(spl_context_device, of("context"), result<spl_device_info>("info"));
  misuse(spl_context_enable_peer_access, of("context"), of("context"),
         result<std::int32_t>("reaches"));
  misuse(spl_context_sync, of("context"));
  misuse(spl_context_free, ended(fixture, "context"));
}

TEST_F(CMisuse, ArraysMade) {
  misuse(spl_element_layout, element(), result<std::size_t>("bytes"), result<std::size_t>("align"));
  const auto place =
      value<spl_place>(SPL_PLACE_PINNED, {{-1, "'place' is -1"}, {3, "'place' is 3"}});
  misuse(spl_array_alloc, of("context"), element(), rank(), extents(), place, made("array"));
  misuse(spl_array_alloc_zeros, of("context"), element(), rank(), extents(), made("array"));
  misuse(spl_array_alloc_upload, of("context"), element(), rank(), extents(),
         pointer<const void>("source", data), made("array"));

  static int released = 0;
  const auto release = +[](void *count) { ++*static_cast<int *>(count); };
  void *const user = &released;
  misuse(spl_array_borrow, of("context"), any(reinterpret_cast<std::uint64_t>(data)), element(),
         rank(), extents(), any(release), any(user), made("array"));
  EXPECT_EQ(released, 1); // only by the call that succeeded

  const auto made_ = fixture.make("array");
  static int deleted = 0;
  auto tensorOf = [&] {
    DLManagedTensor *tensor = nullptr;
    expectOk(spl_array_to_dlpack(made_, &tensor));
    return tensor;
  };
  Parameter<DLManagedTensor *> tensor = pointer("tensor", static_cast<DLManagedTensor *>(nullptr));
  auto live = std::make_shared<DLManagedTensor *>();
  tensor.right = [=] { return *live = tensorOf(); };
  tensor.check = [=](bool succeeded) {
    if (!succeeded)
      (*live)->deleter(*live); // the failed call did not take ownership
    deleted += !succeeded;
  };
  misuse(spl_array_from_dlpack, of("context"), tensor, made("array"));
  EXPECT_GT(deleted, 10);
  misuse(
      spl_array_to_dlpack, of("array"),
      result<DLManagedTensor *>("tensor", [](DLManagedTensor *given) { given->deleter(given); }));
  expectOk(spl_array_free(made_));
}

TEST_F(CMisuse, ArraysUsed) {
  misuse(spl_array_get, of("array"), result<spl_array_info>("info"));
  const std::int64_t extent[] = {3};
  spl_array pinned = 0;
  expectOk(spl_array_alloc(fixture["context"], "f32", 1, extent, SPL_PLACE_PINNED, &pinned));
  misuse(spl_array_host, handle(fixture, "array", [=] { return pinned; }), result<void *>("data"));
  expectOk(spl_array_free(pinned));
  misuse(spl_array_view, of("array"), value<std::int64_t>(1, {{-1, "-1"}, {3, "3"}}),
         value<std::int64_t>(2, {{-1, "-1"}, {3, "3"}}), any(1), made("array", "view"));
  misuse(spl_array_reshape, of("array"), rank(), extents(), made("array", "view"));

  const auto source = pointer<const void>("source", data);
  const auto target = pointer<void>("target", data);
  misuse(spl_array_upload, of("array"), source, bytes());
  misuse(spl_array_upload_async, of("array"), source, bytes(), of("stream"));
  misuse(spl_array_download, of("array"), target, bytes());
  misuse(spl_array_download_async, of("array"), target, bytes(), of("stream"));
  misuse(spl_array_fill, of("array"), pointer<const void>("element", data), one());
  misuse(spl_array_fill_async, of("array"), pointer<const void>("element", data), one(),
         of("stream"));
  expectOk(spl_stream_sync(fixture["stream"]));

  const std::uint64_t other = fixture.make("array");
  const auto to = handle(fixture, "array", [=] { return other; });
  misuse(spl_array_copy, of("array"), to);
  misuse(spl_array_copy_async, of("array"), to, of("stream"));
  misuse(spl_array_copy_to_peer, of("array"), to);
  misuse(spl_array_copy_to_peer_async, of("array"), to, of("stream"));
  expectOk(spl_stream_sync(fixture["stream"]));
  expectOk(spl_array_free(other));
  misuse(spl_array_free, ended(fixture, "array"));
}

TEST_F(CMisuse, Modules) {
  static const spl_host_kernel unnamed = {nullptr, fillKernel.entry, nullptr};
  static const spl_host_kernel empty = {fillSignature, nullptr, nullptr};
  static int released = 0;
  misuse(spl_module_load_host, of("context"),
         value<const spl_host_kernel *>(&fillKernel, {{nullptr, "'kernels' is null"},
                                                      {&unnamed, "'kernels[].signature' is null"},
                                                      {&empty, "'kernels[].entry' is null"}}),
         any(std::size_t{1}), any(+[](void *count) { ++*static_cast<int *>(count); }),
         any(static_cast<void *>(&released)), made("module"));
  EXPECT_EQ(released, 1);
  static const spl_host_kernel wrong = {"fill(out: &mut f32)", fillKernel.entry, nullptr};
  static const spl_host_kernel lacking = {"k() unchecked if 0 <= 0", fillKernel.entry, nullptr};
  static const spl_host_kernel needless = {"k()", fillKernel.entry, fillKernel.entry};
  misuse(spl_module_load_host, any(fixture["context"]),
         value<const spl_host_kernel *>(
             &fillKernel,
             {{&wrong, "'['"}, {&lacking, "no unchecked entry"}, {&needless, "no launch contract"}},
             SPL_INVALID_IMAGE),
         any(std::size_t{1}), any(static_cast<void (*)(void *)>(nullptr)),
         any(static_cast<void *>(nullptr)), made("module"));
  misuse(spl_module_kernel_count, of("module"), result<std::size_t>("count"));
  misuse(spl_module_kernel_at, of("module"), value<std::size_t>(0, {{1, "there are 1 kernels"}}),
         made("kernel"));
  misuse(spl_module_kernel, of("module"),
         value<const char *>("fill", {{nullptr, "'name' is null"}}), made("kernel"));
  misuse(spl_module_kernel, of("module"),
         value<const char *>("fill", {{"fil", "fill"}, {"", "fill"}}, SPL_UNKNOWN_KERNEL),
         made("kernel"));
  misuse(spl_module_free, ended(fixture, "module"));
  misuse(spl_kernel_get, of("kernel"), result<spl_kernel_info>("info"));
  misuse(spl_kernel_parameter, of("kernel"), value<std::size_t>(1, {{2, "there are 2"}}),
         result<spl_parameter>("parameter"));
  misuse(spl_kernel_attributes, of("kernel"), result<spl_kernel_attributes_info>("attributes"));
  misuse(spl_kernel_occupancy, of("kernel"), value<std::int64_t>(64, {{0, "0"}, {-1, "-1"}}),
         value<std::int64_t>(0, {{-1, "-1"}}), result<std::int32_t>("groups_per_unit"),
         result<double>("of_work_items"));
  misuse(spl_kernel_suggested_group_size, of("kernel"), value<std::int64_t>(0, {{-1, "-1"}}),
         result<std::int64_t>("group_size"));
  misuse(spl_kernel_max_cooperative_groups, of("kernel"),
         value<std::int64_t>(64, {{0, "0"}, {-1, "-1"}}), value<std::int64_t>(0, {{-1, "-1"}}),
         result<std::int64_t>("groups"));
  misuse(spl_kernel_free, ended(fixture, "kernel"));
}

/// A launch configuration. Wrong ones have invalid geometries.
Parameter<const spl_launch_config *> config() {
  static const spl_launch_config right = {1, {3}, {}, 0, 0};
  static const spl_launch_config none = {0, {3}, {}, 0, 0}, four = {4, {3}, {}, 0, 0};
  static const spl_launch_config negative = {1, {-3}, {}, 0, 0}, partly = {2, {3, 3}, {3, 0}, 0, 0};
  static const spl_launch_config shared = {1, {3}, {}, -1, 0};
  return value<const spl_launch_config *>(&right, {{nullptr, "'config' is null"},
                                                   {&none, "'config.axes' is 0"},
                                                   {&four, "'config.axes' is 4"},
                                                   {&negative, "-3"},
                                                   {&partly, "0"},
                                                   {&shared, "-1"}});
}

/// The arguments of the fixture's kernel, correct and wrong ones.
class Lists {
public:
  /// \p second is what messages call an argument without a name.
  Lists(const Fixture &fixture, const std::string &second) {
    const spl_argument array = {nullptr, fixture["array"], 0, nullptr, nullptr};
    const spl_argument number = {nullptr, 0, 0, "f32", &data[0]};
    right = {array, number};
    add(array, spl_argument{}, "argument " + second + " is neither");
    add(array, {nullptr, fixture["array"], 0, "f32", data}, "argument " + second + " is both");
    add(array, {"own", 0, 0, nullptr, nullptr}, "argument 'own' is neither");
    add(array, {nullptr, 0, 0, "f32", nullptr}, "'value' is null");
    add(array, {nullptr, 0, 0, "f33", data}, "there is no element type 'f33'");
    add(array, {nullptr, 0, 0, "f64", wide}, "value");
    add(array, {nullptr, 0, 0, "bool", &two}, "a bool is 0 or 1");
    add(number, array, "out");
    add({nullptr, fixture["array"], 1, nullptr, nullptr}, number, "out");
    add({"nobody", fixture["array"], 0, nullptr, nullptr}, {"value", 0, 0, "f32", data}, "nobody");
  }

  Parameter<const spl_argument *> parameter() const {
    auto result = value<const spl_argument *>(&right.first, {{nullptr, "'arguments' is null"}});
    for (const auto &[list, says] : wrong)
      result.wrong.push_back({&list.first, SPL_INVALID_ARGUMENT, says});
    return result;
  }

private:
  struct List {
    spl_argument first, second;
  };
  void add(const spl_argument &first, const spl_argument &second, const std::string &says) {
    wrong.push_back({{first, second}, says});
  }

  double wide[1] = {1};
  unsigned char two = 2;
  List right;
  std::vector<std::pair<List, std::string>> wrong;
};

auto two() { return value<std::size_t>(2, {{1, "value"}, {0, "out"}}); }

TEST_F(CMisuse, Launches) {
  const Lists lists(fixture, "'value'");
  misuse(spl_launch, of("context"), of("kernel"), config(), lists.parameter(), two());
  misuse(spl_launch_async, of("context"), of("stream"), of("kernel"), config(), lists.parameter(),
         two());
  misuse(spl_launch_unmet_condition, of("context"), of("kernel"), config(), lists.parameter(),
         two(), result<const char *>("condition"));
  expectOk(spl_stream_sync(fixture["stream"]));

  // A stale array among the arguments is found like any other stale handle.
  const spl_launch_config geometry = {1, {3}, {}, 0, 0};
  const spl_argument stale[] = {{nullptr, fixture["stream"], 0, nullptr, nullptr},
                                {nullptr, 0, 0, "f32", data}};
  EXPECT_EQ(spl_launch(fixture["context"], fixture["kernel"], &geometry, stale, 2),
            SPL_INVALID_HANDLE);
}

TEST_F(CMisuse, Graphs) {
  const Lists lists(fixture, "2"); // a graph has several kernels
  misuse(spl_graph_capture, of("stream"),
         value<spl_status (*)(void *)>([](void *) { return spl_status{SPL_OK}; },
                                       {{nullptr, "'work' is null"}}),
         any(static_cast<void *>(nullptr)), made("graph"));
  misuse(spl_graph_launch_count, of("graph"), result<std::size_t>("count"));
  misuse(spl_graph_kernel_at, of("graph"), value<std::size_t>(0, {{1, "there are 1"}}),
         made("kernel"));
  misuse(spl_graph_instantiate, of("graph"), made("graph exec", "exec"));
  misuse(spl_graph_free, ended(fixture, "graph"));
  misuse(spl_graph_exec_launch, of("graph exec"), of("stream"));
  expectOk(spl_stream_sync(fixture["stream"]));
  Parameter<const spl_launch_config *> geometry = config();
  geometry.wrong.erase(geometry.wrong.begin()); // null is a correct geometry here
  misuse(spl_graph_exec_set_launch, of("graph exec"), value<std::size_t>(0, {{1, "1"}}), geometry,
         lists.parameter(), two());
  misuse(spl_graph_exec_free, ended(fixture, "graph exec"));
}

} // namespace
} // namespace spl::capi::test
