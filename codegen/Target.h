// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What code can be generated for: parsing of --target's words, and the one seam that each target
// fills (codegen/targets). A Target lives for one compilation; it answers an llvm::Error or
// reports through MLIR's diagnostics where it cannot do what is asked.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace mlir {
class OpPassManager;
} // namespace mlir

namespace spl::intrinsics {
struct Lowering;
struct Row;
} // namespace spl::intrinsics

namespace spl::codegen {

struct Options;
class Lowering;

/// One word of --target, known to be valid.
struct TargetSpec {
  enum class Kind { Nvptx, Cpu };
  Kind kind = Kind::Nvptx;
  std::string cpu = "sm_75"; ///< "sm_90", an LLVM CPU name, or "" for the host's own CPU

  /// "sm_75" to "sm_121", "cpu" or "cpu:NAME"; else an error that lists what there is.
  static llvm::Expected<TargetSpec> parse(llvm::StringRef text);
  /// For a device of that compute capability (90 for 9.0): the newest architecture that it runs.
  static llvm::Expected<TargetSpec> forCapability(unsigned capability);
  /// The word that parse takes.
  std::string str() const;

  bool isCpu() const { return kind == Kind::Cpu; }
  bool isNvptx() const { return kind == Kind::Nvptx; }
};

/// A GPU architecture that PTX is written for.
struct NvptxArch {
  llvm::StringLiteral name;
  unsigned ptxVersion; ///< the lowest that knows it, times ten: drivers refuse what is newer
  unsigned threads;    ///< work-items that a multiprocessor has room for
  unsigned groups;     ///< and groups, however small

  /// Its compute capability: 90 of sm_90a.
  unsigned number() const;
};
llvm::ArrayRef<NvptxArch> nvptxArchs();
/// The one that a spec for NVIDIA GPUs names.
const NvptxArch &nvptxArch(const TargetSpec &spec);

/// The symbol of a kernel's entry in what is emitted. On the CPU it is not the kernel's own name: a
/// kernel may be called exp or memset.
std::string entrySymbol(const TargetSpec &spec, llvm::StringRef kernel);

class Target {
public:
  virtual ~Target();
  static std::unique_ptr<Target> create(const Options &options);

  /// Which column of the intrinsics table is this target's.
  virtual const intrinsics::Lowering &column(const intrinsics::Row &row) const = 0;
  /// The MIR passes that only this target needs, after those that all share.
  virtual void addMirPasses(mlir::OpPassManager &passes) const = 0;
  /// Patterns for kernels, faults and what else differs (codegen/lower/Lowering.h).
  virtual void populatePatterns(Lowering &lowering) = 0;
  /// The last word on the module before LLVM optimises it: attributes, device libraries.
  virtual llvm::Error finishModule(llvm::Module &module) = 0;
  /// LLVM's description of the machine; the calling thread keeps it (codegen/Machine.h).
  virtual llvm::Expected<llvm::TargetMachine *> machine() const = 0;
  /// The same for writing out that module, which may need more than others.
  virtual llvm::Expected<llvm::TargetMachine *> machineToWrite(const llvm::Module &) const {
    return machine();
  }
};

} // namespace spl::codegen
