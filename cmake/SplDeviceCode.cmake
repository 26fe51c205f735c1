# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# spl_add_device_code(LIBRARY source): compiles C or C++ code for NVIDIA GPUs to LLVM bitcode. It
# always uses clang, also if another compiler builds the rest. Sources of LIBRARY include the bitcode
# as the bytes of an array: #include "source.bc.inc".
find_program(SPL_CLANG clang PATHS "${LLVM_TOOLS_BINARY_DIR}" NO_DEFAULT_PATH REQUIRED)
function(spl_add_device_code library source)
  cmake_path(GET source STEM stem)
  cmake_path(GET source EXTENSION extension)
  set(bitcode "${CMAKE_CURRENT_BINARY_DIR}/${stem}.bc")
  set(options -Os)
  if(extension STREQUAL ".cpp")
    set(options -O2 -std=c++20)
  endif()
  # Floats are neither fused nor reordered, and integers wrap.
  add_custom_command(
    OUTPUT "${bitcode}.inc"
    COMMAND "${SPL_CLANG}" --target=nvptx64-nvidia-cuda -nocudalib -ffreestanding ${options} -ffp-contract=off -fwrapv
            "-I${PROJECT_SOURCE_DIR}" -MD -MF "${bitcode}.d" -MT "${bitcode}.inc" -emit-llvm -c "${source}"
            -o "${bitcode}"
    COMMAND "${CMAKE_COMMAND}" "-DINPUT=${bitcode}" "-DOUTPUT=${bitcode}.inc" -P "${PROJECT_SOURCE_DIR}/cmake/bytes.cmake"
    DEPENDS "${source}" "${PROJECT_SOURCE_DIR}/cmake/bytes.cmake"
    DEPFILE "${bitcode}.d"
    VERBATIM)
  target_sources(${library} PRIVATE "${bitcode}.inc")
  target_include_directories(${library} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
endfunction()
