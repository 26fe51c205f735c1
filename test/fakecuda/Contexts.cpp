// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Primary contexts, and the stack of current contexts.
#include "test/fakecuda/Call.h"
#include "test/fakecuda/Entries.h"

using namespace spl::fake;

static std::shared_ptr<Context> makeContext(int ordinal) {
  auto context = std::make_shared<Context>(ordinal);
  context->null = std::make_shared<Stream>();
  context->null->context = context.get();
  for (const auto &[address, block] : state().hostBlocks)
    context->memory.map(block.bytes.get(), block.size);
  for (const auto &[handle, other] : state().contexts)
    for (const auto &[address, allocation] : other->allocations)
      if (allocation.host)
        context->memory.map(allocation.host.get(), allocation.bytes);
  return context;
}

/// Whether an object of the context still exists.
static bool isInUse(const std::shared_ptr<Context> &context) {
  State &all = state();
  auto isOf = [&](const auto &entry) { return entry.second->context == context; };
  auto isStreamOf = [&](const auto &entry) { return entry.second->context == context.get(); };
  auto isBlockOf = [&](const auto &entry) { return entry.second.context == context; };
  return !context->allocations.empty() ||
         std::any_of(all.streams.begin(), all.streams.end(), isStreamOf) ||
         std::any_of(all.events.begin(), all.events.end(), isOf) ||
         std::any_of(all.graphs.begin(), all.graphs.end(), isOf) ||
         std::any_of(all.execs.begin(), all.execs.end(), isOf) ||
         std::any_of(all.modules.begin(), all.modules.end(), isOf) ||
         std::any_of(all.hostBlocks.begin(), all.hostBlocks.end(), isBlockOf);
}

/// Removes all objects of a context from the tables of handles.
static void forget(const std::shared_ptr<Context> &context) {
  State &all = state();
  auto isOf = [&](const auto &object) { return object.context == context; };
  std::erase_if(all.captures, [&](const std::shared_ptr<Capture> &capture) {
    return capture->graph->context == context;
  });
  all.streams.eraseIf([&](const Stream &stream) { return stream.context == context.get(); });
  all.events.eraseIf(isOf);
  all.graphs.eraseIf(isOf);
  all.execs.eraseIf(isOf);
  all.functions.eraseIf([&](const Function &object) { return isOf(*object.module); });
  all.modules.eraseIf(isOf);
  std::erase_if(all.hostBlocks, [&](const auto &entry) { return isOf(entry.second); });
  context->allocations.clear();
}

extern "C" {

CuResult cuDevicePrimaryCtxRetain(CuContext *context, CuDevice device) {
  return enter("cuDevicePrimaryCtxRetain", Plain, [&](Call &) -> CuResult {
    if (!isDevice(device))
      return give(InvalidDevice);
    const int ordinal = device - firstDevice;
    auto [primary, isNew] = state().primaries.try_emplace(ordinal, nullptr);
    if (isNew)
      primary->second = state().contexts.add(makeContext(ordinal));
    ++state().contexts.find(primary->second)->retained;
    state().count();
    *context = primary->second;
    return CuResult::Success;
  });
}

CuResult cuDevicePrimaryCtxRelease_v2(CuDevice device) {
  return enter("cuDevicePrimaryCtxRelease", Releases, [&](Call &call) -> CuResult {
    auto found = state().primaries.find(device - firstDevice);
    if (found == state().primaries.end())
      return call.misuse("of a context that is not retained", InvalidContext);
    const CuContext handle = found->second;
    const std::shared_ptr<Context> context = state().contexts.find(handle);
    if (--context->retained == 0) {
      drain(*context, call.lock);
      state().primaries.erase(found);
      state().contexts.erase(handle);
      // The objects of a context with a sticky error are released with it. Those of another context
      // are kept, so that a test can see the leak.
      if (context->lost != CuResult::Success)
        forget(context);
      if (isInUse(context))
        state().left.push_back(context);
      else
        context->dismantle();
    }
    state().count();
    return CuResult::Success;
  });
}

CuResult cuCtxPushCurrent_v2(CuContext context) {
  const CuResult result = enter("cuCtxPushCurrent", Plain, [&](Call &call) -> CuResult {
    ContextStack &stack = currentContexts;
    if (stack.size == stack.contexts.size())
      return call.misuse("more often than it is popped");
    stack.contexts[stack.size++] = context;
    ++state().visible.pushed;
    return CuResult::Success;
  });
  if (isSticky(result)) { // a test demands this error
    std::lock_guard lock(state().mutex);
    if (const std::shared_ptr<Context> failing = state().contexts.find(context))
      failing->lost = result;
  }
  return result;
}

CuResult cuCtxPopCurrent_v2(CuContext *context) {
  return enter("cuCtxPopCurrent", Releases, [&](Call &call) -> CuResult {
    ContextStack &stack = currentContexts;
    if (stack.size == 0)
      return call.misuse("more often than one is pushed", InvalidContext);
    *context = stack.top();
    --stack.size;
    --state().visible.pushed;
    return CuResult::Success;
  });
}

CuResult cuCtxSynchronize() {
  return enter("cuCtxSynchronize", InContext, [&](Call &call) -> CuResult {
    for (const std::shared_ptr<Capture> &capture : state().captures)
      if (capture->graph->context == call.sharedContext())
        return call.invalidate(*capture, CaptureUnsupported);
    const CuResult result = call.waitForAll();
    for (const auto &[handle, pool] : state().pools)
      pool->trim(pool->threshold);
    return result;
  });
}

CuResult cuCtxGetStreamPriorityRange(int *least, int *greatest) {
  return enter("cuCtxGetStreamPriorityRange", InContext, [&](Call &) -> CuResult {
    *least = 0;
    *greatest = -5;
    return CuResult::Success;
  });
}

CuResult cuCtxEnablePeerAccess(CuContext peer, unsigned flags) {
  return enter("cuCtxEnablePeerAccess", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<Context> other = state().contexts.find(peer);
    if (!other || other == call.sharedContext() || flags != 0)
      return call.misuse("to what is no other context", InvalidContext);
    if (!state().visible.peers.count({call.context().ordinal, other->ordinal}))
      return give(PeerAccessUnsupported);
    return call.context().peers.insert(other.get()).second ? CuResult::Success
                                                           : CuResult::PeerAccessAlreadyEnabled;
  });
}

} // extern "C"
