// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/Nvrtc.h"
#include <cstdio>
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

// What nvcc's headers define and NVRTC does not: the types of <cstdint>, and INFINITY.
static const char *const cstdint = R"(
typedef signed char int8_t;
typedef short int16_t;
typedef int int32_t;
typedef long int64_t;
typedef unsigned char uint8_t;
typedef unsigned short uint16_t;
typedef unsigned uint32_t;
typedef unsigned long uint64_t;
namespace std {
using ::int8_t, ::int16_t, ::int32_t, ::int64_t, ::uint8_t, ::uint16_t, ::uint32_t, ::uint64_t;
}
#define INFINITY __int_as_float(0x7f800000)
)";

std::string Nvrtc::compile(const std::string &source,
                           const std::vector<std::string> &options) const {
  void *program = nullptr;
  const char *name = "cstdint";
  if (entry<int(void **, const char *, const char *, int, const char *const *,
                const char *const *)>("nvrtcCreateProgram")(&program, source.c_str(), "baseline.cu",
                                                            1, &cstdint, &name) != 0)
    return {};
  std::vector<const char *> texts;
  for (const std::string &option : options)
    texts.push_back(option.c_str());
  std::string ptx, log;
  std::size_t size = 0;
  if (entry<int(void *, int, const char *const *)>("nvrtcCompileProgram")(
          program, static_cast<int>(texts.size()), texts.data()) == 0 &&
      entry<int(void *, std::size_t *)>("nvrtcGetPTXSize")(program, &size) == 0) {
    ptx.resize(size);
    entry<int(void *, char *)>("nvrtcGetPTX")(program, ptx.data());
  } else if (entry<int(void *, std::size_t *)>("nvrtcGetProgramLogSize")(program, &size) == 0) {
    log.resize(size);
    entry<int(void *, char *)>("nvrtcGetProgramLog")(program, log.data());
    std::fprintf(stderr, "%s\n", log.c_str());
  }
  entry<int(void **)>("nvrtcDestroyProgram")(&program);
  return ptx;
}

} // namespace spl::bench
