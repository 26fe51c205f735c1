# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# spl_optimize_with_bolt(TARGET [PROFILE_OF PROGRAM]): if SPL_BOLT is on, TARGET contains LLVM and
# MLIR, and llvm-bolt arranges its code by a profile. The build makes the profile when it first links
# PROGRAM, which has the functions of TARGET. Without PROFILE_OF, PROGRAM is TARGET.
# docs/performance.md says what this saves.

option(SPL_BOLT "Link LLVM and MLIR into simple and libspl-jit.so, and optimise both with llvm-bolt" OFF)
if(SPL_BOLT)
  find_program(SPL_LLVM_BOLT llvm-bolt HINTS "${SPL_LLVM_ROOT}/bin")
  find_program(SPL_MERGE_FDATA merge-fdata HINTS "${SPL_LLVM_ROOT}/bin")
  if(NOT SPL_LLVM_BOLT OR NOT SPL_MERGE_FDATA)
    message(FATAL_ERROR "llvm-bolt was not found: install bolt-22, or configure with -DSPL_BOLT=OFF")
  endif()

  # All archives of LLVM and MLIR. The linker takes what is used. Debian's targets of CMake cannot be
  # linked for this, because those of MLIR depend on the shared libLLVM.
  add_library(spl-llvm-archives INTERFACE)
  file(GLOB spl_archives "${SPL_LLVM_ROOT}/lib/libLLVM*.a" "${SPL_LLVM_ROOT}/lib/libMLIR*.a")
  list(FILTER spl_archives EXCLUDE REGEX "Test|gtest|CAPI")
  find_package(ZLIB REQUIRED)
  find_library(SPL_ZSTD zstd REQUIRED)
  target_link_libraries(spl-llvm-archives INTERFACE "$<LINK_GROUP:RESCAN,${spl_archives}>" ZLIB::ZLIB "${SPL_ZSTD}")
endif()

function(spl_optimize_with_bolt target)
  if(NOT SPL_BOLT)
    return()
  endif()
  cmake_parse_arguments(ARG "" "PROFILE_OF" "" ${ARGN})
  set_target_properties(${target} PROPERTIES SPL_CONTAINS_LLVM ON)
  # llvm-bolt needs the relocations. It is tested with lld.
  target_link_options(${target} PRIVATE -fuse-ld=lld -Wl,--emit-relocs -Wl,--gc-sections -Wl,-z,now)

  set(training "")
  if(NOT ARG_PROFILE_OF)
    set(training reduction matmul spmv stencil kmeans scan)
    list(TRANSFORM training REPLACE "(.+)" "${PROJECT_SOURCE_DIR}/examples/\\1.spl")
  endif()
  add_custom_command(TARGET ${target} POST_BUILD
    COMMAND "${CMAKE_COMMAND}" "-DBOLT=${SPL_LLVM_BOLT}" "-DMERGE=${SPL_MERGE_FDATA}"
            "-DFILE=$<TARGET_FILE:${target}>" "-DPROFILE=${PROJECT_BINARY_DIR}/simple.fdata" "-DTRAINING=${training}"
            -P "${PROJECT_SOURCE_DIR}/cmake/bolt.cmake"
    COMMENT "Arranging the code of ${target} with llvm-bolt"
    VERBATIM)
  if(ARG_PROFILE_OF)
    add_dependencies(${target} ${ARG_PROFILE_OF})
  endif()
endfunction()
