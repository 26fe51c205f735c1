# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# find_package(SimpleGPU): the libraries spl::runtime and spl::jit, and the tool spl::simple.
include("${CMAKE_CURRENT_LIST_DIR}/SimpleGPUTargets.cmake")
if(CMAKE_CXX_COMPILER_LOADED) # a project in C has no use for C++20, nor could it be asked of it
  target_compile_features(spl::runtime INTERFACE cxx_std_20)
endif()
