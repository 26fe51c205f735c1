// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scenarios of failed checks in kernels.
#include "test/conformance/CheckedKernel.h"
#include "test/scenarios/Scenario.h"

using namespace spl;
using namespace spl::test;

namespace {

/// A context with the kernel of checkedPtx, and an array for it.
struct Checked {
  Context context = openCuda();
  Kernel kernel = Module::load(context, checkedPtx)["checked"];
  Array<std::int32_t> out = context.allocZeros<std::int32_t>(3);

  void launch(const Stream &stream, std::int64_t at) {
    context.launchAsync(stream, kernel, {.global = {4}}, at, out);
  }
};

} // namespace

SPL_SCENARIO(ReportAFault) {
  Checked checked;
  bool isCalled = false;
  Stream stream = checked.context.makeStream();
  Event event = checked.context.makeEvent();
  checked.launch(stream, 1);
  stream.call([&] { isCalled = true; });
  stream.record(event);
  requireError(fake, ErrorCode::KernelFault, [&] { event.sync(); });
  require(!isCalled, "a function came after the fault");
  checked.launch(stream, -1);
  stream.sync();
  require(checked.out.download() == Ints{2, 1, 2}, "the elements");
}

SPL_SCENARIO(ReportAFaultOfAStreamThatHasEnded) {
  Checked checked;
  {
    Stream stream = checked.context.makeStream();
    checked.launch(stream, 2);
  }
  requireError(fake, ErrorCode::KernelFault, [&] { checked.context.sync(); });
}

SPL_SCENARIO(ReportAFaultOfAGraph) {
  Checked checked;
  Stream stream = checked.context.makeStream();
  GraphExec exec = Graph::capture(stream, [&] { checked.launch(stream, 0); }).instantiate();
  exec.launch(stream);
  requireError(fake, ErrorCode::KernelFault, [&] { stream.sync(); });
  exec.setArguments(0, std::int64_t{-1}, checked.out);
  exec.launch(stream);
  require(checked.out.download() == Ints{1, 2, 2}, "the elements");
}

SPL_SCENARIO(LeaveAFaultBehind) {
  Checked checked;
  Stream stream = checked.context.makeStream();
  checked.launch(stream, 1);
}
