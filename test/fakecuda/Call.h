// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The frame of every entry: it is counted, it may be made to fail, what it needs is checked.
#pragma once

#include "test/fakecuda/State.h"

namespace spl::fake {

/// The driver's results that only the fake gives.
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

/// What a call needs and does.
enum Trait : unsigned {
  Plain = 0,
  InContext = 1,    ///< a context must be current and whole
  Releases = 2,     ///< gives something back, even where it is made to fail
  NotInCapture = 4, ///< not while this thread, or any in the global mode, captures
  Always = 8,       ///< may come before cuInit
  Asks = 16,        ///< may too, and says that there was none
};

/// Contexts that a thread pushed. Without a destructor, as objects that end late still push.
struct ContextStack {
  std::array<CuContext, 64> contexts;
  std::size_t size;

  CuContext top() const { return size ? contexts[size - 1] : nullptr; }
};
extern thread_local ContextStack currentContexts;

/// While a thread runs a function that a stream called: it may not call the driver.
extern thread_local bool isInHostFunction;

class Call {
public:
  Call(const char *name, unsigned traits);

  Lock lock;
  CuResult refused = CuResult::Success; ///< why it is not to be carried out
  CuResult forced = CuResult::Success;  ///< what it returns although it is

  Context &context() const { return *current; }
  const std::shared_ptr<Context> &sharedContext() const { return current; }

  /// The object behind a handle, which must be of the current context; null after a misuse.
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

  /// Puts work into a stream, or into the graph that is captured from it.
  CuResult enqueue(CuStream handle, Work work);
  /// As the calls that return when their work is done: in the default stream.
  CuResult runInDefaultStream(Work work);
  /// Waits, and returns what the context has come to.
  CuResult waitFor(const Point &point);
  CuResult waitForAll();

  /// Ends a capture that this call does not belong into.
  CuResult invalidate(Capture &capture, Result answer) const;
  /// Notes what a real driver would not survive.
  CuResult misuse(const std::string &text, int answer = InvalidValue) const;

private:
  CuResult captureWork(Stream &stream, Work work);
  /// The default stream waits for others, which must not be captured.
  CuResult checkDefaultStream() const;

  const char *name;
  std::shared_ptr<Context> current;
};

/// The shape of every entry: \p body takes the call, unless that is refused before.
template <typename Body> CuResult enter(const char *name, unsigned traits, Body body) {
  Call call(name, traits);
  if (call.refused != CuResult::Success)
    return call.refused;
  const CuResult result = body(call);
  return call.forced != CuResult::Success ? call.forced : result;
}

/// Whether a context of which a call returns this is lost.
bool isSticky(CuResult result);
/// Whether a device takes a launch of this size.
CuResult checkLaunch(const LaunchWork &work);
/// Work that is queued and copies from or to these bytes of the host; empty if there is none.
std::string queuedUser(const void *address, std::size_t bytes);

inline CuResult give(int result) { return static_cast<CuResult>(result); }

/// A device's handle, which is not its index.
constexpr CuDevice firstDevice = 100;
inline bool isDevice(CuDevice device) {
  return device >= firstDevice && device < firstDevice + state().visible.deviceCount;
}

} // namespace spl::fake
