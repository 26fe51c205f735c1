// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// While an object of this class exists, the runtime uses the fake CUDA driver instead of the real
// one.
#pragma once

#include "test/fakecuda/CudaLibrary.h"
#include "test/fakecuda/FakeCuda.h"

#include <dlfcn.h>
#include <stdexcept>

namespace spl::test {

class FakeDriver {
public:
  explicit FakeDriver(const char *library = SPL_FAKE_CUDA) : handle(dlopen(library, RTLD_NOW)) {
    if (!handle)
      throw std::runtime_error(dlerror());
    access = reinterpret_cast<decltype(access)>(dlsym(handle, "spl_fake_cuda"));
    fake = access(/*reset=*/true);
    test::useCudaLibrary(library);
  }
  ~FakeDriver() { test::useCudaLibrary(nullptr); }
  FakeDriver(const FakeDriver &) = delete;
  FakeDriver &operator=(const FakeDriver &) = delete;

  FakeCuda *operator->() const { return fake; }

  /// Describes what a test must not leave behind: misuses, unreleased objects, and contexts that
  /// are still on a stack. One per line. Empty if all is well.
  std::string complaints() const {
    std::string text;
    for (const std::string &misuse : fake->misuses)
      text += misuse + "\n";
    for (const auto &[kind, count] : fake->live)
      text += std::to_string(count) + " of kind " + kind + " left\n";
    if (fake->pushed != 0)
      text += std::to_string(fake->pushed) + " contexts on the stacks\n";
    return text;
  }

private:
  void *handle;
  FakeCuda *(*access)(bool reset) = nullptr;
  FakeCuda *fake = nullptr;
};

} // namespace spl::test
