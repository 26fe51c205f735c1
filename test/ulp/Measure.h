// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The largest error of a function of the language on a backend: its kernel is run on many operands
// and each answer compared with libm's in a wider type; what looks worst is measured with MPFR.
#pragma once

#include "test/ulp/Reference.h"
#include <cstdint>
#include <spl/spl.h>
#include <string>
#include <vector>

namespace spl::ulp {

struct Worst {
  Error error{0, 0};
  double x = 0, y = 0; ///< where
  std::uint64_t values = 0;
};

/// Where functions come from: the host's library on the CPU, or a library of device math in PTX.
enum class Library { Host, Libdevice, Libclc };

/// The kernels of test/e2e/Inputs/elementary.spl for float or double.
template <class T> class Kernels {
public:
  Kernels(const Context &context, Library library);

  /// On that many operands: special ones, any bits, and those of usual size.
  Worst onSample(std::size_t function, std::uint64_t count) const;
  /// On every float, for a function of one operand.
  Worst onEveryValue(std::size_t function) const;

private:
  void measure(std::size_t function, const std::vector<T> &x, const std::vector<T> &y,
               Worst &worst) const;

  const Context &context;
  Module module;
};

} // namespace spl::ulp
