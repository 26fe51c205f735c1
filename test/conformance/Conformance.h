// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fixture of the conformance suite. Each test runs on every backend of this machine, and with
// the CUDA backend on the fake driver too, where it must release all objects. If a backend is not
// available, its tests are skipped with the reason.
#pragma once

#include "test/conformance/Kernels.h"
#include "test/fakecuda/FakeDriver.h"

#include <spl/spl.h>

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <thread>
#include <vector>

namespace spl::test {

struct Variant {
  const char *name;
  Backend backend;
  bool isFake;
};

/// The backends that the program tests.
std::vector<Variant> variants();

/// How GoogleTest prints a parameter.
inline void PrintTo(const Variant &variant, std::ostream *out) { *out << variant.name; }

class Conformance : public testing::TestWithParam<Variant> {
protected:
  void SetUp() override {
    if (GetParam().isFake)
      fake.emplace();
    BackendStatus status = detectBackend(GetParam().backend);
    if (!status.available)
      GTEST_SKIP() << toString(status.backend) << ": " << status.reason;
    context.emplace(Context::make(GetParam().backend));
  }

  void TearDown() override {
    context.reset();
    if (fake)
      EXPECT_EQ(fake->complaints(), "");
  }

  Module load() {
    if (GetParam().backend == Backend::Cpu)
      return Module::load(*context, HostCode{test::conformanceKernels(), nullptr});
    return Module::load(*context, test::conformancePtx());
  }

  std::optional<test::FakeDriver> fake;
  std::optional<Context> context;
};

/// Blocks a stream until open() is called. The destructor opens it. It also opens after a time
/// limit, so that no test hangs: a driver may call the functions of all streams from one thread.
class Gate {
public:
  void hold(const Stream &stream) {
    stream.call([state = state] {
      using namespace std::chrono_literals;
      const auto end = std::chrono::steady_clock::now() + 10s;
      while (!*state && std::chrono::steady_clock::now() < end)
        std::this_thread::sleep_for(1ms);
    });
  }
  void open() { *state = true; }
  ~Gate() { open(); }

private:
  std::shared_ptr<std::atomic<bool>> state = std::make_shared<std::atomic<bool>>(false);
};

/// Numbers that are exact in f32 and differ from their neighbours.
inline std::vector<float> numbers(std::size_t count, int seed) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i)
    values[i] = static_cast<float>((i * 7919 + static_cast<std::size_t>(seed)) % 10007) - 5000.5f;
  return values;
}

inline ErrorCode codeOf(const std::function<void()> &call) {
  try {
    call();
  } catch (const Error &error) {
    return error.code();
  }
  ADD_FAILURE() << "nothing was thrown";
  return ErrorCode::DriverError;
}

inline std::string messageOf(const std::function<void()> &call) {
  try {
    call();
  } catch (const Error &error) {
    return error.message();
  }
  return "nothing was thrown";
}

/// Instantiates a fixture for every backend.
#define SPL_ON_EVERY_BACKEND(FIXTURE)                                                              \
  INSTANTIATE_TEST_SUITE_P(Backends, FIXTURE, testing::ValuesIn(test::variants()),                 \
                           [](const auto &info) { return std::string(info.param.name); })

} // namespace spl::test
