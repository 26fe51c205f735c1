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

/// A context with that kernel. Its contract is that the array has at most as many elements as a
/// parameter says.
struct WithContract {
  Context context = openCuda();
  Module module = Module::load(context, "// spl.kernel tell(most: i32, x: &mut [i32]) "
                                        "unchecked if x.len() <= most\n"
                                        ".version 6.3\n.target sm_75\n.address_size 64\n" +
                                            entry("tell", 1) + entry("tell$unchecked", 10));

  void add(const Stream &stream, std::int32_t maxElements, Array<std::int32_t> &array) const {
    context.launchAsync(stream, module["tell"], {.global = {array.size()}}, maxElements, array);
  }
};

} // namespace

SPL_SCENARIO(LaunchByContract) {
  WithContract opened;
  Stream stream = opened.context.makeStream();
  auto array = opened.context.allocZeros<std::int32_t>(3);
  opened.add(stream, 2, array);
  opened.add(stream, 3, array);
  opened.context.launch(opened.module["tell"], {.global = {2}, .local = {1}}, 4, array);
  stream.sync();
  require(array.download() == Ints{21, 21, 11}, "the elements");
}

SPL_SCENARIO(CaptureByContract) {
  WithContract opened;
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
