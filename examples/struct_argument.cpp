// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A whole program with a kernel that takes a struct with vectors.
#include <array>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <spl/spl.h>

constexpr auto source = R"(
struct Motion:
    velocity: f32x4
    part: i32x2
    seconds: f32

#[gpu]
fn advance(points: &mut [f32x4], motion: Motion):
    val i = gpu.global_id()
    if i >= motion.part.x and i < motion.part.y and i < points.len():
        points[i] += motion.velocity * motion.seconds
)";

struct Motion {
  alignas(16) std::array<float, 4> velocity;   // f32x4
  alignas(8) std::array<std::int32_t, 2> part; // i32x2
  float seconds;                               // f32
};

int main(int argc, char **argv) try {
  if (argc > 1) {
    std::puts("struct_argument: passes a struct with vectors to a kernel\nIt takes no arguments.");
    return std::strcmp(argv[1], "--help") == 0 ? 0 : 2;
  }
  auto ctx = spl::Context::makeDefault(); // CUDA, else the CPU
  auto kernels = spl::jit::loadSource(ctx, source, "advance.spl", {.optLevel = 3});
  auto points = ctx.allocZeros<std::array<float, 4>>(5);
  ctx.launch(kernels["advance"], {.global = {5}}, points, Motion{{2, 0, 0, 0}, {1, 4}, 0.5f});
  for (const auto &point : points.download())
    std::printf("%g ", point[0]); // 0 1 1 1 0
  std::printf("\n");
} catch (const spl::Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
