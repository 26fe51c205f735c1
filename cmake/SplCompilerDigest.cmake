# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# spl_add_compiler_digest(LIBRARY COMPILER): computes a digest of the static library COMPILER and of
# all libraries that it is linked with, among them LLVM and MLIR. Sources of LIBRARY include it as a
# string: #include "CompilerDigest.inc". The digest changes with every build that could compile a kernel differently.
# It does not depend on the program.
function(spl_add_compiler_digest library compiler)
  spl_static_libraries_of(${compiler} libraries)
  list(TRANSFORM libraries REPLACE "(.+)" "$<TARGET_FILE:\\1>" OUTPUT_VARIABLE files)
  # A target may contain the archives instead. Debian builds them from the same sources, and their
  # packages need the shared libraries of the same version.
  set(shared "${SPL_LLVM_ROOT}/lib/libLLVM.so" "${SPL_LLVM_ROOT}/lib/libMLIR.so")
  list(APPEND files ${shared})
  set(output "${CMAKE_CURRENT_BINARY_DIR}/CompilerDigest.inc")
  add_custom_command(
    OUTPUT "${output}"
    COMMAND "${CMAKE_COMMAND}" "-DFILES=${files}" "-DOUTPUT=${output}" -P "${PROJECT_SOURCE_DIR}/cmake/digest.cmake"
    DEPENDS ${libraries} ${shared} "${PROJECT_SOURCE_DIR}/cmake/digest.cmake"
    VERBATIM)
  target_sources(${library} PRIVATE "${output}")
  target_include_directories(${library} PRIVATE "${CMAKE_CURRENT_BINARY_DIR}")
endfunction()

# The library and the static libraries of the project that it depends on, each once.
function(spl_static_libraries_of library result)
  set(found ${library})
  get_target_property(below ${library} LINK_LIBRARIES)
  foreach(other ${below})
    if(TARGET ${other})
      get_target_property(type ${other} TYPE)
      if(type STREQUAL "STATIC_LIBRARY")
        spl_static_libraries_of(${other} more)
        list(APPEND found ${more})
      endif()
    endif()
  endforeach()
  list(REMOVE_DUPLICATES found)
  set(${result} ${found} PARENT_SCOPE)
endfunction()
