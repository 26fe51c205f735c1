// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/ptxsim/Machine.h"

#include <algorithm>
#include <memory>
#include <numeric>

namespace ptxsim {

Grid::Grid(const Kernel &kernel, Memory &memory, const LaunchOptions &options,
           const void *const *values)
    : kernel(kernel), program(*kernel.program), memory(memory), options(options),
      params(kernel.parameterBytes), random(options.seed.value_or(0)),
      hints(kernel.program->code.size()) {
  for (std::size_t i = 0; i != kernel.parameters.size(); ++i)
    std::memcpy(params.data() + kernel.parameters[i].offset, values[i], kernel.parameters[i].bytes);
}

void Grid::note(const std::string &text) {
  if (result.notes.size() < 100 &&
      std::find(result.notes.begin(), result.notes.end(), text) == result.notes.end())
    result.notes.push_back(text);
}

static void check(const Kernel &kernel, const LaunchOptions &options) {
  auto refuse = [&](const std::string &why) {
    throw Error(ErrorKind::BadLaunch, 0, "cannot launch " + kernel.name + ": " + why);
  };
  const std::uint64_t threads = options.threads.count();
  if (threads == 0 || options.groups.count() == 0)
    refuse("there are no threads");
  if (kernel.exactThreads && *kernel.exactThreads != threads)
    refuse("it takes groups of " + std::to_string(*kernel.exactThreads) + " threads, not " +
           std::to_string(threads));
  if (threads > kernel.maxThreads || options.threads.z > 64)
    refuse("groups of " + std::to_string(threads) + " threads are too large");
  if (kernel.sharedBytes + options.dynamicSharedBytes > options.sharedLimit)
    refuse("it takes " + std::to_string(kernel.sharedBytes + options.dynamicSharedBytes) +
           " bytes of shared memory");
}

/// The groups of a launch, in a random order if it has a seed.
class GroupOrder {
public:
  GroupOrder(Grid &grid) : size(grid.options.groups), left(size.count()) {
    if (!grid.isSeeded())
      return;
    at = grid.random() % left;
    step = 1 + grid.random() % left;
    while (std::gcd(step, left) != 1) // else it would not reach all of them
      ++step;
  }

  bool isEmpty() const { return left == 0; }
  Dim3 next() {
    const Dim3 group = {static_cast<std::uint32_t>(at % size.x),
                        static_cast<std::uint32_t>(at / size.x % size.y),
                        static_cast<std::uint32_t>(at / size.x / size.y)};
    at = (at + step) % size.count();
    --left;
    return group;
  }

private:
  Dim3 size;
  std::uint64_t left, at = 0, step = 1;
};

/// The number of groups that run at the same time: all in a cooperative launch, else several if the
/// launch has a seed. Without one, groups run one after the other.
static std::size_t residentBlocks(const LaunchOptions &options) {
  if (options.isCooperative)
    return options.groups.count();
  return options.seed ? 4 : 1;
}

LaunchResult launch(const Kernel &kernel, Memory &memory, const LaunchOptions &options,
                    const void *const *params) {
  check(kernel, options);
  Grid grid(kernel, memory, options, params);
  GroupOrder order(grid);
  std::vector<std::unique_ptr<Block>> running;
  while (!order.isEmpty() && running.size() < residentBlocks(options)) {
    running.push_back(std::make_unique<Block>(grid));
    running.back()->start(order.next());
  }
  for (std::size_t turn = 0; !running.empty(); ++turn) {
    std::unique_ptr<Block> &block =
        running[grid.isSeeded() ? grid.pick(running.size()) : turn % running.size()];
    if (block->step())
      continue;
    if (!order.isEmpty()) {
      block->start(order.next());
    } else {
      std::swap(block, running.back());
      running.pop_back();
    }
  }
  return std::move(grid.result);
}

} // namespace ptxsim
