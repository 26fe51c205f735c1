# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Finds Debian's packages of LLVM and MLIR 22. Targets link the shared libLLVM and libMLIR, or, if they
# have the property SPL_CONTAINS_LLVM, the archives. Never link an MLIRxxx archive together with
# libMLIR, because its static state would then exist twice.

set(SPL_LLVM_ROOT "/usr/lib/llvm-22" CACHE PATH "Where LLVM and MLIR 22 are installed")
find_package(LLVM REQUIRED CONFIG PATHS "${SPL_LLVM_ROOT}/lib/cmake/llvm" NO_DEFAULT_PATH)
find_package(MLIR REQUIRED CONFIG PATHS "${SPL_LLVM_ROOT}/lib/cmake/mlir" NO_DEFAULT_PATH)
if(NOT LLVM_VERSION_MAJOR EQUAL 22)
  message(FATAL_ERROR "LLVM 22 is needed; ${SPL_LLVM_ROOT} holds ${LLVM_PACKAGE_VERSION}")
endif()

list(APPEND CMAKE_MODULE_PATH "${LLVM_CMAKE_DIR}" "${MLIR_CMAKE_DIR}")
include(TableGen)   # tablegen()
include(AddLLVM)
include(AddMLIR)    # mlir_tablegen()

# Where a target has the property SPL_CONTAINS_LLVM, LLVM and MLIR become a part of it (SplBolt.cmake).
set(spl_contained "$<BOOL:$<TARGET_PROPERTY:SPL_CONTAINS_LLVM>>")

add_library(spl-llvm INTERFACE)
target_include_directories(spl-llvm SYSTEM INTERFACE ${LLVM_INCLUDE_DIRS})
separate_arguments(llvm_definitions NATIVE_COMMAND "${LLVM_DEFINITIONS}")
target_compile_definitions(spl-llvm INTERFACE ${llvm_definitions})
target_link_libraries(spl-llvm INTERFACE "$<IF:${spl_contained},spl-llvm-archives,${SPL_LLVM_ROOT}/lib/libLLVM.so>")

add_library(spl-mlir INTERFACE)
target_include_directories(spl-mlir SYSTEM INTERFACE ${MLIR_INCLUDE_DIRS})
target_link_libraries(spl-mlir INTERFACE "$<$<NOT:${spl_contained}>:${SPL_LLVM_ROOT}/lib/libMLIR.so>" spl-llvm)
