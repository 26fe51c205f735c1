// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The targets for which code can be generated. A target is a folder of codegen/targets and a row of
// codegen/targets/Targets.def. The rest of the compiler uses it only through the interface Target.
// The targets of the registry exist as long as the program and have no state. Several threads may
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

/// A form of code that a target can write.
struct Output {
  /// The uses of an output, as a set of flags.
  enum Use : unsigned {
    Default = 1,     ///< `simple compile` writes it if there is no --emit
    Loaded = 2,      ///< the runtime can load it into the process that compiled it
    HostArchive = 4, ///< it is an archive of object files of host code, not code for a device
    Bundled = 8,     ///< it is the image in a bundle
    Counted = 16,    ///< --stats can count its resources
    Internal = 32,   ///< it shows how the compiler works; messages do not suggest it
    Hidden = 64,     ///< --emit does not accept it
  };

  llvm::StringLiteral name;      ///< the value of --emit
  llvm::StringLiteral extension; ///< of the file name, with the dot
  bool isText;
  unsigned uses = 0; ///< flags of Use

  bool is(Use use) const { return uses & use; }
};

/// One target, as a folder of codegen/targets implements it.
class Target {
public:
  virtual ~Target();

  //===-- Names --===//

  /// The name in Targets.def.
  virtual llvm::StringRef name() const = 0;
  /// The heading of its column in documentation.
  virtual llvm::StringRef title() const = 0;
  /// The processor if the user names none.
  virtual std::string defaultProcessor() const = 0;
  /// The word for this processor, as a value of --target.
  virtual std::string wordFor(llvm::StringRef processor) const = 0;
  /// Whether the word belongs to this target. Only then may it be passed to parse.
  virtual bool owns(llvm::StringRef word) const = 0;
  /// Parses a word. Returns the processor, or an error that says what is wrong with the word.
  virtual llvm::Expected<std::string> parse(llvm::StringRef word) const = 0;
  /// The known word that an unknown word was probably meant to be, or "".
  virtual std::string similarWord(llvm::StringRef unknown) const { return ""; }
  /// All words, for a message: "sm_75, sm_80".
  virtual std::string allWords() const = 0;
  /// All words in short form, for the help: "sm_75 to sm_121".
  virtual std::string wordsInShort() const = 0;
  /// The name of the runtime's backend that loads the code (toString(spl::Backend)), or "".
  virtual llvm::StringRef backend() const { return ""; }
  /// The processor to compile for, so that a device of this compute capability (90 for 9.0) can run
  /// the code. \p computeCapability is 0 for devices without one.
  virtual llvm::Expected<std::string> processorFor(unsigned computeCapability) const {
    return defaultProcessor();
  }

  //===-- Outputs, options and properties --===//

  /// The outputs, in the order in which a compilation reaches them.
  virtual llvm::ArrayRef<Output> outputs() const = 0;
  /// The options that this target declares.
  virtual llvm::ArrayRef<TargetOption> options() const { return {}; }
  /// How the target lowers this intrinsic.
  virtual const IntrinsicLowering &lowering(intrinsics::Id id) const = 0;
  /// Whether the hardware runs the code once per work-item. Otherwise the compiler generates loops
  /// over the work-items of a group.
  virtual bool hasWorkItems() const { return true; }
  /// The symbol of a kernel's entry in the outputs.
  virtual std::string entrySymbol(llvm::StringRef kernel) const { return kernel.str(); }
  /// Returns an error if a bundle cannot contain code for this processor.
  virtual llvm::Error checkBundled(llvm::StringRef processor) const;
  /// The most groups of conditions that the contracts of kernels have in this output. Each group
  /// adds a version of the kernel (abi::Contract).
  virtual unsigned contractGroups(const Output &output) const;
  /// What the code depends on in addition to the source and the options, such as the host and
  /// installed libraries. It becomes part of the key of the cache.
  virtual std::string cacheKey(const Options &options) const { return ""; }

  //===-- Compiling --===//

  /// Adds the passes that must run while the loops and intrinsics of the source are unchanged.
  virtual void addSourcePasses(mlir::OpPassManager &passes, const Options &options,
                               const Output &output) const {}
  /// Adds the passes that run after those that all targets share.
  virtual void addFinalPasses(mlir::OpPassManager &passes, const Options &options,
                              const Output &output) const {}
  /// Generates an output from the result of runMirPipeline, and consumes the module. If \p stats is
  /// not null, adds one line per kernel with its resources.
  virtual llvm::Expected<llvm::SmallVector<char, 0>> emit(mlir::ModuleOp module,
                                                          const Output &output,
                                                          const Options &options,
                                                          std::string *stats) const = 0;
  /// Compiles a part that an output with the use Loaded contains as MIR (codegen/Archive.h), with
  /// the options of that output. \p groupSize is the number of work-items that the groups of a
  /// launch may have, or 0 if the target's default suffices. Several threads may call this at once.
  virtual llvm::Expected<llvm::SmallVector<char, 0>>
  emitLater(llvm::StringRef mir, int64_t groupSize, const Options &options) const;
  /// The target-specific parts of lowering to LLVM IR, for one compilation. Null for a target that
  /// does not use LLVM.
  virtual std::unique_ptr<LlvmBackend> llvmBackend(const Options &options) const;

  //===-- Lookup --===//

  /// The output with this name that --emit accepts, or null.
  const Output *output(llvm::StringRef name) const;
  /// The first output with this use, or null.
  const Output *outputFor(Output::Use use) const;
  /// The option with this name, or null.
  const TargetOption *option(llvm::StringRef name) const;
};

/// The registry: one target for each row of codegen/targets/Targets.def, in that order.
llvm::ArrayRef<const Target *> allTargets();

/// A target and a processor: a valid value of --target.
struct TargetSpec {
  const Target *target;
  std::string processor; ///< "sm_90", an LLVM CPU name, or "" for the CPU of the host

  /// The first target of the registry with its default processor.
  TargetSpec();
  TargetSpec(const Target &target, std::string processor)
      : target(&target), processor(std::move(processor)) {}

  /// Parses a value of --target. The error for an unknown word lists all words.
  static llvm::Expected<TargetSpec> parse(llvm::StringRef word);
  /// The target for a device of a runtime backend.
  static llvm::Expected<TargetSpec> forDevice(llvm::StringRef backend, unsigned computeCapability);

  const Target *operator->() const { return target; }
  /// The word that parse accepts for this object.
  std::string str() const { return target->wordFor(processor); }
};

} // namespace spl::codegen
