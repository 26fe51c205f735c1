// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An object of each kind of the C interface, on the CPU, for tests to use and to misuse.
#pragma once

#include <spl/spl.h>

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <vector>

namespace spl::capi::test {

/// Fails the test, with the text, unless \p status is SPL_OK.
void expectOk(spl_status status);

/// The kinds, by the names that messages give them: "array", "graph exec".
const std::vector<std::string> &kinds();

/// Makes objects and frees all of them when it ends.
class Fixture {
public:
  Fixture();
  ~Fixture();
  Fixture(const Fixture &) = delete;
  Fixture &operator=(const Fixture &) = delete;

  /// The one of a kind that is there from the start.
  std::uint64_t operator[](const std::string &kind) const { return handles.at(kind); }

  /// One more of a kind. The caller frees it.
  std::uint64_t make(const std::string &kind) const;

  /// Frees a handle as its kind is freed.
  static spl_status free(const std::string &kind, std::uint64_t handle);

private:
  std::map<std::string, std::uint64_t> handles;
};

/// The signature of the kernel that the fixture's module has: out[i] = value. Its group size is
/// any.
extern const char *const fillSignature;
extern const spl_host_kernel fillKernel;

} // namespace spl::capi::test
