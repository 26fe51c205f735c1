// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds data races by happens-before, in the way of FastTrack (Flanagan and Freund, 2009): of each
// element the last store and the loads since are kept, with the times of those who made them. Times
// of groups and warps are compressed as in Barracuda (Eizenberg et al., 2017). One detector serves
// one launch, whose groups run one after the other on one thread. Its findings then depend on the
// kernel and its arguments alone.
#ifndef SPL_RUNTIME_CHECK_DETECTOR_H
#define SPL_RUNTIME_CHECK_DETECTOR_H

#include "runtime/check/AtomicClocks.h"
#include "runtime/check/FindingLog.h"
#include "runtime/check/GroupClocks.h"
#include "runtime/check/MemoryMap.h"
#include "runtime/check/Shadow.h"
#include "runtime/check/UniformValues.h"
#include "runtime/check/UnwrittenReads.h"

#include <limits>

namespace spl::detail {

class Detector {
public:
  /// \p groupSize work-items in a group; \p items in the launch, fewer than 2^32 - 1.
  Detector(std::uint32_t groupSize, std::uint32_t items, MemoryMap memory, FindingLog &log,
           std::size_t maxBytes = std::numeric_limits<std::size_t>::max());

  void beginGroup(std::uint32_t number);
  /// The same in a cooperative launch, whose groups take turns: what the group has written to its
  /// shared memory stays known. The shared memory of each group has addresses of its own.
  void continueGroup(std::uint32_t number);
  /// All groups have ended their turn at a grid barrier. All that they did happened before all that
  /// follows.
  void meet();
  /// Ends the group, also after a fault. Reports reads of memory that was never written.
  void endGroup() { reportUnwritten(); }

  /// What the work-item with that flat id in the group that runs has done (spl_cpu_trace). Throws
  /// std::bad_alloc where the detector has more than maxBytes. It can then only be destroyed.
  void trace(const spl_cpu_trace_site &site, std::uintptr_t address, std::uint32_t item,
             std::int64_t value);

  /// The memory for what is known of elements. Does not count the clocks, whose maps share nodes,
  /// and the arguments of gpu.uniform.
  std::size_t bytes() const;

private:
  /// Memory of one kind: that of the launch, or that of the group.
  struct Space {
    Shadow shadow;
    AccessSets sets;
  };
  /// An access to one cell.
  struct Here {
    Access access;
    std::uint32_t local;
    std::uintptr_t address;
    std::uint32_t bytes;
    const MemoryRegion &region;
    Space &space;
  };

  void access(const spl_cpu_trace_site &site, std::uintptr_t address, std::uint32_t item,
              std::int64_t value);
  void load(const Here &here, Cell &cell);
  void store(const Here &here, Cell &cell);
  void atomic(const Here &here, Cell &cell, const AtomicClocks::Atomic &atomic);
  void addLoad(const Here &here, Cell &cell);
  void addAtomic(const Here &here, Cell &cell, const AtomicClocks::Atomic &atomic);
  void requireWritten(const Here &here, const Cell &cell, bool isAtomic);
  void addStore(const Here &here, Cell &cell, bool isAtomic);
  void reportUnwritten();
  void requireStoreKnown(const Here &here, const Cell &cell);
  void requireLoadsKnown(const Here &here, const Cell &cell);
  void requireAtomicsKnown(const Here &here, const Cell &cell, bool storesOnly);
  void requireScopes(const Here &here, const Cell &cell, const AtomicClocks::Atomic &atomic);
  bool isKnown(const Here &here, std::uint32_t set) const;
  void report(const Here &here, const Access &before);
  void nameShared(const spl_cpu_trace_site &site, std::uintptr_t address, std::int64_t count);
  void leaveBarrier();
  void forgetShared();

  GroupClocks clocks;
  AtomicClocks atomics;
  UniformValues uniforms, gridUniforms;
  UnwrittenReads unwritten;
  MemoryMap memory;
  FindingLog &log;
  const std::size_t maxBytes;
  std::uint64_t traces = 0;
  std::vector<bool> knownSites;
  Space global, shared;
};

} // namespace spl::detail

#endif
