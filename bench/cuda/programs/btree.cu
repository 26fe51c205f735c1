// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The twin of programs/btree/btree.spl.
#include "../Common.cuh"

constexpr int ORDER = 48;
constexpr int NOTHING = -1;

struct Node {
  int size, next;
  int keys[ORDER], links[ORDER];
};

extern "C" __global__ void __launch_bounds__(ORDER)
    find(const Node *__restrict__ nodes, int height, const int *__restrict__ values,
         const int *__restrict__ queries, int *__restrict__ found) {
  __shared__ int child;
  const int me = threadIdx.x;
  const int key = queries[blockIdx.x];
  const Node *node = nodes;
  for (int level = 1; level < height; ++level) {
    const bool isAbove = me == 0 || node->keys[me] <= key;
    if (me < node->size && isAbove && (me + 1 == node->size || key < node->keys[me + 1]))
      child = node->links[me];
    __syncthreads();
    node = nodes + child;
    __syncthreads();
  }
  if (me < node->size && node->keys[me] == key)
    found[blockIdx.x] = values[node->links[me]];
}

__device__ int keysBelow(const Node &node, int key) {
  int low = 0;
  int high = node.size;
  while (low < high) {
    const int middle = (low + high) / 2;
    if (node.keys[middle] < key)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

struct Range {
  int first, last;
};

struct Total {
  int keys;
  std::int64_t values;
};

extern "C" __global__ void sum_ranges(const Node *__restrict__ nodes, int height,
                                      const int *__restrict__ values,
                                      const Range *__restrict__ ranges, Total *__restrict__ sums,
                                      Index n) {
  const Index i = globalX();
  if (i >= n)
    return;
  const Range range = ranges[i];
  int at = 0;
  for (int level = 1; level < height; ++level)
    at = nodes[at].links[max(keysBelow(nodes[at], range.first) - 1, 0)];
  int k = keysBelow(nodes[at], range.first);
  Total sum = {0, 0};
  while (at != NOTHING) {
    const Node &node = nodes[at];
    if (k == node.size) {
      at = node.next;
      k = 0;
      continue;
    }
    if (node.keys[k] > range.last)
      break;
    ++sum.keys;
    sum.values += values[node.links[k]];
    ++k;
  }
  sums[i] = sum;
}
