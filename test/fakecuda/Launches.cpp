// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches, and queries about kernels.
#include "test/fakecuda/Call.h"
#include "test/fakecuda/Entries.h"
#include "test/fakecuda/Limits.h"

using namespace spl::fake;

/// The fake's compiler reports this number of registers for every kernel.
constexpr int registersPerThread = 32;

/// The number of groups of this size that fit on a multiprocessor at once.
static int residentGroups(const Function &function, int groupSize, std::size_t sharedBytes) {
  const Limits limits = limitsOf(state().visible.capability);
  if (groupSize <= 0 || static_cast<unsigned>(groupSize) > function.kernel->maxThreads)
    return 0;
  const int warps = (groupSize + 31) / 32;
  // A warp's registers are rounded up to 256, a group's shared memory to 128 bytes. From compute
  // capability 8.0 on, the system uses 1 KiB of shared memory for each group.
  const int registersPerWarp = (registersPerThread * 32 + 255) / 256 * 256;
  const std::size_t system = state().visible.capability >= 80 ? 1024 : 0;
  const std::size_t shared =
      (function.kernel->sharedBytes + sharedBytes + system + 127) / 128 * 128;
  int groups =
      std::min({limits.blocks, limits.warps / warps, limits.registers / registersPerWarp / warps});
  if (shared != 0)
    groups =
        std::min(groups, static_cast<int>(static_cast<std::size_t>(limits.sharedBytes) / shared));
  return groups;
}

CuResult spl::fake::checkLaunch(const LaunchWork &work) {
  const ptxsim::Kernel &kernel = *work.function->kernel;
  const ptxsim::Dim3 groups = work.groups, local = work.local;
  if (groups.count() == 0 || local.count() == 0 || local.x > 1024 || local.y > 1024 ||
      local.z > 64 || local.count() > 1024 || groups.y > 65535 || groups.z > 65535)
    return give(InvalidValue);
  if (kernel.exactThreads && *kernel.exactThreads != local.count())
    return give(InvalidValue);
  if (local.count() > kernel.maxThreads || work.sharedBytes > work.function->dynamicShared)
    return CuResult::LaunchOutOfResources;
  if (work.isCooperative &&
      groups.count() >
          multiprocessors * static_cast<unsigned>(residentGroups(
                                *work.function, static_cast<int>(local.count()), work.sharedBytes)))
    return give(CooperativeLaunchTooLarge);
  return CuResult::Success;
}

/// Queues the launch of \p work, which has no function and no arguments yet.
static CuResult launch(Call &call, CuFunction handle, LaunchWork work, CuStream stream,
                       void **params) {
  const std::shared_ptr<Function> function = call.find(state().functions, handle, "function");
  const std::shared_ptr<Stream> target = call.stream(stream);
  if (!function || !target)
    return give(InvalidHandle);
  if (function->module->context != call.sharedContext())
    return call.misuse("of a kernel of another context", InvalidContext);
  work.function = function;
  if (const CuResult result = checkLaunch(work); result != CuResult::Success)
    return result;
  if (!function->isLoaded)
    for (const std::shared_ptr<Capture> &capture : state().captures)
      if (capture->mode != 2) // a capture in mode 0 or 1 forbids loading the module now
        return call.invalidate(*capture, CaptureUnsupported);
  function->isLoaded = true;
  spl::test::FakeCuda &fake = state().visible;
  if (fake.records)
    fake.launches.push_back({function->kernel->name,
                             {work.groups.x, work.groups.y, work.groups.z},
                             {work.local.x, work.local.y, work.local.z},
                             work.sharedBytes,
                             work.isCooperative});
  work.take(params);
  return call.enqueue(stream, {std::move(work)});
}

