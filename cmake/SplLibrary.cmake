# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# spl_add_library(NAME sources... [DEPENDS libs...] [EXCEPTIONS] [HEADERS target])
# Adds a static library of the project. Like LLVM, compiler code is built without exceptions and
# RTTI. EXCEPTIONS enables both, for the runtime, the tools and the tests. HEADERS names a target of
# SplHeaders.cmake, whose precompiled headers the sources use.
function(spl_add_library name)
  cmake_parse_arguments(ARG "EXCEPTIONS" "HEADERS" "DEPENDS" ${ARGN})
  add_library(${name} STATIC ${ARG_UNPARSED_ARGUMENTS})
  spl_configure_target(${name} "${ARG_EXCEPTIONS}" "${ARG_DEPENDS}")
  if(ARG_HEADERS)
    target_precompile_headers(${name} REUSE_FROM ${ARG_HEADERS})
  endif()
endfunction()

# spl_add_shared_library(NAME map [DEPENDS libs...])
# Adds NAME-shared: libNAME.so, of the same objects as the static library NAME, for C and for
# languages that load libraries. It exports the symbols that the linker's version script names.
function(spl_add_shared_library name map)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  add_library(${name}-shared SHARED $<TARGET_OBJECTS:${name}>)
  target_link_libraries(${name}-shared PRIVATE ${ARG_DEPENDS})
  # nodelete: threads of the library may still run its code after dlclose.
  target_link_options(${name}-shared PRIVATE "-Wl,--version-script=${map}" -Wl,-z,nodelete)
  set_target_properties(${name}-shared PROPERTIES
    OUTPUT_NAME ${name} VERSION ${PROJECT_VERSION} SOVERSION ${PROJECT_VERSION_MAJOR}.${PROJECT_VERSION_MINOR}
    LINKER_LANGUAGE CXX LINK_DEPENDS "${map}" BUILD_RPATH_USE_ORIGIN ON INSTALL_RPATH "$ORIGIN")
endfunction()

# spl_add_tool(NAME sources... [DEPENDS libs...] [EXCEPTIONS]): adds an executable in bin/.
function(spl_add_tool name)
  cmake_parse_arguments(ARG "EXCEPTIONS" "" "DEPENDS" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  spl_configure_target(${name} "${ARG_EXCEPTIONS}" "${ARG_DEPENDS}")
endfunction()

# spl_add_unittest(NAME sources... [DEPENDS libs...]): adds a GoogleTest executable in test/unit,
# which lit runs.
function(spl_add_unittest name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  find_package(GTest REQUIRED)
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  spl_configure_target(${name} TRUE "${ARG_DEPENDS}")
  target_link_libraries(${name} PRIVATE GTest::gtest GTest::gtest_main)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/test/unit")
  set_property(GLOBAL APPEND PROPERTY SPL_UNITTESTS ${name})
endfunction()

function(spl_configure_target name exceptions depends)
  get_target_property(type ${name} TYPE)
  set(scope PUBLIC)
  if(type STREQUAL "EXECUTABLE")
    set(scope PRIVATE)
  endif()
  target_include_directories(${name} ${scope} "${PROJECT_SOURCE_DIR}" "${PROJECT_BINARY_DIR}")
  target_link_libraries(${name} ${scope} ${depends})
  target_compile_features(${name} ${scope} cxx_std_20) # for projects that link it
  if(NOT exceptions)
    target_compile_options(${name} PRIVATE -fno-exceptions -fno-rtti)
  endif()
endfunction()
