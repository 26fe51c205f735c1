// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kinds of work in a stream's queue or a graph, with all data that they need to run later.
#pragma once

#include "runtime/backends/cuda/DriverTypes.h"
#include "test/ptxsim/Ptxsim.h"

#include <chrono>
#include <condition_variable>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace spl::fake {

using namespace spl::detail;
using Lock = std::unique_lock<std::mutex>;

struct Context;
struct Stream;
struct Work;

/// A point in a stream. The stream reaches it when it has run \p number pieces of work.
struct Point {
  std::shared_ptr<Stream> stream;
  std::uint64_t number = 0;

  bool isDone() const;
};

struct Module {
  Module(std::string_view ptx, std::shared_ptr<Context> context);

  std::shared_ptr<Context> context;
  ptxsim::Module code;
  std::map<std::uint64_t, std::size_t> globals; ///< sizes of the variables that were asked for
  bool isUnloaded = false;
};

struct Function {
  std::shared_ptr<Module> module;
  const ptxsim::Kernel *kernel = nullptr;
  bool isLoaded = false;
  std::size_t dynamicShared = 0; ///< the dynamic shared memory that a launch may request
};

struct LaunchWork {
  std::shared_ptr<Function> function;
  ptxsim::Dim3 groups, local;
  unsigned sharedBytes = 0;
  bool isCooperative = false;
  std::vector<std::byte> arguments; ///< laid out like the kernel's parameters

  /// Copies the arguments to which \p params points.
  void take(void *const *params);
};

/// The source or the target of a copy.
struct Place {
  std::shared_ptr<Context> context; ///< null for memory of the host
  std::uint64_t address = 0;

  /// The bytes, or null if the memory is not allocated.
  std::byte *find(std::size_t bytes) const;
};
struct CopyWork {
  Place target, source;
  std::size_t bytes = 0;
  /// The contents of pageable memory, copied when the work was queued.
  std::vector<std::byte> staged;
};

struct FillWork {
  CuDevicePtr address = 0;
  unsigned value = 0, size = 1; ///< the size of an element in bytes
  std::size_t count = 0;
};

struct CallWork {
  void (*function)(void *) = nullptr;
  void *data = nullptr;
};

/// Allocates memory of a pool.
struct AllocateWork {
  CuDevicePtr address = 0;
};
struct FreeWork {
  CuDevicePtr address = 0;
};

/// Stores the time at which the stream reaches an event.
struct RecordWork {
  std::shared_ptr<std::optional<std::chrono::steady_clock::time_point>> time;
};
struct WaitWork {
  Point point;
};

/// A launch of a graph. Its nodes are in an order that respects their dependencies.
struct GraphWork {
  std::vector<std::shared_ptr<const Work>> nodes;
};

struct Work {
  std::variant<LaunchWork, CopyWork, FillWork, CallWork, AllocateWork, FreeWork, RecordWork,
               WaitWork, GraphWork>
      what;

  /// The text for messages, such as "a launch of saxpy".
  std::string describe() const;
};

/// Runs the work. An error becomes a sticky error of the context. The lock is released while a host
/// function runs.
void perform(const Work &work, Context &context, Lock &lock);

} // namespace spl::fake