extern "C" {

CuResult cuLaunchKernel(CuFunction handle, unsigned gridX, unsigned gridY, unsigned gridZ,
                        unsigned blockX, unsigned blockY, unsigned blockZ, unsigned sharedBytes,
                        CuStream stream, void **params, void **extra) {
  return enter("cuLaunchKernel", InContext, [&](Call &call) -> CuResult {
    if (extra)
      return give(NotSupported);
    return launch(call, handle,
                  {nullptr, {gridX, gridY, gridZ}, {blockX, blockY, blockZ}, sharedBytes}, stream,
                  params);
  });
}

CuResult cuLaunchCooperativeKernel(CuFunction handle, unsigned gridX, unsigned gridY,
                                   unsigned gridZ, unsigned blockX, unsigned blockY,
                                   unsigned blockZ, unsigned sharedBytes, CuStream stream,
                                   void **params) {
  return enter("cuLaunchCooperativeKernel", InContext, [&](Call &call) -> CuResult {
    return launch(call, handle,
                  {nullptr,
                   {gridX, gridY, gridZ},
                   {blockX, blockY, blockZ},
                   sharedBytes,
                   /*isCooperative=*/true},
                  stream, params);
  });
}

CuResult cuFuncGetAttribute(int *value, int attribute, CuFunction handle) {
  return enter("cuFuncGetAttribute", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<Function> function = call.find(state().functions, handle, "function");
    if (!function)
      return give(InvalidHandle);
    const ptxsim::Kernel &kernel = *function->kernel;
    // Keys are the values of CUfunction_attribute.
    const std::map<int, int> values = {
        {0, static_cast<int>(kernel.maxThreads)},
        {1, static_cast<int>(kernel.sharedBytes)},
        {2, 0}, // constant memory
        {3, static_cast<int>(kernel.localBytes)},
        {4, registersPerThread},
        {5, static_cast<int>(function->module->code.target)},
        {6, state().visible.capability},
        {7, 0}, // cache mode of global memory
        {8, static_cast<int>(function->dynamicShared)},
    };
    auto found = values.find(attribute);
    if (found == values.end())
      return give(InvalidValue);
    function->isLoaded = true;
    *value = found->second;
    return CuResult::Success;
  });
}

CuResult cuFuncSetAttribute(CuFunction handle, int attribute, int value) {
  return enter("cuFuncSetAttribute", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<Function> function = call.find(state().functions, handle, "function");
    if (!function)
      return give(InvalidHandle);
    // The same value as device attribute 97.
    const std::size_t room =
        static_cast<std::size_t>(limitsOf(state().visible.capability).sharedBytes - 1024);
    if (attribute != 8 || value < 0 ||
        static_cast<std::size_t>(value) + function->kernel->sharedBytes > room)
      return give(InvalidValue);
    function->isLoaded = true;
    function->dynamicShared = static_cast<std::size_t>(value);
    return CuResult::Success;
  });
}

CuResult cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CuFunction handle, int blockSize,
                                                     std::size_t sharedBytes) {
  return enter("cuOccupancyMaxActiveBlocksPerMultiprocessor", InContext,
               [&](Call &call) -> CuResult {
                 const auto function = call.find(state().functions, handle, "function");
                 if (!function)
                   return give(InvalidHandle);
                 if (blockSize <= 0)
                   return give(InvalidValue);
                 *blocks = residentGroups(*function, blockSize, sharedBytes);
                 return CuResult::Success;
               });
}

CuResult cuOccupancyMaxPotentialBlockSize(int *minGridSize, int *blockSize, CuFunction handle,
                                          std::size_t (*sharedOf)(int blockSize),
                                          std::size_t sharedBytes, int blockSizeLimit) {
  return enter("cuOccupancyMaxPotentialBlockSize", InContext, [&](Call &call) -> CuResult {
    const std::shared_ptr<Function> function = call.find(state().functions, handle, "function");
    if (!function)
      return give(InvalidHandle);
    int largest = static_cast<int>(function->kernel->maxThreads);
    if (blockSizeLimit > 0)
      largest = std::min(largest, blockSizeLimit);
    // Among the sizes with the most resident threads, the largest is suggested.
    int most = 0;
    for (int size = largest; size > 0; size = (size - 1) / 32 * 32) {
      const std::size_t shared = sharedOf ? sharedOf(size) : sharedBytes;
      const int groups = residentGroups(*function, size, shared);
      if (groups * size > most) {
        most = groups * size;
        *blockSize = size;
        *minGridSize = groups * multiprocessors;
      }
    }
    return most > 0 ? CuResult::Success : give(InvalidValue);
  });
}

} // extern "C"
