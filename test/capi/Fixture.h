// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Makes an object of each kind of the C interface on the CPU, for tests of use and misuse.
#pragma once

#include <spl/spl.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace spl::capi::test {

/// Fails the test with the error's text unless \p status is SPL_OK.
void expectOk(spl_status status);

/// The names of the kinds as messages have them, such as "array" or "graph exec".
const std::vector<std::string> &kinds();

/// Makes objects and frees all of them in its destructor.
class Fixture {
public:
  Fixture();
  ~Fixture();
  Fixture(const Fixture &) = delete;
  Fixture &operator=(const Fixture &) = delete;

  /// The object of \p kind that the constructor made.
  std::uint64_t operator[](const std::string &kind) const { return handles.at(kind); }

  /// Makes another object of \p kind. The caller frees it.
  std::uint64_t make(const std::string &kind) const;

  /// Frees a handle with the function of its kind.
  static spl_status free(const std::string &kind, std::uint64_t handle);

private:
  std::map<std::string, std::uint64_t> handles;
};

/// The signature of the kernel in the fixture's module. The kernel computes out[i] = value and has
/// no fixed group size.
extern const char *const fillSignature;
extern const spl_host_kernel fillKernel;

} // namespace spl::capi::test
