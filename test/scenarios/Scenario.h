// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A scenario is a function that uses a part of the CUDA backend, releases all of its objects and
// checks its results. The tests run each scenario on the fake driver: once without failures, and
// once for each of its driver calls, which then fails.
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

/// How GoogleTest prints a parameter.
inline void PrintTo(const Scenario &scenario, std::ostream *out) { *out << scenario.name; }

/// All scenarios, sorted by name.
std::vector<Scenario> &scenarios();

/// Defines a scenario: SPL_SCENARIO(Name) { ... fake ... }
#define SPL_SCENARIO(NAME)                                                                         \
  static void NAME(spl::test::FakeDriver &fake);                                                   \
  [[maybe_unused]] static const bool NAME##IsListed =                                              \
      (spl::test::scenarios().push_back({#NAME, NAME}), true);                                     \
  static void NAME([[maybe_unused]] spl::test::FakeDriver &fake)

/// Thrown if a scenario gets a wrong result.
struct WrongResult : std::logic_error {
  using std::logic_error::logic_error;
};

inline void require(bool holds, const std::string &what) {
  if (!holds)
    throw WrongResult("wrong: " + what);
}

/// Whether the requested failure has happened.
inline bool hasFailed(FakeDriver &fake) {
  return fake->failAt != 0 && fake->callCount >= fake->failAt;
}

/// The outcome of a scenario.
struct RunResult {
  std::optional<Error> error;
  std::string other; ///< the text of any other exception
};
RunResult outcomeOf(const Scenario &scenario, FakeDriver &fake);

/// Checks that \p call throws an Error with \p code. An Error from the requested failure, or from a
/// function that the driver lacks, is rethrown.
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

/// add(x: &mut [i32], by: i32) adds to each element. fail(x: &mut [i32]) traps.
const std::string &scenarioPtx();

/// A context with that module, and a helper that launches add in a stream.
struct Opened {
  Context context = openCuda();
  Module module = Module::load(context, scenarioPtx());

  void add(const Stream &stream, Array<std::int32_t> &array, std::int32_t by) const {
    context.launchAsync(stream, module["add"], {.global = {array.size()}}, array, by);
  }
};

} // namespace spl::test
