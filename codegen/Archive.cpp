// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Archive.h"
#include "llvm/Object/Archive.h"
#include "llvm/Object/ArchiveWriter.h"
#include "llvm/Support/MemoryBuffer.h"

namespace spl::codegen {

/// The name of all members with code. The name of a member with MIR is the symbol of its entry,
/// which has no dot.
static constexpr llvm::StringLiteral codeMember = "part.o";

llvm::Expected<llvm::SmallVector<char, 0>> writeArchive(llvm::ArrayRef<PartCode> parts) {
  std::vector<llvm::NewArchiveMember> members;
  for (const auto &[code, later] : parts)
    members.emplace_back(llvm::MemoryBufferRef(
        {code.data(), code.size()}, later.empty() ? llvm::StringRef(codeMember) : later));
  llvm::Expected<std::unique_ptr<llvm::MemoryBuffer>> archive = llvm::writeArchiveToBuffer(
      members, llvm::SymtabWritingMode::NormalSymtab, llvm::object::Archive::K_GNU,
      /*Deterministic=*/true, /*Thin=*/false);
  if (!archive)
    return archive.takeError();
  const llvm::StringRef bytes = (*archive)->getBuffer();
  return llvm::SmallVector<char, 0>(bytes.begin(), bytes.end());
}

llvm::Expected<ArchiveContent> readArchive(llvm::StringRef bytes) {
  ArchiveContent content;
  if (!bytes.starts_with(llvm::object::ArchiveMagic)) {
    content.codes.push_back(bytes);
    return content;
  }
  llvm::Expected<std::unique_ptr<llvm::object::Archive>> archive =
      llvm::object::Archive::create({bytes, "code"});
  if (!archive)
    return archive.takeError();
  llvm::Error error = llvm::Error::success();
  for (const llvm::object::Archive::Child &child : (*archive)->children(error)) {
    llvm::Expected<llvm::StringRef> name = child.getName(), member = child.getBuffer();
    if (!name || !member)
      return llvm::joinErrors(std::move(error),
                              llvm::joinErrors(name.takeError(), member.takeError()));
    if (*name == codeMember)
      content.codes.push_back(*member);
    else
      content.later.push_back({*name, *member});
  }
  if (error)
    return std::move(error);
  return content;
}

} // namespace spl::codegen
