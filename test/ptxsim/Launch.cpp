// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/ptxsim/Machine.h"

#include <algorithm>
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

LaunchResult launch(const Kernel &kernel, Memory &memory, const LaunchOptions &options,
                    const void *const *params) {
  check(kernel, options);
  Grid grid(kernel, memory, options, params);
  Block block(grid);
  const Dim3 size = options.groups;
  // A random order of the groups. The step has no divisor in common with the count.
  const std::uint64_t count = size.count();
  std::uint64_t step = 1, at = 0;
  if (grid.isSeeded()) {
    at = grid.random() % count;
    step = 1 + grid.random() % count;
    while (std::gcd(step, count) != 1)
      ++step;
  }
  for (std::uint64_t i = 0; i != count; ++i, at = (at + step) % count)
    block.run({static_cast<std::uint32_t>(at % size.x),
               static_cast<std::uint32_t>(at / size.x % size.y),
               static_cast<std::uint32_t>(at / size.x / size.y)});
  return std::move(grid.result);
}

} // namespace ptxsim
