// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Conformance tests of launch contracts: the kernel without checks runs if its contract holds,
// otherwise the kernel with checks. Each writes its own number.
#include "test/conformance/Conformance.h"
#include "test/conformance/HostAbi.h"
#include "test/conformance/Kernels.h"

using namespace spl;
using namespace spl::test;

namespace {

constexpr std::int32_t checked = 1, unchecked = 2;

const std::string signature =
    "tell(limit: u32, a: &[i32], out: &mut [i32]) unchecked if "
    "min(gpu.global_size(0), out.len()) <= a.len() and limit <= gpu.local_size(0)";

template <std::int32_t number>
void tell(void *const *params, const spl_cpu_launch *launch, std::int64_t begin, std::int64_t end) {
  auto *out = param<std::int32_t *>(params, 3);
  auto count = param<std::int64_t>(params, 4);
  forEachWorkItem(launch, begin, end, [&](std::int64_t x, std::int64_t, std::int64_t) {
    if (x < count)
      out[x] = number;
  });
}

std::string entry(const std::string &name, std::int32_t number) {
  return elementEntry(
      name,
      ".param .u32 limit, .param .u64 a, .param .u64 a_len, .param .u64 out, .param .u64 out_len",
      "mov.u32 %r1, " + std::to_string(number) + ";\nst.global.b32 [%rd3], %r1;\n");
}

class Contracts : public Conformance {
protected:
  void SetUp() override {
    Conformance::SetUp();
    if (!context) // skipped
      return;
    if (GetParam().backend == Backend::Cpu)
      kernel = Module::load(
          *context, HostCode{{{signature, tell<checked>, tell<unchecked>}}, nullptr})["tell"];
    else
      kernel = Module::load(*context, "// spl.kernel " + signature +
                                          "\n.version 6.3\n.target sm_75\n.address_size 64\n" +
                                          entry("tell", checked) +
                                          entry("tell$unchecked", unchecked))["tell"];
    out = context->allocZeros<std::int32_t>(10);
  }
  void TearDown() override {
    kernel.reset();
    out.free();
    Conformance::TearDown();
  }

  Array<std::int32_t> ofSize(std::size_t size) { return context->allocZeros<std::int32_t>(size); }

  /// Which of the two kernels wrote the first \p count elements of out. Resets them to 0.
  std::int32_t whoWrote(std::size_t count = 10) {
    const std::vector<std::int32_t> values = out.download();
    const std::int32_t who = values.at(0);
    for (std::size_t i = 0; i < values.size(); ++i)
      EXPECT_EQ(values[i], i < count ? who : 0) << i;
    out.fill(0);
    return who;
  }

  std::optional<Kernel> kernel;
  Array<std::int32_t> out;
};

} // namespace

TEST_P(Contracts, ChooseTheKernelOfEachLaunch) {
  auto ten = ofSize(10), nine = ofSize(9), none = ofSize(0);
  Stream stream = context->makeStream();
  struct Case {
    Array<std::int32_t> &a;
    std::uint32_t limit;
    LaunchConfig config;
    std::int32_t who;
  };
  const Case cases[] = {
      {ten, 0, {.global = {10}, .local = {5}}, unchecked},
      {nine, 0, {.global = {10}, .local = {5}}, checked},
      {nine, 0, {.global = {9}, .local = {3}}, unchecked},
      // The whole groups have 12 work-items.
      {nine, 0, {.global = {9}, .local = {4}}, checked},
      {nine, 0, {.global = {1}, .local = {9}}, unchecked},
      {none, 0, {.global = {1}, .local = {1}}, checked},
      {ten, 0, {.global = {5000}, .local = {1000}}, unchecked}, // out is shorter than the launch
      {ten, 5, {.global = {10}, .local = {5}}, unchecked},
      {ten, 6, {.global = {10}, .local = {5}}, checked},
      {ten, 0x80000000, {.global = {10}, .local = {5}}, checked},
  };
  for (const Case &c : cases) {
    const auto written = [&] {
      return static_cast<std::size_t>(
          std::min<std::int64_t>(10, (c.config.global[0] + c.config.local[0] - 1) /
                                         c.config.local[0] * c.config.local[0]));
    };
    context->launch(*kernel, c.config, c.limit, c.a, out);
    EXPECT_EQ(whoWrote(written()), c.who);
    context->launchAsync(stream, *kernel, c.config, c.limit, c.a, out);
    EXPECT_EQ(whoWrote(written()), c.who) << "in a stream";
    const std::vector<Argument> named = {{"out", out}, {"a", c.a}, {"limit", c.limit}};
    context->launch(*kernel, c.config, named);
    EXPECT_EQ(whoWrote(written()), c.who) << "by name";
  }
}

