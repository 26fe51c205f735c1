// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/Ptx.h"
#include "mlir/IR/BuiltinOps.h"
#include "spl/abi/Names.h"
#include "llvm/Support/VersionTuple.h"
#include <map>
#include <mutex>

namespace spl::codegen {

/// Gives the symbols that the part does not export names that no other part has.
static void nameLocalSymbols(llvm::Module &part, size_t number) {
  const std::string suffix = "$part" + std::to_string(number) + "_";
  for (llvm::GlobalValue &value : part.global_values())
    if (value.hasLocalLinkage())
      value.setName(value.getName() + suffix);
}

namespace {

/// The signatures of kernels, in their order. The runtime checks arguments against them. Several
/// threads may add those of their parts at once.
class SignatureLines {
public:
  void add(const llvm::Module &part) {
    const std::lock_guard lock(mutex);
    for (const llvm::Function &function : part)
      if (function.hasFnAttribute("spl-signature"))
        signatures[function.getFnAttributeAsParsedInteger("spl-number")] =
            function.getFnAttribute("spl-signature").getValueAsString().str();
  }

  std::string text() const {
    std::string lines;
    for (const auto &[number, signature] : signatures)
      lines += (llvm::Twine(abi::signatureLine) + signature + "\n").str();
    return lines;
  }

private:
  std::mutex mutex;                           ///< guards what follows
  std::map<uint64_t, std::string> signatures; ///< by the number of the kernel
};

} // namespace

/// The directives at the top of a part, and the rest.
static std::pair<llvm::StringRef, llvm::StringRef> splitHeader(llvm::StringRef ptx) {
  const llvm::StringRef rest = ptx.split("\n.address_size 64\n").second;
  return {ptx.drop_back(rest.size()), rest};
}

/// The version of PTX in a header, as in 7.8.
static llvm::VersionTuple versionOf(llvm::StringRef header) {
  llvm::VersionTuple version;
  version.tryParse(header.split(".version ").second.split('\n').first);
  return version;
}

static llvm::StringRef textOf(const PartCode &part) { return {part.code.data(), part.code.size()}; }

/// The header of the part that needs the highest version of PTX. All parts can be in its text.
static llvm::StringRef commonHeader(llvm::ArrayRef<PartCode> parts) {
  llvm::StringRef highest;
  for (const PartCode &part : parts) {
    const llvm::StringRef header = splitHeader(textOf(part)).first;
    if (highest.empty() || versionOf(highest) < versionOf(header))
      highest = header;
  }
  return highest;
}

/// One text for the parts of a module.
static std::string joinParts(llvm::ArrayRef<PartCode> parts, const SignatureLines &signatures) {
  std::string text = signatures.text();
  text += commonHeader(parts);
  for (const PartCode &part : parts) {
    if (!part.later.empty())
      text += (llvm::Twine(abi::laterLine) + part.later + "\n").str();
    text += splitHeader(textOf(part)).second;
  }
  return text;
}

llvm::Expected<std::string> emitPtx(mlir::ModuleOp module, const Options &options,
                                    std::vector<PartCode> *later) {
  if (!options.target->output("ptx"))
    return llvm::createStringError("target " + options.target.str() + " has no PTX");
  SignatureLines signatures;
  const auto finish = [&](llvm::Module &part, size_t number, size_t count) {
    if (count > 1)
      nameLocalSymbols(part, number);
    signatures.add(part);
  };
  llvm::Expected<std::vector<PartCode>> parts = compileParts(
      module, options, CodeForm::Assembly, finish, later ? SeldomRun::Later : SeldomRun::Apart);
  if (!parts)
    return parts.takeError();
  if (later) {
    const auto first =
        llvm::find_if(*parts, [](const PartCode &part) { return !part.later.empty(); });
    later->assign(std::make_move_iterator(first), std::make_move_iterator(parts->end()));
    parts->erase(first, parts->end());
  }
  return joinParts(*parts, signatures);
}

llvm::Expected<std::string> emitPtxLater(llvm::StringRef mir, const Options &options,
                                         llvm::function_ref<void(llvm::Module &)> change) {
  SignatureLines signatures;
  const auto finish = [&](llvm::Module &part) {
    change(part);
    signatures.add(part);
  };
  llvm::Expected<llvm::SmallVector<char, 0>> code =
      compileLater(mir, options, CodeForm::Assembly, finish);
  if (!code)
    return code.takeError();
  return joinParts(PartCode{std::move(*code), ""}, signatures);
}

} // namespace spl::codegen
