// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: bench-nvrtc FOLDER FILE
//
// Compiles FILE, CUDA C++ with includes from FOLDER, to PTX for sm_80 by NVRTC, after a small
// kernel that warms this process up. Prints the seconds, and those of all processors. Exits with 3
// if NVRTC is not installed. scripts/bench compile-times runs it.
#include "bench/Nvrtc.h"
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <sstream>
#include <string>

int main(int argc, char **argv) {
  if (argc != 3) {
    std::fputs("usage: bench-nvrtc FOLDER FILE\n", stderr);
    return 2;
  }
  std::ostringstream text;
  text << std::ifstream(argv[2]).rdbuf();
  const auto nvrtc = spl::bench::Nvrtc::open();
  if (!nvrtc)
    return 3;
  const std::vector<std::string> options = {"--gpu-architecture=compute_80", "-std=c++17",
                                            std::string("-I") + argv[1]};
  nvrtc->compile("__global__ void warm(float *out) { out[0] = 1.0f; }", options);
  const auto start = std::chrono::steady_clock::now();
  const std::clock_t busy = std::clock(); // of all threads
  if (nvrtc->compile(text.str(), options).empty())
    return 1;
  const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
  std::printf("%.6f %.6f\n", seconds.count(), double(std::clock() - busy) / CLOCKS_PER_SEC);
}
