// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The state of a launch. A grid has what its blocks share. A block has shared memory, barriers and
// warps. A warp has registers, and the program counter of each lane.
#pragma once

#include "test/ptxsim/Program.h"

#include <cstring>
#include <random>

namespace ptxsim {

/// The windows of the generic address space. Generic addresses outside them are global.
constexpr std::uint64_t sharedWindow = 0x0100'0000'0000;
constexpr std::uint64_t localWindow = 0x0200'0000'0000;
constexpr std::uint64_t paramWindow = 0x0300'0000'0000;
constexpr std::uint64_t windowSize = std::uint64_t(1) << 32;
/// The start of a space's window, 0 for global memory.
std::uint64_t windowOf(Space space);
/// The space of a generic address.
Space spaceAt(std::uint64_t address);

struct Grid {
  Grid(const Kernel &kernel, Memory &memory, const LaunchOptions &options,
       const void *const *params);

  const Kernel &kernel;
  const Program &program;
  Memory &memory;
  const LaunchOptions &options;
  std::vector<std::byte> params;
  LaunchResult result;
  std::uint64_t executed = 0; ///< instructions that warps have executed so far
  std::mt19937_64 random;
  /// For each instruction, the allocation that it accessed last.
  std::vector<const Memory::Allocation *> hints;

  bool isSeeded() const { return options.seed.has_value(); }
  /// A random number below \p count, from the seed of the launch.
  unsigned pick(std::size_t count) { return static_cast<unsigned>(random() % count); }
  void note(const std::string &text);
};

class Block;

class Warp {
public:
  Warp(Grid &grid, Block &block, unsigned index);

  /// Places all threads at the start of the kernel.
  void start(Dim3 blockIndex);
  /// Runs at most \p instructions instructions. Stops early if no lane is ready.
  void run(unsigned instructions);

  bool isReady() const { return ready != 0; }
  Lanes living() const { return alive; }
  std::uint64_t threadOf(unsigned lane) const { return std::uint64_t(index) * warpSize + lane; }

  //===-- For handlers: values --===//
  const Value *source(std::uint32_t row) const {
    return row & constantBit ? &grid.program.constants[(row & ~constantBit) * std::size_t(warpSize)]
                             : &registers[row * std::size_t(warpSize)];
  }
  Value *destination(std::uint32_t row) { return &registers[row * std::size_t(warpSize)]; }
  /// The lanes in which the predicate in \p row is true.
  Lanes truth(std::uint32_t row) const;
  /// The carry flag of each lane, 0 or 1.
  std::array<Value, warpSize> carry{};

  //===-- For handlers: memory --===//
  /// The bytes at an address. Throws if the access is out of bounds or misaligned.
  std::byte *access(const Inst &inst, unsigned lane, std::uint64_t address, std::size_t bytes,
                    std::size_t alignment, bool isStore);
  std::byte *localMemory(unsigned lane) { return local.data() + lane * grid.program.localBytes; }

  //===-- For handlers: control --===//
  void jump(Lanes lanes, std::uint32_t target);
  void exit(Lanes lanes);
  void enter(unsigned lane) { ++depth[lane]; }
  void leave(unsigned lane) { --depth[lane]; }
  /// The lanes wait at a .sync instruction until all lanes in its mask have arrived.
  void arrive(const Inst &inst, Lanes lanes);
  /// The lanes wait at a barrier of the block until release.
  void waitAt(unsigned barrier, Lanes lanes);
  Lanes waitingAt(unsigned barrier) const { return barriers[barrier]; }
  /// The lanes that wait at the barrier continue.
  void release(unsigned barrier);
  std::uint32_t placeOf(unsigned lane) const { return places[lane]; }
  Lanes running() const { return group; }

  [[noreturn]] void fail(ErrorKind kind, const Inst &inst, unsigned lane,
                         const std::string &text) const;
  /// Describes the thread of \p lane and its place in the program.
  std::string describe(unsigned lane) const;

  Grid &grid;
  Block &block;

private:
  void select();
  void runGroup(unsigned &instructions);
  void releaseSyncs(std::uint32_t place);
  std::byte *global(const Inst &inst, unsigned lane, std::uint64_t address, std::size_t bytes,
                    bool isStore);

  unsigned index;
  std::vector<Value> registers;
  std::vector<std::byte> local;
  std::array<std::uint32_t, warpSize>
      places{};                               ///< the program counters of lanes that do not run now
  std::array<std::uint8_t, warpSize> depth{}; ///< the number of nested calls of each lane
  Lanes alive = 0, ready = 0, syncing = 0;
  std::array<Lanes, 16> barriers{};

  // The lanes that run now, and their common program counter.
  Lanes group = 0;
  std::uint32_t place = 0;
  std::uint32_t nextPlace = 0; ///< the next program counter of another ready lane
  unsigned selections = 0;
};

class Block {
public:
  explicit Block(Grid &grid);

  /// Places all threads at the start of the kernel, as the group \p index.
  void start(Dim3 index);
  /// Runs each warp that is ready for some instructions. Returns false if all threads have ended.
  bool step();

  /// For bar and barrier: the threads arrive, and also wait if \p waits is true. A \p count of 0
  /// means all threads.
  void arrive(Warp &warp, const Inst &inst, unsigned barrier, unsigned count, Lanes lanes,
              bool waits);
  /// Threads have exited. Releases barriers that waited only for those threads.
  void threadsEnded();

  std::vector<std::byte> shared;
  Dim3 index;

private:
  struct Barrier {
    unsigned arrived = 0;
    unsigned expected = 0; ///< 0 means all threads
    const Inst *last = nullptr;
  };
  void releaseIfComplete(unsigned barrier);
  void reduce(unsigned barrier);
  void checkAligned(unsigned barrier);
  [[noreturn]] void deadlock() const;

  Grid &grid;
  std::vector<Warp> warps;
  std::vector<unsigned> order; ///< in which warps take turns
  std::array<Barrier, 16> barriers;
};

} // namespace ptxsim
