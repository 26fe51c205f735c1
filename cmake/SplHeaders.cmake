# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Precompiled headers of LLVM and MLIR that most sources of the compiler include. Parsing them takes
# four fifths of the compile time of such a source. Sources still include what they use. The asan
# preset builds without precompiled headers and finds missing includes.

function(spl_add_headers name library)
  add_library(${name} OBJECT "${PROJECT_SOURCE_DIR}/cmake/headers.cpp")
  spl_configure_target(${name} FALSE ${library})
  target_precompile_headers(${name} PRIVATE ${ARGN})
endfunction()

spl_add_headers(spl-llvm-headers spl-llvm
  <llvm/ADT/APFloat.h> <llvm/ADT/APInt.h> <llvm/ADT/ArrayRef.h> <llvm/ADT/DenseMap.h>
  <llvm/ADT/DenseSet.h> <llvm/ADT/STLExtras.h> <llvm/ADT/StringSwitch.h> <llvm/ADT/Twine.h>
  <llvm/Support/Allocator.h> <llvm/Support/Casting.h> <llvm/Support/FormatVariadic.h>
  <llvm/Support/SourceMgr.h> <llvm/Support/raw_ostream.h> <map> <string> <vector>)
spl_add_headers(spl-mlir-headers spl-mlir
  <mlir/Conversion/LLVMCommon/Pattern.h> <mlir/Dialect/Arith/IR/Arith.h>
  <mlir/Dialect/LLVMIR/LLVMDialect.h> <mlir/Dialect/SCF/IR/SCF.h> <mlir/IR/Builders.h>
  <mlir/IR/BuiltinOps.h> <mlir/IR/PatternMatch.h> <mlir/Interfaces/CallInterfaces.h>
  <mlir/Interfaces/FunctionInterfaces.h>)
