// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code that every entry of the fake driver runs first: it counts the call, returns an error if
// a test demands one, and checks the preconditions of the call.
#pragma once

#include "test/fakecuda/State.h"

namespace spl::fake {

/// Results of the driver that the fake returns and the runtime has no name for.
enum Result : int {
  InvalidValue = 1,
  NotInitialized = 3,
  InvalidDevice = 101,
  InvalidImage = 200,
  InvalidContext = 201,
  PeerAccessUnsupported = 217,
  InvalidPtx = 218,
  InvalidHandle = 400,
  IllegalState = 401,
  CooperativeLaunchTooLarge = 720,
  NotPermitted = 800,
  NotSupported = 801,
  CaptureUnsupported = 900,
  CaptureInvalidated = 901,
  CaptureMerge = 902,
  CaptureUnmatched = 903,
  CaptureUnjoined = 904,
  CaptureIsolation = 905,
  CaptureImplicit = 906,
  CapturedEvent = 907,
  CaptureWrongThread = 908,
  Unknown = 999,
};

/// Preconditions and properties of a call.
enum Trait : unsigned {
  Plain = 0,
  InContext = 1,    ///< fails unless the thread has a current context without a sticky error
  Releases = 2,     ///< releases an object, also if a test makes the call fail
  NotInCapture = 4, ///< fails while this thread captures, or another one in global mode
  Always = 8,       ///< allowed before cuInit
  Asks = 16,        ///< returns NotInitialized before cuInit; that is no misuse
};

/// The stack of contexts of a thread. It has no destructor, because objects that are destroyed late
/// still push contexts.
struct ContextStack {
  std::array<CuContext, 64> contexts;
  std::size_t size;

  CuContext top() const { return size ? contexts[size - 1] : nullptr; }
};
extern thread_local ContextStack currentContexts;

/// True while the thread runs a host function of a stream. Such a function may not call the driver.
extern thread_local bool isInHostFunction;

class Call {
public:
  Call(const char *name, unsigned traits);

  Lock lock;
  CuResult refused = CuResult::Success; ///< if not Success, the call returns this at once
  CuResult forced = CuResult::Success;  ///< if not Success, the call runs and then returns this

  Context &context() const { return *current; }
  const std::shared_ptr<Context> &sharedContext() const { return current; }

  /// The stream of a handle. If it is no stream of the current context, records a misuse and
  /// returns null.
  std::shared_ptr<Stream> stream(CuStream handle);
  std::shared_ptr<Event> event(CuEvent handle, bool ofAnyContext = false);
  template <typename Handle, typename Object>
  std::shared_ptr<Object> find(const Handles<Handle, Object> &all, Handle handle,
                               const char *kind) {
    std::shared_ptr<Object> found = all.find(handle);
    if (!found)
      misuse(std::string("of what is no ") + kind);
    return found;
  }

  /// Adds work to a stream, or to the graph into which the stream is captured.
  CuResult enqueue(CuStream handle, Work work);
  /// Runs work in the default stream and waits for it.
  CuResult runInDefaultStream(Work work);
  /// Waits, and returns the sticky error of the context, if it has one.
  CuResult waitFor(const Point &point);
  CuResult waitForAll();

  /// Makes the capture invalid and returns \p answer.
  CuResult invalidate(Capture &capture, Result answer) const;
  /// Records a misuse: a call that could crash with a real driver. Returns \p answer.
  CuResult misuse(const std::string &text, int answer = InvalidValue) const;

private:
  CuResult captureWork(Stream &stream, Work work);
  /// Fails if a stream that the default stream waits for is being captured.
  CuResult checkDefaultStream() const;

  const char *name;
  std::shared_ptr<Context> current;
};

/// The common part of all entries: \p body runs unless a check refused the call.
template <typename Body> CuResult enter(const char *name, unsigned traits, Body body) {
  Call call(name, traits);
  if (call.refused != CuResult::Success)
    return call.refused;
  const CuResult result = body(call);
  return call.forced != CuResult::Success ? call.forced : result;
}

/// Whether a call that returns \p result leaves the context with a sticky error.
bool isSticky(CuResult result);
/// Whether the limits of a device allow a launch of this size.
CuResult checkLaunch(const LaunchWork &work);
/// Describes queued work that reads or writes these bytes of the host. Empty if there is none.
std::string queuedUser(const void *address, std::size_t bytes);

inline CuResult give(int result) { return static_cast<CuResult>(result); }

/// The handle of device 0. Handles differ from indices, so that tests notice if one is taken for
/// the other.
constexpr CuDevice firstDevice = 100;
inline bool isDevice(CuDevice device) {
  return device >= firstDevice && device < firstDevice + state().visible.deviceCount;
}

} // namespace spl::fake