TEST_P(Contracts, TellWhatALaunchDoesNotMeet) {
  auto ten = ofSize(10), nine = ofSize(9);
  const LaunchConfig config = {.global = {10}, .local = {5}};
  const std::string lengths = "min(gpu.global_size(0), out.len()) <= a.len()";
  const std::string limits = "limit <= gpu.local_size(0)";
  EXPECT_EQ(context->unmetCondition(*kernel, config, 5u, ten, out), "");
  EXPECT_EQ(context->unmetCondition(*kernel, config, 5u, nine, out), lengths);
  EXPECT_EQ(context->unmetCondition(*kernel, config, 6u, nine, out), lengths);
  EXPECT_EQ(context->unmetCondition(*kernel, config, 6u, ten, out), limits);
  EXPECT_EQ(context->unmetCondition(*kernel, config, 0x80000000u, ten, out), limits);
  EXPECT_EQ(context->unmetCondition(*kernel, {.global = {0}}, 6u, nine, out), "");
  EXPECT_THROW(context->unmetCondition(*kernel, config, 6, nine, out), Error);
  EXPECT_THROW(context->unmetCondition(*kernel, {.global = {-1}}, 6u, nine, out), Error);
  EXPECT_EQ(whoWrote(), 0);
}

// The values are those of the launch. Each remedy alone meets the condition.
TEST_P(Contracts, TellWhatWouldMeetThem) {
  auto ten = ofSize(10), nine = ofSize(9), none = ofSize(0);
  const LaunchConfig config = {.global = {10}, .local = {5}};
  const auto told = [&](std::uint32_t limit, const Array<std::int32_t> &a) {
    const std::optional<UnmetContract> unmet =
        context->unmetContract(*kernel, config, limit, a, out);
    return unmet ? unmet->condition + "; " + unmet->values + "; " + unmet->remedy : "";
  };
  const std::string lengths =
      "min(gpu.global_size(0), out.len()) <= a.len(); gpu.global_size(0) = 10, out.len() = 10, ";
  EXPECT_EQ(told(5, ten), "");
  EXPECT_EQ(told(5, nine), lengths + "a.len() = 9; gpu.global_size(0) = 5, or out.len() = 9, "
                                     "or a.len() = 10");
  EXPECT_EQ(told(5, none), lengths + "a.len() = 0; a.len() = 10");
  EXPECT_EQ(told(6, ten),
            "limit <= gpu.local_size(0); limit = 6, gpu.local_size(0) = 5; limit = 5, "
            "or gpu.local_size(0) = 6");
  EXPECT_EQ(told(0x80000000, ten),
            "limit <= gpu.local_size(0); limit = 2147483648, gpu.local_size(0) = 5; limit = 5");
  EXPECT_FALSE(context->unmetContract(*kernel, {.global = {0}}, 6u, nine, out));
  EXPECT_THROW(context->unmetContract(*kernel, config, 6, nine, out), Error);
  EXPECT_EQ(whoWrote(), 0);
}

