// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scenarios of kernels with grid barriers.
#include "test/conformance/MeetingKernel.h"
#include "test/scenarios/Scenario.h"

using namespace spl;
using namespace spl::test;

namespace {

/// A context with the kernel of meetingPtx, and an array for it.
struct Meeting {
  Context context = openCuda();
  Kernel kernel = Module::load(context, meetingPtx)["meet"];
  Array<std::int32_t> a = context.allocUpload<std::int32_t>({1, 2, 3, 4, 5, 6});

  void launch(const Stream &stream, std::int64_t at) {
    context.launchAsync(stream, kernel, {.global = {6}, .local = {2}}, at, a);
  }
};

} // namespace

SPL_SCENARIO(MeetAtGridBarriers) {
  Meeting meeting;
  Stream stream = meeting.context.makeStream();
  meeting.launch(stream, -1);
  meeting.launch(stream, -1);
  stream.sync();
  require(meeting.a.download() == Ints(6, 20), "the elements");
  require(meeting.kernel.maxCooperativeGroups(32) > 0, "the limit");
}

SPL_SCENARIO(MeetAtGridBarriersOfAGraph) {
  Meeting meeting;
  Stream stream = meeting.context.makeStream();
  GraphExec exec = Graph::capture(stream, [&] { meeting.launch(stream, -1); }).instantiate();
  exec.launch(stream);
  exec.launch(stream);
  stream.sync();
  require(meeting.a.download() == Ints(6, 20), "the elements");
}

SPL_SCENARIO(ReportAFaultBetweenGridBarriers) {
  Meeting meeting;
  Stream stream = meeting.context.makeStream();
  meeting.launch(stream, 2);
  requireError(fake, ErrorCode::KernelFault, [&] { stream.sync(); });
  meeting.a.upload({1, 2, 3, 4, 5, 6});
  meeting.launch(stream, -1);
  stream.sync();
  require(meeting.a.download() == Ints(6, 9), "the elements");
}

SPL_SCENARIO(RefuseTooManyGroupsForAGridBarrier) {
  Meeting meeting;
  requireError(fake, ErrorCode::LaunchRefused, [&] {
    meeting.context.launch(meeting.kernel, {.global = {1 << 20}, .local = {1}}, std::int64_t{-1},
                           meeting.a);
  });
}
