// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The objects behind the handles of the C interface: the C++ object, and the text that C has of it.
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
  std::string element = {}; ///< its type's name
};

struct StreamObject {
  explicit StreamObject(Stream stream) : stream(std::make_shared<Stream>(std::move(stream))) {}
  explicit StreamObject(std::shared_ptr<const Stream> stream) : stream(std::move(stream)) {}

  const std::shared_ptr<const Stream> stream; ///< its own, or a pipeline's

  // Without a lock, which a fork could leave locked.
  std::atomic<int> users{0};            ///< calls that use it now; -1 for one thread's alone
  std::atomic<std::thread::id> owner{}; ///< that thread
  int claims = 0;                       ///< the owner's: how many of its calls want it alone
};

/// A stream for the length of a call. Threads share it, but for what takes part in the capture of a
/// graph, which is the capturing thread's alone: Error{HandleInUse} for others then.
class StreamUse {
public:
  enum Way { Shared, Alone };
  explicit StreamUse(std::uint64_t handle, Way way = Shared);
  ~StreamUse();
  StreamUse(const StreamUse &) = delete;
  StreamUse &operator=(const StreamUse &) = delete;

  const Stream &operator*() const { return *held->stream; }
  const Stream *operator->() const { return held->stream.get(); }

private:
  std::shared_ptr<StreamObject> held;
  Way way;
  bool isCounted = false; ///< among its users
};

/// Those that take part in the capture this thread is in, each to its end; null outside of one.
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
  std::vector<std::string> types, elements; ///< of the parameters
};

struct TraceObject {
  Trace trace = {};
  std::mutex mutex = {};
  std::vector<Trace::Lane> lanes = {}; ///< guarded by mutex
};

/// A handle of an object of class T made of \p value.
template <typename T, typename Value> std::uint64_t makeObject(Value &&value) {
  return makeHandle(std::make_shared<T>(std::forward<Value>(value)));
}

inline std::uint64_t makeKernel(Kernel kernel) {
  return makeHandle(std::make_shared<KernelObject>(std::move(kernel)));
}

/// A handle of the array that \p make returns. Nothing fails after that.
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
