// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/reference/Fiber.h"

#include <cstdint>
#include <sys/mman.h>
#include <ucontext.h>
#include <vector>

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/common_interface_defs.h>
#endif

namespace spl::reference {
namespace {

constexpr std::size_t stackBytes = 512 << 10;

/// Stacks for reuse. A launch needs one for each work-item of a group.
std::vector<void *> &freeStacks() {
  thread_local std::vector<void *> stacks;
  return stacks;
}

void *takeStack() {
  std::vector<void *> &stacks = freeStacks();
  if (stacks.empty()) {
    void *made = mmap(nullptr, stackBytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (made == MAP_FAILED)
      throw std::bad_alloc();
    return made;
  }
  void *stack = stacks.back();
  stacks.pop_back();
  return stack;
}

} // namespace

struct Fiber::State {
  std::function<void()> body;
  void *stack = nullptr;
  ucontext_t own = {}, caller = {};
  bool isStarted = false, isDone = false, isCancelled = false;

  static void run(unsigned high, unsigned low) {
    auto *state = reinterpret_cast<State *>(static_cast<std::uintptr_t>(high) << 32 | low);
    state->arrived();
    try {
      state->body();
    } catch (Cancelled) { // unwound
    }
    state->isDone = true;
    state->leave(state->own, state->caller, nullptr, 0);
  }

#if defined(__SANITIZE_ADDRESS__)
  const void *callerStack = nullptr;
  std::size_t callerBytes = 0;
  void *ownFake = nullptr, *callerFake = nullptr; ///< ASan's stacks of what is not running
  void leave(ucontext_t &from, ucontext_t &to, const void *stack, std::size_t bytes) {
    const bool isReturn = stack == nullptr;
    if (isReturn)
      __sanitizer_start_switch_fiber(isDone ? nullptr : &ownFake, callerStack, callerBytes);
    else
      __sanitizer_start_switch_fiber(&callerFake, stack, bytes);
    swapcontext(&from, &to);
    if (isReturn)
      arrived();
    else
      __sanitizer_finish_switch_fiber(callerFake, nullptr, nullptr);
  }
  void arrived() { __sanitizer_finish_switch_fiber(ownFake, &callerStack, &callerBytes); }
#else
  static void leave(ucontext_t &from, ucontext_t &to, const void *, std::size_t) {
    swapcontext(&from, &to);
  }
  static void arrived() {}
#endif
};

Fiber::Fiber(std::function<void()> body) : state(std::make_unique<State>()) {
  state->body = std::move(body);
}

Fiber::~Fiber() {
  if (state->isStarted && !state->isDone) {
    state->isCancelled = true;
    resume();
  }
  if (state->stack)
    freeStacks().push_back(state->stack);
}

void Fiber::resume() {
  if (!state->isStarted) {
    state->isStarted = true;
    state->stack = takeStack();
    getcontext(&state->own);
    state->own.uc_stack.ss_sp = state->stack;
    state->own.uc_stack.ss_size = stackBytes;
    state->own.uc_link = nullptr;
    const auto address = reinterpret_cast<std::uintptr_t>(state.get());
    makecontext(&state->own, reinterpret_cast<void (*)()>(State::run), 2,
                static_cast<unsigned>(address >> 32), static_cast<unsigned>(address));
  }
  state->leave(state->caller, state->own, state->stack, stackBytes);
}

void Fiber::suspend() {
  state->leave(state->own, state->caller, nullptr, 0);
  if (state->isCancelled)
    throw Cancelled();
}

bool Fiber::isDone() const { return state->isDone; }

} // namespace spl::reference
