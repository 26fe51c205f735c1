// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Cubin.h"
#include "codegen/Toolkit.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

namespace spl::codegen {
namespace {

/// A temporary file, removed at the end of the scope.
class TemporaryFile {
public:
  static llvm::Expected<TemporaryFile> create(llvm::StringRef suffix) {
    llvm::SmallString<128> path;
    if (std::error_code error = llvm::sys::fs::createTemporaryFile("spl", suffix, path))
      return llvm::createStringError("cannot create a temporary file: " + error.message());
    return TemporaryFile(path);
  }
  llvm::StringRef path() const { return name; }

private:
  explicit TemporaryFile(llvm::StringRef path)
      : name(path), remover(std::make_unique<llvm::FileRemover>(path)) {}
  llvm::SmallString<128> name;
  std::unique_ptr<llvm::FileRemover> remover;
};

std::string readAll(llvm::StringRef path) {
  auto file = llvm::MemoryBuffer::getFile(path);
  return file ? (*file)->getBuffer().str() : std::string();
}

llvm::Error writeAll(llvm::StringRef path, llvm::StringRef text) {
  std::error_code error;
  llvm::raw_fd_ostream stream(path, error);
  stream << text;
  stream.close();
  if (stream.has_error())
    error = stream.error();
  stream.clear_error();
  return error ? llvm::createStringError("cannot write " + path + ": " + error.message())
               : llvm::Error::success();
}

} // namespace

llvm::Expected<Cubin> assembleCubin(llvm::StringRef ptx, const Options &options) {
  std::string ptxas = findPtxas();
  if (ptxas.empty())
    return llvm::createStringError(
        "a cubin needs ptxas, which is neither in /usr/local/cuda/bin nor on PATH; install a CUDA "
        "toolkit and set CUDA_HOME, or emit ptx: drivers take it as it is");
  llvm::Expected<TemporaryFile> source = TemporaryFile::create("ptx");
  if (!source)
    return source.takeError();
  llvm::Expected<TemporaryFile> result = TemporaryFile::create("cubin");
  if (!result)
    return result.takeError();
  llvm::Expected<TemporaryFile> messages = TemporaryFile::create("txt");
  if (!messages)
    return messages.takeError();
  if (llvm::Error error = writeAll(source->path(), ptx))
    return std::move(error);

  llvm::SmallVector<llvm::StringRef> arguments = {
      ptxas, "-v", "-arch", options.target.cpu, source->path(), "-o", result->path()};
  if (options.lineInfo)
    arguments.push_back("-lineinfo");
  std::optional<llvm::StringRef> redirects[] = {llvm::StringRef(), messages->path(),
                                                messages->path()};
  std::string failure;
  int status = llvm::sys::ExecuteAndWait(ptxas, arguments, std::nullopt, redirects, 0, 0, &failure);
  if (status != 0)
    return llvm::createStringError(ptxas + " failed: " + failure +
                                   llvm::StringRef(readAll(messages->path())).rtrim());
  auto image = llvm::MemoryBuffer::getFile(result->path(), /*IsText=*/false);
  if (!image)
    return llvm::createStringError("cannot read what ptxas wrote: " + image.getError().message());
  llvm::StringRef bytes = (*image)->getBuffer();
  return Cubin{{bytes.begin(), bytes.end()}, readAll(messages->path())};
}

} // namespace spl::codegen
