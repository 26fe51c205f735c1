// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stretches of a program's use of the CUDA backend, each a function that ends all that it makes and
// checks what it gets. The tests run each on the fake driver, plainly and with every one of its
// driver calls made to fail.
#pragma once

#include "test/fakecuda/FakeDriver.h"

#include <spl/spl.h>

#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace spl::test {

struct Scenario {
  const char *name;
  void (*run)(FakeDriver &fake);
};

/// How GoogleTest shows a parameter.
inline void PrintTo(const Scenario &scenario, std::ostream *out) { *out << scenario.name; }

/// All of them, in the order of their names.
std::vector<Scenario> &scenarios();

/// Defines a scenario: SPL_SCENARIO(Name) { ... fake ... }
#define SPL_SCENARIO(NAME)                                                                         \
  static void NAME(spl::test::FakeDriver &fake);                                                   \
  [[maybe_unused]] static const bool NAME##IsListed =                                              \
      (spl::test::scenarios().push_back({#NAME, NAME}), true);                                     \
  static void NAME([[maybe_unused]] spl::test::FakeDriver &fake)

/// What a scenario got is not what it must get.
struct WrongResult : std::logic_error {
  using std::logic_error::logic_error;
};

inline void require(bool holds, const std::string &what) {
  if (!holds)
    throw WrongResult("wrong: " + what);
}

/// Whether the failure that a test asked for has come.
inline bool hasFailed(FakeDriver &fake) {
  return fake->failAt != 0 && fake->callCount >= fake->failAt;
}

/// What became of a scenario.
struct RunResult {
  std::optional<Error> error;
  std::string other; ///< what else was thrown
};
RunResult outcomeOf(const Scenario &scenario, FakeDriver &fake);

/// The call must throw an Error of this code. One that comes of the failure asked for, or of what
/// the driver lacks, is thrown on.
inline void requireError(FakeDriver &fake, ErrorCode code, const std::function<void()> &call) {
  try {
    call();
  } catch (const Error &error) {
    if (hasFailed(fake) || error.code() == ErrorCode::UnsupportedOnTarget)
      throw;
    require(error.code() == code, std::string("the code of: ") + error.what());
    return;
  }
  require(false, "nothing was thrown");
}

using Ints = std::vector<std::int32_t>;

inline Context openCuda(int device = 0) { return Context::make(Backend::Cuda, device); }

/// add(x: &mut [i32], by: i32) adds to each element; fail(x: &mut [i32]) traps.
const std::string &scenarioPtx();

/// A context with the module above, and adding in a stream.
struct Opened {
  Context context = openCuda();
  Module module = Module::load(context, scenarioPtx());

  void add(const Stream &stream, Array<std::int32_t> &array, std::int32_t by) const {
    context.launchAsync(stream, module["add"], {.global = {array.size()}}, array, by);
  }
};

} // namespace spl::test
