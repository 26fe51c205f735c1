// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs examples/mandelbrot.spl at 2048 x 2048 and writes the image as a PNG.
#include <array>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <png.h>
#include <spl/spl.h>
#include <vector>

namespace {

constexpr int size = 2048;
constexpr std::int32_t limit = 500;

// Points that never escape are black. The others have colours from a smooth ring.
std::array<unsigned char, 3> colour(std::int32_t steps) {
  if (steps == limit)
    return {0, 0, 0};
  const double t = std::sqrt(static_cast<double>(steps) / limit);
  const auto channel = [&](double phase) {
    return static_cast<unsigned char>(127.5 * (1 - std::cos(6.2831853 * (1.5 * t + phase))));
  };
  return {channel(0.05), channel(0.0), channel(-0.10)};
}

bool writePng(const char *path, const std::vector<std::int32_t> &steps) {
  std::vector<unsigned char> pixels;
  pixels.reserve(steps.size() * 3);
  for (std::int32_t count : steps)
    for (unsigned char channel : colour(count))
      pixels.push_back(channel);
  png_image image;
  std::memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = size;
  image.height = size;
  image.format = PNG_FORMAT_RGB;
  if (png_image_write_to_file(&image, path, 0, pixels.data(), 0, nullptr))
    return true;
  std::fprintf(stderr, "cannot write '%s': %s\n", path, image.message);
  return false;
}

constexpr char usage[] =
    "usage: mandelbrot [PICTURE.png [MANDELBROT.spl]]\n"
    "Draws %d x %d points on the best device present, or on SPL_BACKEND's: to mandelbrot.png,\n"
    "by the kernel of examples/mandelbrot.spl, where nothing else is said.\n";

} // namespace

int main(int argc, char **argv) try {
  const bool isHelp = argc == 2 && std::strcmp(argv[1], "--help") == 0;
  if (isHelp || argc > 3 || (argc > 1 && argv[1][0] == '-')) {
    std::fprintf(isHelp ? stdout : stderr, usage, size, size);
    return isHelp ? 0 : 2;
  }
  const char *path = argc > 1 ? argv[1] : "mandelbrot.png";
  const char *source = argc > 2 ? argv[2] : "examples/mandelbrot.spl";

  auto ctx = spl::Context::makeDefault();
  auto kernels = spl::jit::loadFile(ctx, source);
  auto steps = ctx.alloc<std::int32_t>(std::int64_t{size} * size);
  const auto start = std::chrono::steady_clock::now();
  ctx.launch(kernels["mandelbrot"], {.global = {size, size}}, std::int64_t{size},
             std::int64_t{size}, limit, steps);
  ctx.sync();
  const std::chrono::duration<double, std::milli> spent =
      std::chrono::steady_clock::now() - start;
  if (!writePng(path, steps.download()))
    return 1;
  std::printf("%s: %d x %d on %s in %.0f ms\n", path, size, size, ctx.device().name.c_str(),
              spent.count());
} catch (const spl::Error &error) {
  std::fprintf(stderr, "%s\n", error.what());
  return 1;
}
