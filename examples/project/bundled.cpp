// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses a kernel from a bundle, which contains code for GPUs and for the CPU. Run it in the folder
// of saxpy.bundle.
#include <fstream>
#include <iostream>
#include <iterator>
#include <spl/spl.h>

int main() try {
  auto ctx = spl::Context::makeDefault();
  std::ifstream file("saxpy.bundle", std::ios::binary);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  auto kernels = spl::Module::load(ctx, bytes); // the code for whatever device ctx is on
  auto x = ctx.allocUpload<float>({1, 2, 3});
  auto y = ctx.allocUpload<float>({10, 20, 30});
  ctx.launch(kernels["saxpy"], {.global = {3}}, 2.0f, x, y);
  for (float value : y.download())
    std::cout << value << ' ';
  std::cout << '\n';
} catch (const spl::Error &error) {
  std::cerr << error.what() << '\n';
  return 1;
}
