// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// usage: bench-compile-file ROUNDS FOLDER FILE
//
// Compiles FILE in this process, after a small kernel that warms it up, and prints the seconds and
// the seconds of all processors of each round in a line. Of a .spl file it makes what a program
// loads for sm_80 (jit::loadFile). Of a .cu file NVRTC makes PTX for the same GPU, with includes
// from FOLDER. Exits with 3 if NVRTC is not installed. scripts/bench compile-times runs it.
#include "bench/Nvrtc.h"
#include "driver/Compilation.h"
#include "llvm/Support/raw_ostream.h"
#include <chrono>
#include <cstdio>
#include <ctime>
#include <fstream>
#include <functional>
#include <sstream>
#include <string>

namespace {

bool compileOurs(const std::string &name, const std::string &text) {
  spl::driver::CompileOptions options;
  options.codegen.target = llvm::cantFail(spl::codegen::TargetSpec::parse("sm_80"));
  spl::driver::Compilation compilation(options);
  llvm::SmallVector<char, 0> code;
  if (compilation.setText(name, text) && compilation.emitFor(spl::codegen::Output::Loaded, code))
    return true;
  compilation.diagnostics().print(llvm::errs(), /*colour=*/false);
  return false;
}

void report(const std::function<bool()> &compile, int rounds) {
  for (int round = 0; round != rounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    const std::clock_t busy = std::clock(); // of all threads
    if (!compile())
      std::exit(1);
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    std::printf("%.6f %.6f\n", seconds.count(), double(std::clock() - busy) / CLOCKS_PER_SEC);
  }
}

} // namespace

int main(int argc, char **argv) {
  if (argc != 4) {
    std::fputs("usage: bench-compile-file ROUNDS FOLDER FILE\n", stderr);
    return 2;
  }
  const int rounds = std::stoi(argv[1]);
  const std::string name = argv[3];
  std::ostringstream text;
  text << std::ifstream(name).rdbuf();
  if (!name.ends_with(".cu")) {
    compileOurs("warm.spl", "#[gpu]\nfn warm(out: &mut [f32]):\n    out[0] = 1.0\n");
    report([&] { return compileOurs(name, text.str()); }, rounds);
    return 0;
  }
  const auto nvrtc = spl::bench::Nvrtc::open();
  if (!nvrtc)
    return 3;
  const std::vector<std::string> options = {"--gpu-architecture=compute_80", "-std=c++17",
                                            std::string("-I") + argv[2]};
  nvrtc->compile("__global__ void warm(float *out) { out[0] = 1.0f; }", options);
  report([&] { return !nvrtc->compile(text.str(), options).empty(); }, rounds);
}
