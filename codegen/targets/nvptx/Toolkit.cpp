// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/Toolkit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Process.h"
#include "llvm/Support/Program.h"

namespace spl::codegen {

llvm::SmallVector<std::string> toolkitFolders() {
  llvm::SmallVector<std::string> folders;
  for (const char *variable : {"CUDA_HOME", "CUDA_PATH"})
    if (std::optional<std::string> folder = llvm::sys::Process::GetEnv(variable))
      if (!folder->empty())
        folders.push_back(*folder);
  folders.push_back("/usr/local/cuda");
  if (llvm::ErrorOr<std::string> ptxas = llvm::sys::findProgramByName("ptxas")) {
    llvm::StringRef bin = llvm::sys::path::parent_path(*ptxas);
    folders.push_back(llvm::sys::path::parent_path(bin).str());
  }
  folders.push_back("/usr/lib/nvidia-cuda-toolkit");
  return folders;
}

std::string findPtxas() {
  for (const std::string &folder : toolkitFolders())
    if (std::string path = folder + "/bin/ptxas"; llvm::sys::fs::can_execute(path))
      return path;
  return "";
}

} // namespace spl::codegen
