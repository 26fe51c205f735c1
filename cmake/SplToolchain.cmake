# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiler flags, linker, ccache and sanitizers of all targets.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_C_STANDARD 11)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_ARCHIVE_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_INSTALL_RPATH_USE_LINK_PATH ON) # installed programs find LLVM where the build found it
if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Debug, Release or RelWithDebInfo" FORCE)
endif()

option(SPL_WERROR "Treat the compiler's warnings as errors" OFF)
set(SPL_SANITIZE "" CACHE STRING "Sanitizers to build with, as for -fsanitize= (empty: none)")

add_compile_options(-Wall -Wextra -Wno-unused-parameter -Werror=switch -Werror=return-type)
# Fields that an initialiser leaves out have their defaults, or are 0 in the structs of the C interface.
add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:-Wno-missing-field-initializers>")
if(SPL_WERROR)
  add_compile_options(-Werror)
endif()

if(SPL_SANITIZE)
  # LLVM's classes are built without sanitizers, so their vtables cannot be checked. Nor can the
  # types of kernels that are called: they would be in front of the code, where there may be no
  # memory.
  add_compile_options(-fsanitize=${SPL_SANITIZE} -fno-sanitize=vptr,function
                      -fno-sanitize-recover=all -fno-omit-frame-pointer -g1)
  add_link_options(-fsanitize=${SPL_SANITIZE})
endif()

option(SPL_FUZZ "Build the fuzzers of test/fuzz with libFuzzer" OFF)
if(SPL_FUZZ)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

find_program(SPL_CCACHE ccache)
if(SPL_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  # ccache supports precompiled headers only if it knows that their defines are part of the key.
  set(launcher "${CMAKE_COMMAND}" -E env CCACHE_SLOPPINESS=pch_defines,time_macros "${SPL_CCACHE}")
  set(CMAKE_C_COMPILER_LAUNCHER ${launcher})
  set(CMAKE_CXX_COMPILER_LAUNCHER ${launcher})
  if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
    add_compile_options("$<$<COMPILE_LANGUAGE:CXX>:SHELL:-Xclang -fno-pch-timestamp>")
  endif()
endif()

# Uses the fastest available linker. If the compiler is clang, the required packages include lld-22.
include(CheckLinkerFlag)
foreach(linker mold lld)
  check_linker_flag(CXX "-fuse-ld=${linker}" SPL_HAS_LINKER_${linker})
  if(SPL_HAS_LINKER_${linker})
    add_link_options("-fuse-ld=${linker}")
    break()
  endif()
endforeach()
