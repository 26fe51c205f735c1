// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cpu/GroupFiber.h"

#include "spl/abi/Limits.h"

#include <new>
#include <sys/mman.h>
#include <unistd.h>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#elif defined(__SANITIZE_THREAD__)
#include <sanitizer/tsan_interface.h>
#endif

namespace spl::detail {

static_assert(FiberStacks::stackBytes >= 3 * abi::maxLocalBytes);

FiberStacks::FiberStacks(std::int64_t count)
    : guardBytes(static_cast<std::size_t>(sysconf(_SC_PAGESIZE))) {
  bytes = static_cast<std::size_t>(count) * (guardBytes + stackBytes);
  void *mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_STACK, -1, 0);
  if (mapped == MAP_FAILED)
    throw std::bad_alloc();
  begin = static_cast<std::byte *>(mapped);
  for (std::int64_t i = 0; i < count; ++i)
    if (mprotect(static_cast<std::byte *>((*this)[i]) - guardBytes, guardBytes, PROT_NONE) != 0) {
      munmap(begin, bytes);
      throw std::bad_alloc();
    }
}

FiberStacks::~FiberStacks() {
#if defined(__SANITIZE_ADDRESS__)
  __asan_unpoison_memory_region(begin, bytes); // of groups that were given up at a barrier
#endif
  munmap(begin, bytes);
}

void *FiberStacks::operator[](std::int64_t index) const {
  return begin + static_cast<std::size_t>(index) * (guardBytes + stackBytes) + guardBytes;
}

GroupFiber::GroupFiber(void *stack, spl_cpu_entry entry, void *const *params,
                       const spl_cpu_launch *launch, std::int64_t group)
    : stack(stack), entry(entry), params(params), launch(launch), group(group) {
  getcontext(&own);
  own.uc_stack.ss_sp = stack;
  own.uc_stack.ss_size = FiberStacks::stackBytes;
  own.uc_link = nullptr;
  const auto address = reinterpret_cast<std::uintptr_t>(this);
  makecontext(&own, reinterpret_cast<void (*)()>(start), 2, static_cast<unsigned>(address >> 32),
              static_cast<unsigned>(address));
#if defined(__SANITIZE_THREAD__)
  ownFiber = __tsan_create_fiber(0);
#endif
}

GroupFiber::~GroupFiber() {
#if defined(__SANITIZE_THREAD__)
  __tsan_destroy_fiber(ownFiber);
#endif
}

void GroupFiber::start(unsigned high, unsigned low) {
  auto *fiber = reinterpret_cast<GroupFiber *>(static_cast<std::uintptr_t>(high) << 32 | low);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(nullptr, &fiber->callerStack, &fiber->callerBytes);
#endif
  fiber->run();
  fiber->barrier = nullptr;
  fiber->suspend(); // for ever
}

void GroupFiber::waitAt(const spl_cpu_fault_site *site) {
  barrier = site;
  suspend();
}

/// A separate function, so that no object with a destructor exists across setjmp. It uses nothing
/// of the thread, because it may return on another one than it was called on.
[[gnu::noinline]] void GroupFiber::run() {
  if (setjmp(exit) == 0)
    entry(params, launch, group, group + 1);
}

void GroupFiber::firstWorkItem(std::int64_t (&ids)[3]) const {
  std::int64_t rest = group;
  for (int axis = 0; axis < 3; ++axis) {
    ids[axis] = rest % launch->numGroups[axis] * launch->localSize[axis];
    rest /= launch->numGroups[axis];
  }
}

void GroupFiber::resume() {
  const RunningGroup outer = running;
  running = {.exit = &exit, .scratch = &scratch, .fiber = this};
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(&callerFiber, stack, FiberStacks::stackBytes);
#elif defined(__SANITIZE_THREAD__)
  callerFiber = __tsan_get_current_fiber();
  __tsan_switch_to_fiber(ownFiber, 0);
#endif
  swapcontext(&caller, &own);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(callerFiber, nullptr, nullptr);
#endif
  running = outer;
}

void GroupFiber::suspend() {
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_start_switch_fiber(barrier ? &ownFiber : nullptr, callerStack, callerBytes);
#elif defined(__SANITIZE_THREAD__)
  __tsan_switch_to_fiber(callerFiber, 0);
#endif
  swapcontext(&own, &caller);
#if defined(__SANITIZE_ADDRESS__)
  __sanitizer_finish_switch_fiber(ownFiber, &callerStack, &callerBytes);
#endif
}

} // namespace spl::detail
