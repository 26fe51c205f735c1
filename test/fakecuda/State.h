// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the fake driver holds: its contexts and what was made in them. Private to the fake. All of
// it is guarded by one lock, which every call holds (Call.h).
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

/// The CUDA release that the library was built to represent.
extern const int builtVersion;

/// Memory of the host in whole pages.
struct FreeHost {
  void operator()(std::byte *bytes) const { std::free(bytes); }
};
using HostBytes = std::unique_ptr<std::byte[], FreeHost>;

struct Pool {
  int device = 0;
  std::size_t limit = 0; ///< 0 for none
  std::uint64_t threshold = 0;
  std::uint64_t reserved = 0, used = 0, reservedHigh = 0, usedHigh = 0;
  std::map<int, int> reuse; ///< attributes 1 to 3

  /// Gives reserved memory beyond \p keep that is not used back to the device.
  void trim(std::uint64_t keep) { reserved = std::max(used, std::min(reserved, keep)); }
};

/// Memory that a call gave out. Entries of pools go when their release is queued, not when it runs.
struct Allocation {
  std::size_t bytes = 0;
  std::shared_ptr<Pool> pool; ///< null for none
  HostBytes host;             ///< of managed memory
};

/// One device's primary context, as long as it is retained.
struct Context {
  static constexpr std::size_t capacity = std::size_t{1} << 30;

  explicit Context(int ordinal)
      : ordinal(ordinal),
        memory(capacity, 0x6000'0000'0000 + (static_cast<std::uint64_t>(ordinal) << 40)) {}

  int ordinal;
  ptxsim::Memory memory;
  std::map<CuDevicePtr, Allocation> allocations;
  std::shared_ptr<Stream> null;                 ///< the default stream
  std::vector<std::shared_ptr<Stream>> streams; ///< all others, also destroyed ones with work left
  std::set<const Context *> peers;
  int retained = 0;
  CuResult lost = CuResult::Success; ///< what a kernel's fault makes every later call answer

  /// Drops what its streams still have to do, which refers back to it.
  void dismantle();
  /// Whether all of these bytes lie in one allocation, as calls see it.
  bool holds(CuDevicePtr address, std::size_t bytes) const;
};

/// Page-locked memory of the host.
struct HostBlock {
  HostBytes bytes;
  std::size_t size = 0;
  std::shared_ptr<Context> context;
};

/// A stretch of calls that becomes a graph.
struct Capture {
  std::shared_ptr<struct Graph> graph;
  int mode = 0; ///< 0 global, 1 of a thread, 2 relaxed
  std::thread::id thread;
  const Stream *origin = nullptr;
  std::uint64_t id = 0;
  bool isInvalid = false, isOver = false;
};

struct Stream {
  Context *context = nullptr;
  bool isBlocking = true; ///< waits for the default stream and makes it wait
  std::deque<Work> queue;
  std::uint64_t queued = 0, done = 0;
  bool isDestroyed = false;
  bool isBusy = false; ///< some thread does its first work
  std::shared_ptr<Capture> capture;
  std::vector<CuGraphNode> tails; ///< what the next captured node depends on
};

struct Event {
  std::shared_ptr<Context> context;
  bool isTimed = true;
  std::optional<Point> point; ///< none before it is recorded
  std::shared_ptr<std::optional<std::chrono::steady_clock::time_point>> time;
  std::shared_ptr<Capture> capture; ///< if it was recorded in one
  std::vector<CuGraphNode> nodes;   ///< then what it represents
};

struct Node {
  CuGraphNode handle = nullptr;
  std::shared_ptr<const Work> work;
  std::vector<CuGraphNode> dependencies;
};
struct Graph {
  std::shared_ptr<Context> context;
  std::vector<Node> nodes; ///< each after those it depends on
};
struct GraphExec {
  std::shared_ptr<Context> context;
  std::vector<Node> nodes;
  std::weak_ptr<Graph> graph;
};

struct State {
  test::FakeCuda visible;
  std::map<int, CuContext> primaries; ///< by device; made when first retained
  Handles<CuContext, Context> contexts;
  std::vector<std::shared_ptr<Context>> left; ///< released ones in which something was forgotten
  Handles<CuStream, Stream> streams;
  Handles<CuEvent, Event> events;
  Handles<CuMemPool, Pool> pools;
  Handles<CuGraph, Graph> graphs;
  Handles<CuGraphExec, GraphExec> execs;
  Handles<CuModule, Module> modules;
  Handles<CuFunction, Function> functions;
  std::map<std::uintptr_t, HostBlock> hostBlocks;
  std::vector<std::shared_ptr<Capture>> captures; ///< those that continue
  std::string faultText;                          ///< the interpreter's words about the last fault
  std::mt19937_64 random;
  bool isInitialized = false, isForked = false;
  std::uint64_t captureCount = 0;

  std::mutex mutex;
  std::condition_variable moved; ///< a stream that was busy is not any more

  void reset();
  /// Brings what the tests look at up to date.
  void count();
  void misuse(const std::string &text) { visible.misuses.push_back(text); }
  /// Whether all of these bytes of the host are page-locked or managed.
  bool isPinned(const void *address, std::size_t bytes) const;
  /// Takes all streams out of a capture.
  void end(const std::shared_ptr<Capture> &capture);
};
State &state();

/// Puts work at the end of a stream, after what the default stream's order makes it wait for.
Point push(const std::shared_ptr<Stream> &stream, Work work);
/// Does one piece of work of a stream, if there is any.
void step(Stream &stream, Lock &lock);

/// Lets the stream come one piece further without waiting for anything: for those that only ask.
void poke(const std::shared_ptr<Stream> &stream, Lock &lock);
/// Does work until it is reached.
void drain(const Point &point, Lock &lock);
void drain(Context &context, Lock &lock);
Point tailOf(const std::shared_ptr<Stream> &stream);

} // namespace spl::fake
