// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scenarios with launch contracts.
#include "test/conformance/Kernels.h"
#include "test/scenarios/Scenario.h"

#include <spl/Graph.h>

using namespace spl;
using namespace spl::test;

namespace {

/// An entry that adds \p number to each element: 1 with checks, 10 without.
std::string entry(const std::string &name, int number) {
  return elementEntry(name, ".param .u32 most, .param .u64 out, .param .u64 out_len",
                      "ld.global.b32 %r1, [%rd3];\nadd.s32 %r1, %r1, " + std::to_string(number) +
                          ";\nst.global.b32 [%rd3], %r1;\n");
}

constexpr const char *signature = "tell(most: i32, x: &mut [i32]) unchecked if x.len() <= most";
constexpr const char *header = ".version 6.3\n.target sm_75\n.address_size 64\n";

/// A module with both versions of the kernel.
Module loadWhole(const Context &context) {
  return Module::load(context, "// spl.kernel " + std::string(signature) + "\n" + header +
                                   entry("tell", 1) + entry("tell$unchecked", 10));
}

/// A module whose version with all checks is compiled later.
Module loadPart(const Context &context) {
  CompiledCode code{header + entry("tell$unchecked", 10), {Signature(signature)}, {"tell"}};
  code.compileLater = [](const std::string &name, std::int64_t) { return header + entry(name, 1); };
  return Module::load(context, std::move(code));
}

/// A context with that kernel. Its contract is that the array has at most as many elements as a
/// parameter says.
struct WithContract {
  Context context = openCuda();
  Module module;

  explicit WithContract(Module (*load)(const Context &) = loadWhole) : module(load(context)) {}

  void add(const Stream &stream, std::int32_t maxElements, Array<std::int32_t> &array) const {
    context.launchAsync(stream, module["tell"], {.global = {array.size()}}, maxElements, array);
  }
};

} // namespace

namespace {

void launchEach(const WithContract &opened) {
  Stream stream = opened.context.makeStream();
  auto array = opened.context.allocZeros<std::int32_t>(3);
  opened.add(stream, 2, array);
  opened.add(stream, 3, array);
  opened.context.launch(opened.module["tell"], {.global = {2}, .local = {1}}, 4, array);
  stream.sync();
  require(array.download() == Ints{21, 21, 11}, "the elements");
}

void captureEach(const WithContract &opened, FakeDriver &fake) {
  Stream stream = opened.context.makeStream();
  auto array = opened.context.allocZeros<std::int32_t>(3);
  const int fast = fake->driverVersion < 12000 ? 1 : 10; // whether the kernel of a node can change
  GraphExec exec = Graph::capture(stream, [&] {
                     opened.add(stream, 2, array);
                     opened.add(stream, 3, array);
                   }).instantiate();
  exec.launch(stream);
  stream.sync();
  require(array.download() == Ints(3, 1 + fast), "the elements");
  exec.setArguments(0, 3, array);
  exec.launch(stream);
  exec.setArguments(1, 2, array);
  exec.launch(stream);
  stream.sync();
  require(array.download() == Ints(3, 2 + 4 * fast), "the elements later");
}

} // namespace

SPL_SCENARIO(LaunchByContract) { launchEach(WithContract()); }
SPL_SCENARIO(CaptureByContract) { captureEach(WithContract(), fake); }
SPL_SCENARIO(LaunchLaterVersion) { launchEach(WithContract(loadPart)); }
SPL_SCENARIO(CaptureLaterVersion) { captureEach(WithContract(loadPart), fake); }

/// A module that is loaded while its context captures is loaded completely.
SPL_SCENARIO(LoadLaterVersionInCapture) {
  const Context context = openCuda();
  Stream stream = context.makeStream();
  auto array = context.allocZeros<std::int32_t>(3);
  std::optional<Module> module;
  GraphExec exec = Graph::capture(stream, [&] {
                     module = loadPart(context);
                     context.launchAsync(stream, (*module)["tell"], {.global = {3}}, 2, array);
                   }).instantiate();
  exec.launch(stream);
  stream.sync();
  require(array.download() == Ints(3, 1), "the elements");
}
