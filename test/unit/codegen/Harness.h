// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Helpers of the code generation tests. They compile MIR text to PTX, or to code for the host. Host
// code runs in this process and calls the functions of spl/cpu_abi.h that this harness defines.
#pragma once

#include "codegen/Pipeline.h"
#include <memory>
#include <spl/cpu_abi.h>
#include <string>
#include <vector>

namespace llvm::orc {
class LLJIT;
} // namespace llvm::orc

namespace spl::test {

/// The default options for a target.
codegen::Options optionsFor(llvm::StringRef target);

/// Compiles MIR text to PTX. Returns "error: TEXT" on failure.
std::string ptx(llvm::StringRef mir, const codegen::Options &options);
/// Compiles MIR text to optimised LLVM IR. Returns "error: TEXT" on failure.
std::string llvmIr(llvm::StringRef mir, const codegen::Options &options);

/// The arguments of spl_cpu_fault.
struct Fault {
  spl_cpu_fault_site site;
  int64_t value, bound;
  int64_t workItem[3];
};

/// Code for this machine, linked into this process.
class HostCode {
public:
  /// Compiles MIR text. Aborts the test program if that fails.
  HostCode(llvm::StringRef mir, const codegen::Options &options);
  /// Compiles LLVM IR for the host.
  explicit HostCode(codegen::LlvmModule module, const codegen::Options &options);
  ~HostCode();

  void *symbol(llvm::StringRef name);
  /// Runs the groups [begin, end) of a kernel. Returns the fault that ended it, or null.
  std::unique_ptr<Fault> run(llvm::StringRef kernel, const std::vector<void *> &params,
                             spl_cpu_launch launch, int64_t begin, int64_t end);
  /// Runs all groups of a launch along x.
  std::unique_ptr<Fault> run(llvm::StringRef kernel, const std::vector<void *> &params,
                             int64_t groups, int64_t localSize);

private:
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

/// Kernels that several tests use.
extern const char *const vectorAdd;
extern const char *const saxpy;

} // namespace spl::test
