// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the fake driver's entries share: its devices, each with a primary context, and the frame of
// every call. Private to the fake. All of it is guarded by the lock that a Call holds.
#pragma once

#include "runtime/cuda/Driver.h"
#include "test/fakecuda/FakeCuda.h"
#include "test/ptxsim/Ptxsim.h"

#include <memory>
#include <mutex>
#include <set>

namespace spl::detail {

/// One device's primary context. It lasts as long as it is retained.
struct CuContextObject {
  static constexpr std::size_t capacity = std::size_t{1} << 30;
  ptxsim::Memory memory{capacity};
  std::set<CuDevicePtr> allocations;
  std::map<CuModule, std::unique_ptr<CuModuleObject>> modules;
  int retained = 0;
  CuResult lost = CuResult::Success; ///< what a kernel's fault makes every later call answer
};

struct CuFunctionObject {
  const ptxsim::Kernel *kernel;
};
struct CuModuleObject {
  CuModuleObject(std::string_view ptx, CuContextObject &context)
      : context(context), module(ptx, context.memory) {}

  CuContextObject &context;
  ptxsim::Module module;
  std::map<std::string, CuFunctionObject, std::less<>> functions; ///< those asked for
};

} // namespace spl::detail

namespace spl::test {

using namespace spl::detail;

constexpr auto invalidValue = static_cast<CuResult>(1);
constexpr auto invalidDevice = static_cast<CuResult>(101);
constexpr auto invalidImage = static_cast<CuResult>(200);
constexpr auto invalidContext = static_cast<CuResult>(201);
constexpr auto invalidPtx = static_cast<CuResult>(218);

/// CUDA 13.0, with the PTX that it takes.
constexpr int driverVersion = 13000;
constexpr unsigned ptxVersion = 90;

struct State {
  FakeCuda visible;
  std::map<CuDevice, std::unique_ptr<CuContextObject>> contexts; ///< made when first retained
  std::string faultText; ///< the interpreter's words about the last fault
  std::recursive_mutex mutex;

  void reset();
  /// What the tests look at.
  void count();
};
State &state();

/// A device's handle, which is not its index.
constexpr CuDevice firstDevice = 100;

/// Contexts that a thread pushed. Without a destructor, as objects that end late still push.
struct ContextStack {
  std::array<CuContext, 64> contexts;
  std::size_t size;

  CuContext top() const { return size ? contexts[size - 1] : nullptr; }
};
extern thread_local ContextStack currentContexts;

/// The frame of every call: it is counted, it may be made to fail, and where a context is needed
/// one must be current and whole.
class Call {
public:
  explicit Call(const char *name, bool needsContext = false);

  CuResult result = CuResult::Success;
  CuContextObject &context() const { return *currentContexts.top(); }
  /// Notes what a real driver would not survive.
  CuResult mistake(const std::string &text, CuResult answer = invalidValue) const;

private:
  std::string name;
  std::lock_guard<std::recursive_mutex> lock;
};

/// Begins an entry: Call call(NAME, NEEDS_CONTEXT), and the end where that fails.
#define SPL_ENTER(...)                                                                             \
  spl::test::Call call(__VA_ARGS__);                                                               \
  if (call.result != CuResult::Success)                                                            \
  return call.result

/// The driver's result for what went wrong in a kernel.
CuResult resultOf(ptxsim::ErrorKind kind);

} // namespace spl::test
