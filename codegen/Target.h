// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What code can be generated for. A target is a folder of codegen/targets and a row of
// codegen/targets/Targets.def; the rest of the compiler knows it through the interface Target
// alone. The registry's targets live as long as the program and have no state: several threads may
// use them at once.
#pragma once

#include "codegen/IntrinsicLowering.h"
#include "codegen/TargetOptions.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <memory>
#include <string>

namespace mlir {
class ModuleOp;
class OpPassManager;
} // namespace mlir

namespace spl::codegen {

class LlvmBackend;
struct Options;

/// One form in which a target's code can be written.
struct Output {
  /// What an output is for; an output may be for several things.
  enum Use : unsigned {
    Default = 1,    ///< `simple compile` writes it unless --emit says otherwise
    Loaded = 2,     ///< the runtime loads it in the process that compiled it
    HostObject = 4, ///< it is an object file for this process, not code for a device
    Bundled = 8,    ///< a bundle holds it
    Counted = 16,   ///< --stats has something to say of it
    Internal = 32,  ///< it shows how the compiler works; no message recommends it
    Hidden = 64,    ///< --emit does not take it
  };

  llvm::StringLiteral name;      ///< as --emit takes it
  llvm::StringLiteral extension; ///< of a file, with the dot
  bool isText;
  unsigned uses = 0; ///< of Use

  bool is(Use use) const { return uses & use; }
};

/// One target, as a folder of codegen/targets implements it.
class Target {
public:
  virtual ~Target();

  //===-- Names --===//

  /// The row's name in Targets.def.
  virtual llvm::StringRef name() const = 0;
  /// The heading of its column in documentation.
  virtual llvm::StringRef title() const = 0;
  /// The processor that is compiled for where no other one is named.
  virtual std::string defaultProcessor() const = 0;
  /// The word of --target for a processor.
  virtual std::string wordFor(llvm::StringRef processor) const = 0;
  /// Whether parse decides what the word means.
  virtual bool owns(llvm::StringRef word) const = 0;
  /// The processor that the word names; an error that says what is wrong with it.
  virtual llvm::Expected<std::string> parse(llvm::StringRef word) const = 0;
  /// A word that an unknown one was probably meant to be; "" for none.
  virtual std::string similarWord(llvm::StringRef unknown) const { return ""; }
  /// All words, for a message: "sm_75, sm_80".
  virtual std::string allWords() const = 0;
  /// The same in short, for the help: "sm_75 to sm_121".
  virtual std::string wordsInShort() const = 0;
  /// The runtime's backend that loads its code, as toString(spl::Backend) names it; "" for none.
  virtual llvm::StringRef backend() const { return ""; }
  /// The processor to compile for so that a device of that compute capability (90 for 9.0) can run
  /// the code; 0 for devices without one.
  virtual llvm::Expected<std::string> processorFor(unsigned computeCapability) const {
    return defaultProcessor();
  }

  //===-- What it takes and gives --===//

  /// The outputs, in the order in which a compilation reaches them.
  virtual llvm::ArrayRef<Output> outputs() const = 0;
  /// The options that only this target has.
  virtual llvm::ArrayRef<TargetOption> options() const { return {}; }
  /// How it lowers each intrinsic.
  virtual const IntrinsicLowering &lowering(intrinsics::Id id) const = 0;
  /// Whether its code runs work-item by work-item. Otherwise the compiler makes loops over the
  /// work-items of a group.
  virtual bool hasWorkItems() const { return true; }
  /// The symbol of a kernel's entry in its outputs.
  virtual std::string entrySymbol(llvm::StringRef kernel) const { return kernel.str(); }
  /// Refuses a processor that code in a bundle cannot be for.
  virtual llvm::Error checkBundled(llvm::StringRef processor) const;
  /// What its code depends on besides the source and the options, for the key of the cache: the
  /// host, installed libraries.
  virtual std::string cacheKey(const Options &options) const { return ""; }

  //===-- Compiling --===//

  /// Adds the passes that need the loops and the intrinsics of the source.
  virtual void addSourcePasses(mlir::OpPassManager &passes, const Options &options) const {}
  /// Adds the passes that follow the ones that all targets share.
  virtual void addFinalPasses(mlir::OpPassManager &passes, const Options &options) const {}
  /// Writes an output of MIR that went through runMirPipeline, and consumes the module. \p stats,
  /// if not null, receives a line for each kernel that says what it takes.
  virtual llvm::Expected<llvm::SmallVector<char, 0>> emit(mlir::ModuleOp module,
                                                          const Output &output,
                                                          const Options &options,
                                                          std::string *stats) const = 0;
  /// Its part in lowering to LLVM IR, for one compilation; null for a target without LLVM.
  virtual std::unique_ptr<LlvmBackend> llvmBackend(const Options &options) const;

  //===-- Found by what they are --===//

  /// The output of that name that --emit takes; null for none.
  const Output *output(llvm::StringRef name) const;
  /// The first output for that use; null for none.
  const Output *outputFor(Output::Use use) const;
  /// The option of that name; null for none.
  const TargetOption *option(llvm::StringRef name) const;
};

/// The registry: a target for each row of codegen/targets/Targets.def, in their order.
llvm::ArrayRef<const Target *> allTargets();

/// A word of --target that is known to be valid.
struct TargetSpec {
  const Target *target;
  std::string processor; ///< "sm_90", an LLVM CPU name, or "" for the host's own CPU

  /// The first target of the registry with its default processor.
  TargetSpec();
  TargetSpec(const Target &target, std::string processor)
      : target(&target), processor(std::move(processor)) {}

  /// A word of --target; otherwise an error that lists the words.
  static llvm::Expected<TargetSpec> parse(llvm::StringRef word);
  /// For a device of a backend of the runtime.
  static llvm::Expected<TargetSpec> forDevice(llvm::StringRef backend, unsigned computeCapability);

  const Target *operator->() const { return target; }
  /// The word that parse takes.
  std::string str() const { return target->wordFor(processor); }
};

} // namespace spl::codegen
