// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fakecuda/State.h"

#include "test/fakecuda/Call.h"

#include <cstdlib>
#include <pthread.h>

namespace spl::fake {

thread_local ContextStack currentContexts;

/// The settings from the environment.
static test::FakeCuda initial() {
  test::FakeCuda fake;
  fake.driverVersion = builtVersion;
  if (const char *text = std::getenv("SPL_FAKE_CUDA_CAPABILITY"))
    fake.capability = static_cast<int>(10 * std::atof(text) + 0.5);
  if (const char *text = std::getenv("SPL_FAKE_CUDA_DEVICES"))
    fake.deviceCount = std::atoi(text);
  if (const char *text = std::getenv("SPL_FAKE_CUDA_SICK"))
    fake.sickDevice = std::atoi(text);
  if (const char *text = std::getenv("SPL_FAKE_CUDA_SEED"))
    fake.seed = std::strtoull(text, nullptr, 10);
  return fake;
}

State &state() {
  static auto *state = [] { // never destroyed, because static objects may call the driver at exit
    auto *made = new State;
    made->reset();
    return made;
  }();
  return *state;
}

void State::reset() {
  static const int once = pthread_atfork(nullptr, nullptr, [] {
    state().isForked = state().isInitialized; // a child made by fork loses only what cuInit made
  });
  (void)once;
  visible = initial();
  for (const auto &[handle, context] : contexts)
    context->dismantle();
  for (const std::shared_ptr<Context> &context : left)
    context->dismantle();
  captures.clear();
  streams.clear();
  events.clear();
  pools.clear();
  graphs.clear();
  execs.clear();
  functions.clear();
  modules.clear();
  hostBlocks.clear();
  primaries.clear();
  contexts.clear();
  left.clear();
  faultText.clear();
  random.seed(visible.seed.value_or(0));
  isInitialized = isForked = false;
  currentContexts.size = 0;
}

void State::count() {
  std::map<std::string, int> live;
  auto add = [&](const char *kind, std::size_t count) {
    if (count != 0)
      live[kind] += static_cast<int>(count);
  };
  auto addContext = [&](const Context &context) {
    for (const auto &[address, allocation] : context.allocations)
      add(allocation.pool ? "pool allocation" : allocation.host ? "managed" : "allocation", 1);
    add("context", static_cast<std::size_t>(context.retained));
  };
  for (const auto &[handle, context] : contexts)
    addContext(*context);
  for (const std::shared_ptr<Context> &context : left)
    addContext(*context);
  add("stream", streams.size());
  add("event", events.size());
  add("pool", pools.size());
  add("graph", graphs.size());
  add("graph exec", execs.size());
  add("module", modules.size());
  add("pinned", hostBlocks.size());
  visible.live = std::move(live);
}

bool State::isPinned(const void *address, std::size_t bytes) const {
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  if (auto after = hostBlocks.upper_bound(begin); after != hostBlocks.begin()) {
    const auto &[base, block] = *std::prev(after);
    if (begin - base <= block.size && bytes <= block.size - (begin - base))
      return true;
  }
  for (const auto &[handle, context] : contexts)
    if (context->holds(begin, bytes))
      return true;
  return false;
}

void Context::dismantle() {
  null->queue.clear();
  for (const std::shared_ptr<Stream> &stream : streams) {
    stream->queue.clear();
    stream->capture.reset();
  }
}

bool Context::holds(CuDevicePtr address, std::size_t bytes) const {
  auto after = allocations.upper_bound(address);
  if (after == allocations.begin())
    return false;
  const auto &[base, allocation] = *std::prev(after);
  return address - base <= allocation.bytes && bytes <= allocation.bytes - (address - base);
}

} // namespace spl::fake

extern "C" spl::test::FakeCuda *spl_fake_cuda(bool reset) {
  std::lock_guard lock(spl::fake::state().mutex);
  if (reset)
    spl::fake::state().reset();
  return &spl::fake::state().visible;
}