// Each slice's condition is a group. Each version writes its number.
TEST_P(Contracts, ChooseTheVersionForTheGroupThatIsNotMet) {
  const std::string grouped =
      "tell(limit: u32, a: &[i32], out: &mut [i32]) unchecked if out.len() <= a.len() and if "
      "limit <= gpu.local_size(0)";
  constexpr std::int32_t shortA = 3, largeLimit = 4;
  const Module module =
      GetParam().backend == Backend::Cpu
          ? Module::load(*context, HostCode{{{.signature = grouped,
                                              .entry = tell<checked>,
                                              .unchecked = tell<unchecked>,
                                              .unmet = {tell<shortA>, tell<largeLimit>}}},
                                            nullptr})
          : Module::load(*context, "// spl.kernel " + grouped +
                                       "\n.version 6.3\n.target sm_75\n.address_size 64\n" +
                                       entry("tell", checked) + entry("tell$unchecked", unchecked) +
                                       entry("tell$unmet1", shortA) +
                                       entry("tell$unmet2", largeLimit));
  auto ten = ofSize(10), nine = ofSize(9);
  const LaunchConfig config = {.global = {10}, .local = {5}};
  struct Case {
    Array<std::int32_t> &a;
    std::uint32_t limit;
    std::int32_t who;
  };
  const Case cases[] = {
      {ten, 5, unchecked}, {nine, 5, shortA}, {ten, 6, largeLimit}, {nine, 6, checked}};
  Stream stream = context->makeStream();
  for (const auto &[a, limit, who] : cases) {
    context->launch(module["tell"], config, limit, a, out);
    EXPECT_EQ(whoWrote(), who);
    const std::optional<UnmetContract> unmet =
        context->unmetContract(module["tell"], config, limit, a, out);
    EXPECT_EQ(unmet.has_value(), who != unchecked);
    EXPECT_EQ(unmet && unmet->allChecks, who == checked);
    GraphExec exec = Graph::capture(stream, [&] {
                       context->launchAsync(stream, module["tell"], config, 5u, ten, out);
                     }).instantiate();
    exec.setArguments(0, limit, a, out);
    exec.launch(stream);
    EXPECT_EQ(whoWrote(), who) << "in a graph";
  }
}

TEST_P(Contracts, HoldForEmptyArraysAndNoWorkItems) {
  auto none = ofSize(0), nothing = ofSize(0);
  context->launch(*kernel, {.global = {7}}, 0u, none, nothing);
  context->launch(*kernel, {.global = {0}}, 0u, none, out);
  EXPECT_EQ(whoWrote(), 0);
  if (fake) {
    ASSERT_EQ((*fake)->launches.size(), 1u);
    EXPECT_EQ((*fake)->launches[0].kernel, "tell$unchecked");
  }
}

TEST_P(Contracts, AreTestedForEachLaunchOfAGraph) {
  auto ten = ofSize(10), nine = ofSize(9);
  auto other = ofSize(10);
  const auto otherWriter = [&] { return other.download().at(3); };
  Stream stream = context->makeStream();
  const LaunchConfig config = {.global = {10}, .local = {5}};
  const Graph graph = Graph::capture(stream, [&] {
    context->launchAsync(stream, *kernel, config, 0u, ten, out);
    context->launchAsync(stream, *kernel, config, 0u, nine, other);
  });
  GraphExec exec = graph.instantiate();
  exec.launch(stream);
  EXPECT_EQ(whoWrote(), unchecked);
  EXPECT_EQ(otherWriter(), checked);

  exec.setArguments(0, 0u, nine, out);
  exec.setArguments(1, 0u, ten, other);
  exec.launch(stream);
  EXPECT_EQ(whoWrote(), checked);
  EXPECT_EQ(otherWriter(), unchecked);

  exec.setArguments(0, 5u, ten, out);
  exec.setArguments(1, 6u, ten, other);
  exec.launch(stream);
  EXPECT_EQ(whoWrote(), unchecked);
  EXPECT_EQ(otherWriter(), checked);

  const LaunchConfig larger = {.global = {12}, .local = {6}},
                     smaller = {.global = {9}, .local = {3}};
  const std::vector<Argument> six = {6u, ten, other}, few = {0u, nine, out};
  exec.setLaunch(0, &config, few);
  exec.setLaunch(1, &larger, six);
  exec.launch(stream);
  EXPECT_EQ(whoWrote(), checked);
  EXPECT_EQ(otherWriter(), unchecked);
  exec.setLaunch(0, &smaller, few);
  exec.setLaunch(1, &config, six);
  exec.launch(stream);
  EXPECT_EQ(whoWrote(9), unchecked);
  EXPECT_EQ(otherWriter(), checked);
  exec.setArguments(0, 4u, nine, out); // with the geometry that was set last
  exec.setArguments(1, 5u, ten, other);
  exec.launch(stream);
  EXPECT_EQ(whoWrote(9), checked);
  EXPECT_EQ(otherWriter(), unchecked);

  GraphExec untouched = graph.instantiate(); // changes do not affect the captured graph
  untouched.launch(stream);
  EXPECT_EQ(whoWrote(), unchecked);
  EXPECT_EQ(otherWriter(), checked);
}

SPL_ON_EVERY_BACKEND(Contracts);
