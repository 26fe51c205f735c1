// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/cache/Record.h"
#include "jit/cache/Bytes.h"
#include "spl/abi/SignatureText.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"

namespace spl::jit {

std::string writeRecord(const syntax::FileSet &files, const driver::Compiled &compiled) {
  Writer record;
  record.number(files.searches().size());
  for (const syntax::FileSet::Search &search : files.searches()) {
    record.text(search.file);
    record.text(search.folder);
    record.text(search.found.root);
    record.text(search.found.path);
    record.text(search.found.realPath);
  }
  const size_t used = files.files().size() - 1; // the first file is the source that is compiled
  record.number(used);
  for (size_t index = 1; index <= used; ++index) {
    record.text(files.files()[index]->name);
    record.text(files.texts()[index]);
  }
  record.number(compiled.kernels.size());
  for (const driver::KernelInfo &kernel : compiled.kernels) {
    record.text(writeSignature(kernel.signature));
    record.text(kernel.name);
    record.text(kernel.entrySymbol);
  }
  record.text(compiled.code);
  return record.take();
}

static bool findsSameFile(Reader &record, const std::vector<std::string> &roots) {
  const llvm::StringRef file = record.text(), folder = record.text();
  const syntax::FoundFile before{record.text().str(), record.text().str(), record.text().str(),
                                 /*isInside=*/true};
  return record.isSound() && syntax::findUsed(file, folder, roots) == before;
}

static bool hasSameText(Reader &record) {
  const llvm::StringRef path = record.text(), before = record.text();
  if (!record.isSound() || !llvm::sys::fs::is_regular_file(path)) // reading a pipe could block
    return false;
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> now = llvm::MemoryBuffer::getFile(
      path, /*IsText=*/false, /*RequiresNullTerminator=*/false, /*IsVolatile=*/true);
  return now && (*now)->getBuffer() == before;
}

std::optional<driver::Compiled> readRecord(llvm::StringRef bytes,
                                           const std::vector<std::string> &roots) {
  Reader record(bytes);
  for (uint64_t left = record.number(); left != 0; --left)
    if (!findsSameFile(record, roots))
      return std::nullopt;
  for (uint64_t left = record.number(); left != 0; --left)
    if (!hasSameText(record))
      return std::nullopt;
  driver::Compiled compiled;
  for (uint64_t left = record.number(); left != 0 && record.isSound(); --left) {
    driver::KernelInfo &kernel = compiled.kernels.emplace_back();
    auto signature = abi::readSignature(record.text());
    if (!std::holds_alternative<abi::Signature>(signature))
      return std::nullopt;
    kernel.signature = std::get<abi::Signature>(std::move(signature));
    kernel.name = record.text();
    kernel.entrySymbol = record.text();
  }
  compiled.code = record.text();
  if (!record.isDone())
    return std::nullopt;
  return compiled;
}

} // namespace spl::jit
