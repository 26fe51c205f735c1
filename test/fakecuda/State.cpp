// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fakecuda/State.h"

#include <cstdlib>

namespace spl::test {

thread_local ContextStack currentContexts;

/// What the environment asks for.
static FakeCuda initial() {
  FakeCuda fake;
  if (const char *text = std::getenv("SPL_FAKE_CUDA_CAPABILITY"))
    fake.capability = static_cast<int>(10 * std::atof(text) + 0.5);
  if (const char *text = std::getenv("SPL_FAKE_CUDA_SEED"))
    fake.seed = std::strtoull(text, nullptr, 10);
  return fake;
}

State &state() {
  static auto *state = [] { // outlives every static object that may still call
    auto *made = new State;
    made->reset();
    return made;
  }();
  return *state;
}

void State::reset() {
  visible = initial();
  contexts.clear();
  faultText.clear();
  currentContexts.size = 0;
}

void State::count() {
  visible.liveAllocations = 0;
  visible.liveModules = visible.retained = 0;
  for (const auto &[device, context] : contexts) {
    visible.liveAllocations += context->allocations.size();
    visible.liveModules += static_cast<int>(context->modules.size());
    visible.retained += context->retained;
  }
}

Call::Call(const char *name, bool needsContext) : name(name), lock(state().mutex) {
  FakeCuda &fake = state().visible;
  ++fake.calls[name];
  if (fake.failingCall == name && fake.callsBefore-- <= 0) {
    result = static_cast<CuResult>(fake.failingResult);
    return;
  }
  if (!needsContext)
    return;
  bool isOwn = false; // a test may push what is none
  for (const auto &[device, context] : state().contexts)
    isOwn |= context.get() == currentContexts.top();
  result = isOwn ? context().lost : mistake("without a context", invalidContext);
}

CuResult Call::mistake(const std::string &text, CuResult answer) const {
  state().visible.mistakes.push_back(name + " " + text);
  return answer;
}

CuResult resultOf(ptxsim::ErrorKind kind) {
  switch (kind) {
  case ptxsim::ErrorKind::Syntax:
  case ptxsim::ErrorKind::Unsupported:
    return invalidPtx;
  case ptxsim::ErrorKind::BadLaunch:
    return CuResult::LaunchOutOfResources;
  case ptxsim::ErrorKind::Trap:
    return CuResult::LaunchFailed;
  case ptxsim::ErrorKind::OutOfBounds:
  case ptxsim::ErrorKind::ReadOnly:
    return CuResult::IllegalAddress;
  case ptxsim::ErrorKind::Misaligned:
    return CuResult::MisalignedAddress;
  case ptxsim::ErrorKind::BadSync:
    return CuResult::IllegalInstruction;
  case ptxsim::ErrorKind::Deadlock: // hangs until a watchdog ends it
  case ptxsim::ErrorKind::Budget:
    return CuResult::LaunchTimeout;
  }
  return CuResult::LaunchFailed;
}

} // namespace spl::test

extern "C" spl::test::FakeCuda *spl_fake_cuda(bool reset) {
  std::lock_guard lock(spl::test::state().mutex);
  if (reset)
    spl::test::state().reset();
  return &spl::test::state().visible;
}
