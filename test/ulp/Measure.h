// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Measures the maximum error of a math function on a backend. Its kernel runs on many operands.
// Each result is compared with libm in a wider type, and the largest errors are measured with MPFR.
#pragma once

#include "test/ulp/Reference.h"
#include <cstdint>
#include <random>
#include <spl/spl.h>
#include <string>
#include <vector>

namespace spl::ulp {

struct Worst {
  Error error{0, 0};
  double x = 0, y = 0; ///< the operands with that error
  std::uint64_t values = 0;
};

/// The source of the functions: the host's library on the CPU, or a device library in PTX.
enum class Library { Host, Libdevice, Libclc };

/// The kernels of test/e2e/Inputs/elementary.spl for T = float or double.
template <class T> class Kernels {
public:
  Kernels(const Context &context, Library library);

  /// Measures \p count operands: special values, random bits, and values of usual size.
  Worst onSample(std::size_t function, std::uint64_t count) const;
  /// Measures every float, for a function of one operand.
  Worst onEveryValue(std::size_t function) const;

  /// The results of the sample. It has the same operands for each library.
  std::vector<T> resultsOfSample(std::size_t function, std::uint64_t count) const;

private:
  struct Operands {
    std::vector<T> x, y; ///< y is empty for a function of one operand
  };
  /// A part of the sample.
  static Operands sample(std::size_t function, std::mt19937_64 &random, std::uint64_t first,
                         std::uint64_t end);
  std::vector<T> results(std::size_t function, const Operands &operands) const;
  void measure(std::size_t function, const Operands &operands, Worst &worst) const;

  const Context &context;
  Module module;
};

} // namespace spl::ulp
