// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/fakecuda/Call.h"

namespace spl::fake {

/// Whether the test has told the fake to let this call fail.
static bool isToFail(test::FakeCuda &fake, const char *name) {
  if (fake.failAt != 0 &&
      (fake.failsOnwards ? fake.callCount >= fake.failAt : fake.callCount == fake.failAt))
    return true;
  return !fake.failingCall.empty() && fake.failingCall == name && fake.callsBefore-- <= 0;
}

bool isSticky(CuResult result) {
  switch (static_cast<int>(result)) {
  case 214: // uncorrectable ECC error
  case 220: // uncorrectable NVLink error
  case 226: // contained error
  case 700: // errors of kernels: illegal address and the like
  case 702:
  case 709: // context is destroyed
  case 710:
  case 714:
  case 715:
  case 716:
  case 717:
  case 718:
  case 719:
    return true;
  default:
    return false;
  }
}

Call::Call(const char *name, unsigned traits) : lock(state().mutex), name(name) {
  test::FakeCuda &fake = state().visible;
  if (fake.hookedCall == name) {
    fake.hookedCall.clear();
    lock.unlock();
    fake.hook();
    lock.lock();
  }
  ++fake.callCount;
  auto counted = fake.calls.find(std::string_view(name));
  ++(counted == fake.calls.end() ? fake.calls[name] : counted->second);
  if (fake.records)
    fake.callNames.push_back(name);
  if (fake.deadlyCall == name)
    std::abort();
  if (isToFail(fake, name)) {
    (traits & Releases ? forced : refused) = give(fake.failingResult);
    const std::shared_ptr<Context> failing = state().contexts.find(currentContexts.top());
    if (failing && isSticky(give(fake.failingResult))) {
      failing->lost = give(fake.failingResult);
      fake.lostContext = true;
    }
  } else if (isInHostFunction)
    refused = misuse("in a function that a stream called", NotPermitted);
  else if (state().isForked)
    refused = misuse("in a child made by fork", NotInitialized);
  else if (!(traits & Always) && !state().isInitialized)
    refused = traits & Asks ? give(NotInitialized) : misuse("before cuInit", NotInitialized);
  if (refused != CuResult::Success || !(traits & InContext))
    return;

  // Null if a test pushed a handle without a context.
  current = state().contexts.find(currentContexts.top());
  if (!current)
    refused = misuse("without a context", InvalidContext);
  else
    refused = current->lost;
  if (refused != CuResult::Success || !(traits & NotInCapture))
    return;
  for (const std::shared_ptr<Capture> &capture : state().captures)
    if ((capture->mode == 0 && captureModeOfThread == 0) ||
        (capture->mode != 2 && captureModeOfThread != 2 &&
         capture->thread == std::this_thread::get_id()))
      refused = invalidate(*capture, CaptureUnsupported);
}

CuResult Call::misuse(const std::string &text, int answer) const {
  state().misuse(std::string(name) + " " + text);
  return give(answer);
}

CuResult Call::invalidate(Capture &capture, Result answer) const {
  capture.isInvalid = true;
  return give(answer);
}

std::shared_ptr<Stream> Call::stream(CuStream handle) {
  if (!handle)
    return current->null;
  std::shared_ptr<Stream> found = state().streams.find(handle);
  if (found && found->context == current.get())
    return found;
  misuse(found ? "in a stream of another context" : "in what is no stream");
  return nullptr;
}

std::shared_ptr<Event> Call::event(CuEvent handle, bool ofAnyContext) {
  std::shared_ptr<Event> found = state().events.find(handle);
  if (found && (ofAnyContext || found->context == current))
    return found;
  misuse(found ? "of an event of another context" : "of what is no event");
  return nullptr;
}

CuResult Call::enqueue(CuStream handle, Work work) {
  const std::shared_ptr<Stream> found = stream(handle);
  if (!found)
    return give(InvalidHandle);
  if (found->capture)
    return captureWork(*found, std::move(work));
  if (!handle)
    if (CuResult result = checkDefaultStream(); result != CuResult::Success)
      return result;
  const Point point = push(found, std::move(work));
  if (state().visible.seed && state().random() % 3 == 0) {
    drain(point, lock);
    return current->lost;
  }
  return CuResult::Success;
}

CuResult Call::checkDefaultStream() const {
  for (const std::shared_ptr<Capture> &capture : state().captures)
    for (const auto &[handle, stream] : state().streams)
      if (stream->capture == capture && stream->context == current.get() && stream->isBlocking)
        return invalidate(*capture, CaptureImplicit);
  return CuResult::Success;
}

CuResult Call::runInDefaultStream(Work work) {
  if (CuResult result = checkDefaultStream(); result != CuResult::Success)
    return result;
  return waitFor(push(current->null, std::move(work)));
}

CuResult Call::waitFor(const Point &point) {
  drain(point, lock);
  return current->lost;
}

CuResult Call::waitForAll() {
  drain(*current, lock);
  return current->lost;
}

} // namespace spl::fake
