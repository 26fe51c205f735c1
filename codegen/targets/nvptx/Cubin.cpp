// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/Cubin.h"
#include "codegen/Pipeline.h"
#include "codegen/TemporaryFile.h"
#include "codegen/targets/nvptx/Toolkit.h"
#include "llvm/Support/Program.h"

namespace spl::codegen {
llvm::Expected<Cubin> assembleCubin(llvm::StringRef ptx, const Options &options) {
  std::string ptxas = findPtxas();
  if (ptxas.empty())
    return userError(
        mir::PassDiagnostic::ToolMissing,
        "a cubin needs ptxas, which is neither in /usr/local/cuda/bin nor on PATH; install a CUDA "
        "toolkit and set CUDA_HOME, or emit ptx: drivers take it as it is");
  llvm::Expected<TemporaryFile> source = TemporaryFile::create("ptx", ptx);
  if (!source)
    return source.takeError();
  llvm::Expected<TemporaryFile> result = TemporaryFile::create("cubin");
  if (!result)
    return result.takeError();
  llvm::SmallVector<llvm::StringRef> arguments = {
      ptxas, "-v", "-arch", options.target.processor, source->path(), "-o", result->path()};
  if (options.lineInfo)
    arguments.push_back("-lineinfo");
  llvm::Expected<std::string> report = runTool(arguments, *result);
  if (!report)
    return report.takeError();
  llvm::Expected<llvm::SmallVector<char, 0>> image = result->read();
  if (!image)
    return image.takeError();
  return Cubin{std::move(*image), std::move(*report)};
}

} // namespace spl::codegen
