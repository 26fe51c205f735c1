// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/core/Outcome.h"

#include <utility>

namespace spl::detail {

void Outcome::fail(std::exception_ptr thrown, std::uint64_t number) {
  std::lock_guard lock(mutex);
  if (failure)
    return;
  failure = std::move(thrown);
  failed = number;
}

std::exception_ptr Outcome::current() const {
  std::lock_guard lock(mutex);
  return failure;
}

void Outcome::rethrow(std::uint64_t among) {
  std::exception_ptr thrown;
  {
    std::lock_guard lock(mutex);
    if (failed <= among)
      thrown = std::exchange(failure, nullptr);
  }
  if (thrown)
    std::rethrow_exception(thrown);
}

void Outcome::rethrow(const std::exception_ptr &known) {
  {
    std::lock_guard lock(mutex);
    if (!known || failure != known)
      return;
    failure = nullptr;
  }
  std::rethrow_exception(known);
}

void Outcomes::add(std::shared_ptr<Outcome> outcome) {
  std::lock_guard lock(mutex);
  if (!all.insert(std::move(outcome)).second)
    return;
  // What only this holds is of work that is over.
  std::erase_if(all, [](const auto &each) { return each.use_count() == 1 && !each->current(); });
}

void Outcomes::rethrow() {
  std::set<std::shared_ptr<Outcome>> asked;
  {
    std::lock_guard lock(mutex);
    asked = all;
  }
  for (const std::shared_ptr<Outcome> &each : asked)
    each->rethrow();
}

} // namespace spl::detail
