// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/DeviceJit.h"
#include "codegen/Archive.h"
#include <map>
#include <spl/Error.h>

namespace spl::jit {

llvm::Expected<CompiledCode> deviceCode(const driver::Compiled &compiled,
                                        const codegen::Options &options) {
  llvm::Expected<codegen::ArchiveContent> content = codegen::readArchive(compiled.code);
  if (!content)
    return content.takeError();
  if (content->codes.size() != 1)
    return llvm::createStringError("an archive of PTX has " +
                                   std::to_string(content->codes.size()) + " texts");
  CompiledCode code{content->codes.front().str(), {}};
  for (const driver::KernelInfo &kernel : compiled.kernels)
    code.kernels.emplace_back(kernel.signature);
  std::map<std::string, std::string> mir; // by entry point
  for (const auto &[symbol, bytes] : content->later) {
    code.later.insert(symbol.str());
    mir.emplace(symbol.str(), bytes.str());
  }
  if (mir.empty())
    return code;
  code.compileLater = [mir = std::move(mir), options](const std::string &entry,
                                                      std::int64_t groupSize) {
    llvm::Expected<llvm::SmallVector<char, 0>> ptx =
        options.target->emitLater(mir.at(entry), groupSize, options);
    if (ptx)
      return std::string(ptx->begin(), ptx->end());
    ErrorInfo info;
    info.code = ErrorCode::CompileFailed;
    info.message = entry + " cannot be compiled: " + llvm::toString(ptx.takeError());
    throw Error(info);
  };
  return code;
}

} // namespace spl::jit
