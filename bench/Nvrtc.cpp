// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/Nvrtc.h"
#include <cstdlib>
#include <dlfcn.h>

namespace spl::bench {

template <class F> F *Nvrtc::entry(const char *name) const {
  return reinterpret_cast<F *>(dlsym(library, name));
}

std::unique_ptr<Nvrtc> Nvrtc::open() {
  const char *chosen = std::getenv("SPL_NVRTC");
  for (const char *name : {chosen ? chosen : "libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12",
                           "/usr/local/cuda/lib64/libnvrtc.so"})
    if (void *library = dlopen(name, RTLD_NOW))
      return std::unique_ptr<Nvrtc>(new Nvrtc(library));
  return nullptr;
}

std::string Nvrtc::version() const {
  int major = 0, minor = 0;
  entry<int(int *, int *)>("nvrtcVersion")(&major, &minor);
  return std::to_string(major) + "." + std::to_string(minor);
}

std::string Nvrtc::compile(const std::string &source) const {
  void *program = nullptr;
  if (entry<int(void **, const char *, const char *, int, const char *const *,
                const char *const *)>("nvrtcCreateProgram")(&program, source.c_str(), "baseline.cu",
                                                            0, nullptr, nullptr) != 0)
    return {};
  const char *options[] = {"--gpu-architecture=compute_75"};
  std::string ptx;
  std::size_t size = 0;
  if (entry<int(void *, int, const char *const *)>("nvrtcCompileProgram")(program, 1, options) ==
          0 &&
      entry<int(void *, std::size_t *)>("nvrtcGetPTXSize")(program, &size) == 0) {
    ptx.resize(size);
    entry<int(void *, char *)>("nvrtcGetPTX")(program, ptx.data());
  }
  entry<int(void **)>("nvrtcDestroyProgram")(&program);
  return ptx;
}

} // namespace spl::bench
