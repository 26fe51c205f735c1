# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# find_package(SimpleGPU): the libraries spl::runtime and spl::jit, and the tool spl::simple.
include("${CMAKE_CURRENT_LIST_DIR}/SimpleGPUTargets.cmake")
if(CMAKE_CXX_COMPILER_LOADED) # a C project has no C++ compiler that could be asked about C++20
  target_compile_features(spl::runtime INTERFACE cxx_std_20)
endif()
