# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Defines how other projects link this one. If this project is a folder of another, spl::runtime and
# spl::jit are the static libraries. If it is installed, they are the shared libraries. The
# installation has headers, shared libraries, `simple`, files for CMake and pkg-config, the
# documentation and the examples.
add_library(spl::runtime ALIAS spl-runtime)
add_library(spl::jit ALIAS spl-jit)

option(SPL_INSTALL "Install Simple GPU together with the project that it is a part of" ${PROJECT_IS_TOP_LEVEL})
if(NOT SPL_INSTALL)
  return()
endif()
include(GNUInstallDirs)
include(CMakePackageConfigHelpers)

# spl_install_library(NAME WHAT [REQUIRES lib]): installs libspl-NAME.so, its headers and its
# pkg-config file.
function(spl_install_library name what)
  cmake_parse_arguments(ARG "" "REQUIRES" "" ${ARGN})
  set_target_properties(spl-${name}-shared PROPERTIES EXPORT_NAME ${name})
  install(TARGETS spl-${name}-shared EXPORT SimpleGPU
    LIBRARY DESTINATION "${CMAKE_INSTALL_LIBDIR}" INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
  install(DIRECTORY "${PROJECT_SOURCE_DIR}/${name}/include/spl" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")

  # Folders are relative to the file, so that an installation can be moved. Cflags cannot demand
  # C++20, because C programs use them too.
  set(folder "${CMAKE_INSTALL_FULL_LIBDIR}/pkgconfig")
  file(RELATIVE_PATH headers "${folder}" "${CMAKE_INSTALL_FULL_INCLUDEDIR}")
  set(file "${PROJECT_BINARY_DIR}/spl-${name}.pc")
  file(CONFIGURE OUTPUT "${file}" @ONLY CONTENT [[
cxxflags=-std=c++20

Name: spl-@name@
Description: @what@ (C++ programs: compile with -std=c++20 or newer)
Version: @PROJECT_VERSION@
Requires: @ARG_REQUIRES@
Libs: -L${pcfiledir}/.. -lspl-@name@
Cflags: -I${pcfiledir}/@headers@
]])
  install(FILES "${file}" DESTINATION "${CMAKE_INSTALL_LIBDIR}/pkgconfig")
endfunction()

install(DIRECTORY "${PROJECT_SOURCE_DIR}/abi/include/spl" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
spl_install_library(runtime "Simple GPU's runtime: devices, memory, modules and launches")
spl_install_library(jit "Kernels from source for Simple GPU's runtime" REQUIRES spl-runtime)
install(TARGETS simple EXPORT SimpleGPU RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")

# Pages and examples have the same positions as in the source tree, so that links between them work.
set(documentation "${CMAKE_INSTALL_DATAROOTDIR}/doc/simple-gpu")
foreach(page README.md CONTRIBUTING.md LICENSE bench/README.md scripts/packages.txt)
  get_filename_component(folder "${page}" DIRECTORY)
  install(FILES "${PROJECT_SOURCE_DIR}/${page}" DESTINATION "${documentation}/${folder}")
endforeach()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/docs/" DESTINATION "${documentation}/docs"
  FILES_MATCHING PATTERN "*.md" PATTERN "*.svg" PATTERN "*.png" PATTERN api EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/examples" DESTINATION "${documentation}")

# Files for find_package(SimpleGPU).
set(package "${CMAKE_INSTALL_LIBDIR}/cmake/SimpleGPU")
set(version "${PROJECT_BINARY_DIR}/SimpleGPUConfigVersion.cmake")
write_basic_package_version_file("${version}" COMPATIBILITY SameMinorVersion)
install(EXPORT SimpleGPU NAMESPACE spl:: FILE SimpleGPUTargets.cmake DESTINATION "${package}")
install(FILES "${version}" "${PROJECT_SOURCE_DIR}/cmake/SimpleGPUConfig.cmake" DESTINATION "${package}")
