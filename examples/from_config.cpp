// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Opens the device that dl.config.sdn selects, and prints its warnings to standard error.
#include "examples/Example.h"

#include <iostream>
#include <spl/spl.h>

int main(int argc, char **argv) try {
  example::readNoOptions(
      argc, argv, "from_config: opens the device that dl.config.sdn selects, and prints its name");
  spl::Config config = spl::Config::find();
  for (const std::string &warning : config.warnings())
    std::cerr << warning << '\n';
  auto ctx = spl::Context::makeFromConfig(config);

  spl::ScalarType dtype = config.dtype().value_or(spl::ScalarType::F32);
  std::cout << toString(ctx.backend()) << ':' << ctx.device().index << ' ' << toString(dtype)
            << '\n';
} catch (const spl::Error &error) {
  std::cerr << error.what() << '\n';
  return 1;
}
