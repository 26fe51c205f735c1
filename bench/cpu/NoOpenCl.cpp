// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "bench/cpu/OpenCl.h"

std::unique_ptr<bench::OpenCl> bench::openCl(int /*threads*/) {
  throw OpenClMissing("bench-cpu was built without OpenCL; install ocl-icd-opencl-dev, "
                      "opencl-clhpp-headers and pocl-opencl-icd, and configure the build again");
}
