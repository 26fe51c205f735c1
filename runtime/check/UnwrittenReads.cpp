// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/check/UnwrittenReads.h"

#include <tuple>

namespace spl::detail {

/// How far back a read is searched: a work-item that reads an element in a loop is kept once.
static constexpr std::size_t searchedReads = 64;

void UnwrittenReads::add(const Read &read) {
  std::vector<Read> &here = reads[read.cells.begin / granuleBytes];
  const std::size_t searched = std::min(here.size(), searchedReads);
  const auto isSame = [&](const Read &other) {
    return other.access.item == read.access.item && other.access.site == read.access.site &&
           other.cells.begin == read.cells.begin && other.cells.bytes == read.cells.bytes;
  };
  if (std::any_of(here.end() - static_cast<std::ptrdiff_t>(searched), here.end(), isSame))
    return;
  here.push_back(read);
  ++count;
}

void UnwrittenReads::addAtomicStore(const Access &access, const Cells &cells) {
  stores[cells.begin / granuleBytes].push_back({access, cells});
  ++count;
}

std::vector<UnwrittenReads::Read> UnwrittenReads::take() {
  std::vector<Read> all;
  for (const auto &[granule, some] : reads)
    all.insert(all.end(), some.begin(), some.end());
  const auto key = [](const Read &read) { return std::tuple(read.event, read.cells.begin); };
  std::ranges::sort(all, {}, key);
  reads.clear();
  stores.clear();
  count = 0;
  return all;
}

} // namespace spl::detail
