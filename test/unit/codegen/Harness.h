// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the tests of codegen share: MIR text in, PTX out, or code for the host that runs in this
// process under the runtime's part of spl/cpu_abi.h.
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

/// Options for a target, all else as by default.
codegen::Options optionsFor(llvm::StringRef target);

/// MIR text to PTX; "error: TEXT" where that fails.
std::string ptx(llvm::StringRef mir, const codegen::Options &options);
/// MIR text to optimised LLVM IR, likewise.
std::string llvmIr(llvm::StringRef mir, const codegen::Options &options);

/// What spl_cpu_fault was told.
struct Fault {
  spl_cpu_fault_site site;
  int64_t value, bound;
  int64_t workItem[3];
};

/// Code for this machine, in this process.
class HostCode {
public:
  /// From MIR text; aborts the test program where it does not compile.
  HostCode(llvm::StringRef mir, const codegen::Options &options);
  /// From LLVM IR that is compiled for the host.
  explicit HostCode(codegen::LlvmModule module, const codegen::Options &options);
  ~HostCode();

  void *symbol(llvm::StringRef name);
  /// Runs the groups [begin, end) of a kernel; the fault that ended it, or null.
  std::unique_ptr<Fault> run(llvm::StringRef kernel, const std::vector<void *> &params,
                             spl_cpu_launch launch, int64_t begin, int64_t end);
  /// Runs all of a launch along x.
  std::unique_ptr<Fault> run(llvm::StringRef kernel, const std::vector<void *> &params,
                             int64_t groups, int64_t localSize);

private:
  std::unique_ptr<llvm::orc::LLJIT> jit;
};

/// The kernels of more than one test.
extern const char *const vectorAdd;
extern const char *const saxpy;

} // namespace spl::test
