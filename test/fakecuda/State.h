// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The state of the fake driver: its contexts and their objects. Private to the fake. One lock
// guards all of it, and every call holds that lock (Call.h).
#pragma once

#include "runtime/backends/cuda/DriverTypes.h"
#include "test/fakecuda/FakeCuda.h"
#include "test/fakecuda/Handles.h"
#include "test/fakecuda/Work.h"

#include <cstdlib>
#include <deque>
#include <random>
#include <thread>

namespace spl::fake {

/// The CUDA release that this build of the library represents.
extern const int builtVersion;

/// Frees memory of the host that consists of whole pages.
struct FreeHost {
  void operator()(std::byte *bytes) const { std::free(bytes); }
};
using HostBytes = std::unique_ptr<std::byte[], FreeHost>;

struct Pool {
  int device = 0;
  std::size_t limit = 0; ///< in bytes; 0 for no limit
  std::uint64_t threshold = 0;
  std::uint64_t reserved = 0, used = 0, reservedHigh = 0, usedHigh = 0;
  std::map<int, int> reuse; ///< the reuse policies of the pool: attributes 1 to 3

  /// Returns unused reserved memory beyond \p keep to the device.
  void trim(std::uint64_t keep) { reserved = std::max(used, std::min(reserved, keep)); }
};

/// Allocated memory. Memory of a pool loses its entry when its release is queued, not when the
/// release runs.
struct Allocation {
  std::size_t bytes = 0;
  std::shared_ptr<Pool> pool; ///< null if it is of no pool
  HostBytes host;             ///< the bytes of managed memory
};

/// The primary context of a device. It exists while it is retained.
struct Context {
  static constexpr std::size_t capacity = std::size_t{1} << 30;

  explicit Context(int ordinal)
      : ordinal(ordinal),
        memory(capacity, 0x6000'0000'0000 + (static_cast<std::uint64_t>(ordinal) << 40)) {}

  int ordinal;
  ptxsim::Memory memory;
  std::map<CuDevicePtr, Allocation> allocations;
  std::shared_ptr<Stream> null; ///< the default stream
  /// All other streams, and destroyed ones with queued work.
  std::vector<std::shared_ptr<Stream>> streams;
  std::set<const Context *> peers;
  int retained = 0;
  CuResult lost = CuResult::Success; ///< the sticky error that every later call returns

  /// Clears the queues of the streams. Queued work holds references to the context.
  void dismantle();
  /// Whether all of these bytes lie in one allocation. Memory whose release is queued does not
  /// count.
  bool holds(CuDevicePtr address, std::size_t bytes) const;
};

/// Page-locked memory of the host.
struct HostBlock {
  HostBytes bytes;
  std::size_t size = 0;
  std::shared_ptr<Context> context;
};

/// Which captures of others make an unsafe call of this thread fail, by the numbers of
/// Capture::mode.
extern thread_local int captureModeOfThread;

/// A capture that has not ended.
struct Capture {
  std::shared_ptr<struct Graph> graph;
  int mode = 0; ///< 0 global, 1 thread-local, 2 relaxed
  std::thread::id thread;
  const Stream *origin = nullptr;
  std::uint64_t id = 0;
  bool isInvalid = false, isOver = false;
};

struct Stream {
  Context *context = nullptr;
  bool isBlocking = true; ///< whether it synchronises with the default stream
  std::deque<Work> queue;
  std::uint64_t queued = 0, done = 0;
  bool isDestroyed = false;
  bool isBusy = false; ///< whether a thread runs its first piece of work
  std::shared_ptr<Capture> capture;
  std::vector<CuGraphNode> tails; ///< the dependencies of the next captured node
};

struct Event {
  std::shared_ptr<Context> context;
  bool isTimed = true;
  std::optional<Point> point; ///< empty before the event is recorded
  std::shared_ptr<std::optional<std::chrono::steady_clock::time_point>> time;
  std::shared_ptr<Capture> capture; ///< the capture in which the event was recorded, or null
  std::vector<CuGraphNode> nodes;   ///< the captured nodes that the event represents
};

struct Node {
  CuGraphNode handle = nullptr;
  std::shared_ptr<const Work> work;
  std::vector<CuGraphNode> dependencies;
};
struct Graph {
  std::shared_ptr<Context> context;
  std::vector<Node> nodes; ///< a node comes after its dependencies
};
struct GraphExec {
  std::shared_ptr<Context> context;
  std::vector<Node> nodes;
  std::weak_ptr<Graph> graph;
};

struct State {
  test::FakeCuda visible;
  std::map<int, CuContext> primaries; ///< by device; created at the first retain
  Handles<CuContext, Context> contexts;
  std::vector<std::shared_ptr<Context>> left; ///< released contexts with unreleased objects
  Handles<CuStream, Stream> streams;
  Handles<CuEvent, Event> events;
  Handles<CuMemPool, Pool> pools;
  Handles<CuGraph, Graph> graphs;
  Handles<CuGraphExec, GraphExec> execs;
  Handles<CuModule, Module> modules;
  Handles<CuFunction, Function> functions;
  std::map<std::uintptr_t, HostBlock> hostBlocks;
  std::vector<std::shared_ptr<Capture>> captures; ///< the ongoing captures
  std::string faultText; ///< the interpreter's message about the last fault
  std::mt19937_64 random;
  bool isInitialized = false, isForked = false;
  std::uint64_t captureCount = 0;

  std::mutex mutex;
  std::condition_variable moved; ///< notified when a stream starts or ends work

  void reset();
  /// Updates the counts that tests read.
  void count();
  void misuse(const std::string &text) { visible.misuses.push_back(text); }
  /// Whether all of these bytes of the host are page-locked or managed.
  bool isPinned(const void *address, std::size_t bytes) const;
  /// Removes all streams from a capture.
  void end(const std::shared_ptr<Capture> &capture);
};
State &state();

/// Adds \p work to the end of a stream. The default stream waits for blocking streams, and blocking
/// streams wait for the default stream. These waits are added before \p work.
Point push(const std::shared_ptr<Stream> &stream, Work work);
/// Runs the first work of a stream, if there is any.
void step(Stream &stream, Lock &lock);

/// Runs the next work of a stream without waiting for other streams. Queries call it.
void poke(const std::shared_ptr<Stream> &stream, Lock &lock);
/// Runs work until \p point is reached.
void drain(const Point &point, Lock &lock);
void drain(Context &context, Lock &lock);
Point tailOf(const std::shared_ptr<Stream> &stream);

} // namespace spl::fake
