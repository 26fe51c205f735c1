// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of shared memory that no store is ordered before. A read is uninitialised only if no store
// races with it either, and such a store may come later. Therefore the reads are kept until the
// next barrier of the group, which orders all later stores after them.
//
// The result does not depend on the order in which the work-items run. Owned by the detector of one
// launch.
#ifndef SPL_RUNTIME_CHECK_UNWRITTENREADS_H
#define SPL_RUNTIME_CHECK_UNWRITTENREADS_H

#include "runtime/check/Access.h"

#include <algorithm>
#include <cstddef>
#include <unordered_map>
#include <vector>

namespace spl::detail {

class UnwrittenReads {
public:
  /// Bytes of one cell of the shadow memory, which are at most 8 and aligned to their number.
  struct Cells {
    std::uintptr_t begin;
    std::uint32_t bytes;

    bool overlaps(const Cells &other) const {
      return begin < other.begin + other.bytes && other.begin < begin + bytes;
    }
  };
  struct Read {
    Access access;
    Cells cells;
    std::uint64_t event; ///< a number that rises; the reads of one access have the same
    bool isAtomic;
  };

  bool hasReads() const { return !reads.empty(); }

  void add(const Read &read);

  /// Removes the reads that race with a store to the cells, and passes their accesses to \p race.
  /// \p knows says whether an access happened before the store.
  template <typename Knows, typename Race>
  void store(const Cells &cells, bool isAtomic, Knows knows, Race race) {
    const auto found = reads.find(cells.begin / granuleBytes);
    if (found == reads.end())
      return;
    std::erase_if(found->second, [&](const Read &read) {
      if (!read.cells.overlaps(cells) || (isAtomic && read.isAtomic) || knows(read.access))
        return false;
      race(read.access);
      --count;
      return true;
    });
    if (found->second.empty())
      reads.erase(found);
  }

  /// Records an atomic store to cells that were unwritten at the last barrier. An atomic that is
  /// unordered with it does not race with it, but may read the element before this store.
  void addAtomicStore(const Access &access, const Cells &cells);

  /// Whether the cells have atomic stores, none of which happened before the access that \p knows
  /// represents.
  template <typename Knows> bool hasOnlyUnorderedStores(const Cells &cells, Knows knows) const {
    const auto found = stores.find(cells.begin / granuleBytes);
    if (found == stores.end())
      return false;
    bool any = false;
    for (const Store &store : found->second)
      if (store.cells.overlaps(cells)) {
        if (knows(store.access))
          return false;
        any = true;
      }
    return any;
  }
  bool hasAtomicStores() const { return !stores.empty(); }

  /// At a barrier, and at the end of a group: the reads that remain, in their order. There are none
  /// afterwards.
  std::vector<Read> take();

  std::size_t bytes() const { return count * sizeof(Read); }

private:
  static constexpr std::uintptr_t granuleBytes = 8; ///< no cell is larger

  struct Store {
    Access access;
    Cells cells;
  };

  std::unordered_map<std::uintptr_t, std::vector<Read>> reads; ///< by granule
  std::unordered_map<std::uintptr_t, std::vector<Store>> stores;
  std::size_t count = 0; ///< of reads and stores
};

} // namespace spl::detail

#endif
