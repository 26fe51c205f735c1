// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Compiles a kernel from source and launches it from C++ on the best available device.
#include <cstdio>
#include <cstring>
#include <spl/spl.h>
#include <vector>

constexpr auto usage = "usage: jit_vector_add [VECTOR_ADD.SPL]\n";

int main(int argc, char **argv) try {
  if (argc > 1 && std::strcmp(argv[1], "--help") == 0)
    return std::fputs(usage, stdout) < 0;
  const char *source = argc > 1 ? argv[1] : "examples/vector_add.spl";
  auto ctx = spl::Context::makeDefault(); // CUDA, else the CPU
  auto a = ctx.allocUpload<float>({1, 2, 3, 4});
  auto b = ctx.allocUpload<float>({5, 6, 7, 8});
  auto out = ctx.alloc<float>(4);
  auto kernels = spl::jit::loadFile(ctx, source);
  ctx.launch(kernels["vector_add"], {.global = {4}}, a, b, out);
  std::vector<float> result = out.download(); // 6 8 10 12
  for (float value : result)
    std::printf("%g ", value);
  std::printf("\n");
} catch (const spl::Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  if (argc == 1 && error.code() == spl::ErrorCode::CompileFailed)
    std::fputs(usage, stderr);
  return 1;
}
