// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests kernels of examples/ on flat arrays: reduction, scan, histogram, sorting, graphs, hashing,
// random numbers, n queens. The sizes are not multiples of a group or vector.
#include "test/e2e/Examples.h"

#include <algorithm>
#include <numeric>

using namespace spl;
using namespace spl::e2e;

namespace {

std::int64_t groupsOf(std::int64_t n, std::int64_t size) { return (n + size - 1) / size; }

/// Integers whose sums are exact in float, in any order.
std::vector<float> wholeFloats(std::size_t n) {
  std::vector<float> values(n);
  for (std::size_t i = 0; i != n; ++i)
    values[i] = static_cast<float>(static_cast<int>(i * 37 % 101) - 40);
  return values;
}

std::vector<std::int32_t> smallInts(std::size_t n, std::int32_t below) {
  std::vector<std::int32_t> values(n);
  std::mt19937 generator(static_cast<unsigned>(n));
  for (std::int32_t &value : values)
    value = static_cast<std::int32_t>(generator() % static_cast<unsigned>(below));
  return values;
}

const std::int64_t lengths[] = {1, 31, 257, 1000, 4099};

} // namespace

TEST(Algorithms, Reduction) {
  forEachBuild(example("reduction.spl"), extremeOptions(), [](const Build &build) {
    for (std::int64_t n : lengths) {
      const std::vector<float> x = wholeFloats(static_cast<std::size_t>(n));
      const float expected = std::accumulate(x.begin(), x.end(), 0.0F);
      for (const char *kernel : {"sum_partial", "sum_groups"}) {
        std::vector<float> partial(3, -1e9F);
        build.run(kernel, {.global = {3 * 256}, .local = {256}}, x, partial);
        EXPECT_EQ(partial[0] + partial[1] + partial[2], expected) << kernel << " of " << n;
      }
      const std::vector<std::int32_t> whole(x.begin(), x.end());
      std::vector<std::int32_t> total(1, 5);
      build.run("sum_atomic", {.global = {n}, .local = {96}}, whole, total);
      EXPECT_EQ(static_cast<float>(total[0]), expected + 5) << "sum_atomic of " << n;
    }
  });
}

TEST(Algorithms, BlellochScan) {
  forEachBuild(example("scan.spl"), extremeOptions(), [](const Build &build) {
    for (std::int64_t n : lengths) {
      const std::vector<std::int32_t> x = smallInts(static_cast<std::size_t>(n), 1000);
      std::vector<std::int32_t> expected(x.size());
      std::exclusive_scan(x.begin(), x.end(), expected.begin(), 0);
      const std::int64_t blocks = groupsOf(n, 256);
      std::vector<std::int32_t> out(x.size(), -1), totals(static_cast<std::size_t>(blocks), -1);
      build.run("scan_blocks", {.global = {blocks * 128}, .local = {128}}, x, out, totals);
      std::vector<std::int32_t> offsets(totals.size(), -1);
      build.run("scan_small", {.global = {100}, .local = {100}}, totals, offsets);
      build.run("add_offsets", {.global = {blocks * 128}, .local = {128}}, out, offsets);
      expectEach(out, [&](auto i) { return expected[i]; }, "scan in blocks");
      std::vector<std::int32_t> direct(x.size(), -1);
      build.run("scan_small", {.global = {70}, .local = {70}}, x, direct);
      expectEach(direct, [&](auto i) { return expected[i]; }, "scan by one group");
    }
  });
}

TEST(Algorithms, Histogram) {
  forEachBuild(example("histogram.spl"), extremeOptions(), [](const Build &build) {
    for (std::int64_t n : lengths) {
      std::vector<std::uint8_t> bytes(static_cast<std::size_t>(n));
      std::vector<std::uint32_t> expected(256, 3), counts(256, 3);
      for (std::size_t i = 0; i != bytes.size(); ++i)
        ++expected[bytes[i] = static_cast<std::uint8_t>(i * i % 251)];
      build.run("histogram", {.global = {4 * 100}, .local = {100}}, bytes, counts);
      expectEach(counts, [&](auto i) { return expected[i]; }, "histogram");
    }
  });
}

TEST(Algorithms, BitonicSort) {
  forEachBuild(example("bitonic_sort.spl"), extremeOptions(), [](const Build &build) {
    for (std::int64_t n : {1, 2, 31, 257, 1000}) {
      std::vector<std::int32_t> keys = smallInts(static_cast<std::size_t>(n), 500);
      std::vector<std::int32_t> expected = keys;
      std::sort(expected.begin(), expected.end());
      std::int64_t whole = 1;
      while (whole < n)
        whole *= 2;
      for (std::int64_t size = 2; size <= whole; size *= 2)
        for (std::int64_t stride = size / 2; stride > 0; stride /= 2)
          build.run("sort_step", {.global = {whole / 2}, .local = {64}}, keys, size, stride);
      expectEach(keys, [&](auto i) { return expected[i]; }, "sorted");
    }
  });
}

