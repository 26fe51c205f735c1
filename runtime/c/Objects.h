// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The objects of the C interface. Each holds the C++ object, and the text to which C programs get
// pointers.
#ifndef SPL_RUNTIME_C_OBJECTS_H
#define SPL_RUNTIME_C_OBJECTS_H

#include "runtime/c/Handles.h"
#include "spl/Config.h"
#include "spl/Context.h"
#include "spl/Trace.h"

#include <atomic>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace spl::capi {

struct ConfigObject {
  Config config;
};

struct ContextObject {
  Context context;
};

struct ArrayObject {
  Buffer buffer = {};
  std::string element = {}; ///< the name of its element type
};

struct StreamObject {
  explicit StreamObject(Stream stream) : stream(std::make_shared<Stream>(std::move(stream))) {}
  explicit StreamObject(std::shared_ptr<const Stream> stream) : stream(std::move(stream)) {}

  const std::shared_ptr<const Stream> stream; ///< a stream of the program or of a pipeline

  // These replace a lock, which fork could leave locked.
  /// The number of calls that use it now; -1 if one thread has exclusive use.
  std::atomic<int> users{0};
  std::atomic<std::thread::id> owner{}; ///< the thread that has exclusive use
  int claims = 0;                       ///< the number of exclusive uses by the owner's calls
};

/// The use of a stream for the duration of a call. Threads share a stream, except while it takes
/// part in a capture: then only the capturing thread may use it, and the constructor throws
/// HandleInUse in other threads.
class StreamUse {
public:
  enum Access { Shared, Exclusive };
  explicit StreamUse(std::uint64_t handle, Access access = Shared);
  ~StreamUse();
  StreamUse(const StreamUse &) = delete;
  StreamUse &operator=(const StreamUse &) = delete;

  const Stream &operator*() const { return *held->stream; }
  const Stream *operator->() const { return held->stream.get(); }

private:
  std::shared_ptr<StreamObject> held;
  Access access;
  bool isCounted = false; ///< whether this is counted in users
};

/// The streams that take part in this thread's capture, until the capture ends. Null outside a
/// capture.
extern thread_local std::list<StreamUse> *capturedStreams;

struct EventObject : OneAtATime {
  explicit EventObject(Event event) : event(std::move(event)) {}
  Event event;
};

struct ModuleObject {
  Module module;
};

struct KernelObject {
  explicit KernelObject(Kernel taken);

  Kernel kernel;
  std::string signature, prototype;
  std::vector<std::string> types, elements; ///< the texts of the parameters' types
};

struct TraceObject {
  Trace trace = {};
  std::mutex mutex = {};
  std::vector<Trace::Lane> lanes = {}; ///< guarded by mutex
};

/// Makes an object of class T from \p value and returns its handle.
template <typename T, typename Value> std::uint64_t makeObject(Value &&value) {
  return makeHandle(std::make_shared<T>(std::forward<Value>(value)));
}

inline std::uint64_t makeKernel(Kernel kernel) {
  return makeHandle(std::make_shared<KernelObject>(std::move(kernel)));
}

/// Returns a handle of the array that \p make returns. Makes the handle first, because \p make must
/// be the last step that can fail.
template <typename Make> std::uint64_t makeArray(Make &&make) {
  const auto made = std::make_shared<ArrayObject>();
  const std::uint64_t handle = makeHandle(made);
  try {
    made->buffer = make();
    made->element = made->buffer.elementType().str();
  } catch (...) {
    freeHandle<ArrayObject>(handle);
    throw;
  }
  return handle;
}

} // namespace spl::capi

#endif
