// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Uses a kernel that was compiled at build time: as PTX for GPUs, and as a linked object file for
// the CPU. Run it in the folder of saxpy.ptx.
#include <fstream>
#include <iostream>
#include <iterator>
#include <spl/spl.h>

extern "C" void spl_entry_saxpy(void *const *, const spl_cpu_launch *, std::int64_t, std::int64_t);

static spl::Module load(const spl::Context &ctx) {
  if (ctx.backend() == spl::Backend::Cpu)
    return spl::Module::load(
        ctx, spl::HostCode{
                 .kernels = {{"saxpy(alpha: f32, x: &[f32], y: &mut [f32])", spl_entry_saxpy}}});
  std::ifstream file("saxpy.ptx");
  std::string ptx(std::istreambuf_iterator<char>(file), {});
  return spl::Module::load(ctx, ptx);
}

int main() try {
  auto ctx = spl::Context::makeDefault();
  auto kernels = load(ctx);
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