TEST(Algorithms, BitonicSortOfTiles) {
  forEachBuild(example("bitonic_sort.spl"), extremeOptions({"sort_tiles[f32]", "sort_tiles[i64]"}),
               [](const Build &build) {
                 auto test = [&](auto padding, const std::string &kernel) {
                   std::vector<decltype(padding)> keys;
                   for (std::int32_t key : smallInts(1001, 300))
                     keys.push_back(static_cast<decltype(padding)>(key - 150));
                   auto expected = keys;
                   for (std::size_t first = 0; first < keys.size(); first += 256)
                     std::sort(expected.begin() + first,
                               expected.begin() + std::min(first + 256, keys.size()));
                   build.run(kernel, {.global = {4 * 128}, .local = {128}}, keys, padding);
                   expectEach(keys, [&](auto i) { return expected[i]; }, "sorted");
                 };
                 test(std::numeric_limits<float>::infinity(), "sort_tiles[f32]");
                 test(std::numeric_limits<std::int64_t>::max(), "sort_tiles[i64]");
               });
}

TEST(Algorithms, BreadthFirstSearch) {
  // Node i has edges to 3 i + 1, 3 i + 2 and 7 i % n. There are few levels, and many nodes find the
  // same neighbour.
  const std::int32_t n = 1013;
  std::vector<std::int32_t> starts = {0}, neighbours;
  for (std::int32_t i = 0; i != n; ++i) {
    for (std::int32_t to : {3 * i + 1, 3 * i + 2, 7 * i % n})
      if (to < n)
        neighbours.push_back(to);
    starts.push_back(static_cast<std::int32_t>(neighbours.size()));
  }
  std::vector<std::int32_t> expected(n, -1), queue = {5};
  expected[5] = 0;
  for (std::size_t at = 0; at != queue.size(); ++at)
    for (std::int32_t k = starts[queue[at]]; k != starts[queue[at] + 1]; ++k)
      if (expected[neighbours[k]] < 0) {
        expected[neighbours[k]] = expected[queue[at]] + 1;
        queue.push_back(neighbours[k]);
      }
  ASSERT_GT(queue.size(), 100u);

  forEachBuild(example("bfs.spl"), extremeOptions(), [&](const Build &build) {
    std::vector<std::int32_t> depth(n, -1), frontier(n, 0), next(n, 0);
    depth[5] = 0;
    frontier[0] = 5;
    std::int32_t size = 1;
    for (std::int32_t level = 1; size != 0; ++level) {
      ASSERT_LT(level, n);
      std::vector<std::int32_t> nextSize = {0};
      build.run("bfs_level", {.global = {size}, .local = {64}}, std::as_const(starts),
                std::as_const(neighbours), std::as_const(frontier), size, level, depth, next,
                nextSize);
      frontier.swap(next);
      size = nextSize[0];
    }
    expectEach(depth, [&](auto i) { return expected[i]; }, "depth");
  });
}

TEST(Algorithms, NQueens) {
  const std::uint64_t solutions[] = {2, 10, 4, 40, 92}; // for 4, 5, 6, 7 and 8 queens
  forEachBuild(example("nqueens.spl"), extremeOptions(), [&](const Build &build) {
    for (std::int32_t n = 4; n <= 8; ++n) {
      std::vector<std::uint64_t> total = {7};
      build.run("count_queens", {.global = {n * n}, .local = {24}}, n, total);
      EXPECT_EQ(total[0], solutions[n - 4] + 7) << n << " queens";
    }
  });
}

TEST(Algorithms, MurmurHash3) {
  // The published test vectors of MurmurHash3_x86_32.
  const struct {
    std::string key;
    std::uint32_t seed, hash;
  } vectors[] = {{"", 0, 0},
                 {"", 1, 0x514E28B7},
                 {"test", 0, 0xba6bd213},
                 {"Hello, world!", 0, 0xc0363e43},
                 {"The quick brown fox jumps over the lazy dog", 0, 0x2e4ff723},
                 {"aaaa", 0x9747b28c, 0x5A97808A},
                 {"abc", 0x9747b28c, 0xC84A62DD},
                 {"Hello, world!", 0x9747b28c, 0x24884CBA}};
  forEachBuild(example("murmur3.spl"), extremeOptions(), [&](const Build &build) {
    for (std::uint32_t seed : {0u, 1u, 0x9747b28cu}) {
      std::vector<std::uint8_t> bytes;
      std::vector<std::int64_t> starts = {0};
      std::vector<std::uint32_t> expected;
      for (const auto &vector : vectors) {
        if (vector.seed != seed)
          continue;
        bytes.insert(bytes.end(), vector.key.begin(), vector.key.end());
        starts.push_back(static_cast<std::int64_t>(bytes.size()));
        expected.push_back(vector.hash);
      }
      std::vector<std::uint32_t> out(expected.size(), 0xdead);
      build.run("hash_keys", {.global = {std::int64_t(out.size())}}, std::as_const(bytes),
                std::as_const(starts), seed, out);
      expectEach(out, [&](auto i) { return expected[i]; }, "hash");
    }
  });
}
