// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a stream's queue or a graph holds, with everything that it needs to be done later.
#pragma once

#include "runtime/backends/cuda/DriverTypes.h"
#include "test/ptxsim/Ptxsim.h"

#include <chrono>
#include <condition_variable>
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

/// A place in a stream: done when so many pieces of its work are.
struct Point {
  std::shared_ptr<Stream> stream;
  std::uint64_t number = 0;

  bool isDone() const;
};

struct Module {
  Module(std::string_view ptx, std::shared_ptr<Context> context);

  std::shared_ptr<Context> context;
  ptxsim::Module code;
  bool isUnloaded = false;
};

struct Function {
  std::shared_ptr<Module> module;
  const ptxsim::Kernel *kernel = nullptr;
  bool isLoaded = false;
  std::size_t dynamicShared = 0; ///< shared memory that a launch may ask for
};

struct LaunchWork {
  std::shared_ptr<Function> function;
  ptxsim::Dim3 groups, local;
  unsigned sharedBytes = 0;
  std::vector<std::byte> arguments; ///< laid out as the kernel's parameters

  /// Reads the arguments' values.
  void take(void *const *params);
};

/// One end of a copy.
struct Place {
  std::shared_ptr<Context> context; ///< null for the host's own memory
  std::uint64_t address = 0;

  /// Null where such memory is not there, or not any more.
  std::byte *find(std::size_t bytes) const;
};
struct CopyWork {
  Place target, source;
  std::size_t bytes = 0;
  std::vector<std::byte> staged; ///< of pageable memory: what was in it when it was queued
};

struct FillWork {
  CuDevicePtr address = 0;
  unsigned value = 0, size = 1; ///< bytes of an element
  std::size_t count = 0;
};

struct CallWork {
  void (*function)(void *) = nullptr;
  void *data = nullptr;
};

/// Memory of a pool comes or goes.
struct AllocateWork {
  CuDevicePtr address = 0;
};
struct FreeWork {
  CuDevicePtr address = 0;
};

/// When an event was reached.
struct RecordWork {
  std::shared_ptr<std::optional<std::chrono::steady_clock::time_point>> time;
};
struct WaitWork {
  Point point;
};

/// A run of a graph: its nodes in an order that their dependencies allow.
struct GraphWork {
  std::vector<std::shared_ptr<const Work>> nodes;
};

struct Work {
  std::variant<LaunchWork, CopyWork, FillWork, CallWork, AllocateWork, FreeWork, RecordWork,
               WaitWork, GraphWork>
      what;

  /// What it is, for messages: "a launch of saxpy".
  std::string describe() const;
};

/// Does the work; what goes wrong ends the context. Lets go of the lock while the host's functions
/// run.
void perform(const Work &work, Context &context, Lock &lock);

} // namespace spl::fake
