// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The limit of the steps of an analysis, so that its time is bounded for every kernel.
#pragma once

#include <algorithm>

namespace spl::mir::bounds {

/// Counts the steps of one analysis, in shares. A share is half of the steps that are left. So a
/// long proof does not take the steps of all later proofs. Later shares have a least size.
class Steps {
public:
  /// Begins a new share. It lasts until the next call.
  void startShare() {
    const unsigned left = most - std::min(taken, most);
    const unsigned least = taken < most + leastShares ? leastShare : 0;
    end = taken + std::max(left / 2, least);
  }
  /// Counts a step. Returns false if the share is used up.
  bool take() {
    if (isUsedUp())
      return false;
    ++taken;
    return true;
  }
  /// Whether the share is used up. Bounds that are computed then may be incomplete, so the analysis
  /// does not store them for later shares.
  bool isUsedUp() const { return taken >= end; }

  /// Limits the steps to a few of the current share, for as long as the object exists.
  class Few {
  public:
    explicit Few(Steps &steps) : steps(steps), end(steps.end) {
      steps.end = std::min(end, steps.taken + few);
    }
    ~Few() { steps.end = end; }
    Few(const Few &) = delete;
    Few &operator=(const Few &) = delete;

  private:
    Steps &steps;
    const unsigned end;
  };

private:
  /// After \c most steps, each share is the least one, up to \c leastShares more steps in all.
  static constexpr unsigned most = 20000, leastShare = 250, leastShares = 5000, few = 100;

  unsigned taken = 0, end = most;
};

} // namespace spl::mir::bounds
