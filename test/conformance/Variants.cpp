// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/conformance/Conformance.h"

std::vector<spl::test::Variant> spl::test::variants() {
  return {{.name = "cpu", .backend = Backend::Cpu, .isFake = false},
          {.name = "cuda", .backend = Backend::Cuda, .isFake = false},
          {.name = "cudaOnAFakeDriver", .backend = Backend::Cuda, .isFake = true}};
}
