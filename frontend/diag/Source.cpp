// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/diag/Source.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include <cstring>

using namespace llvm;

namespace spl::diag {

/// The limit exists because SourceMgr stores offsets of lines in 32 bits.
static constexpr uint64_t maxFileSize = uint64_t(1) << 31;

static Error refuse(const Twine &why) { return createStringError(inconvertibleErrorCode(), why); }

static Error tooLarge() { return refuse("the file is larger than 2 GiB"); }

/// Reads a file without a size, such as a pipe or a device, until it ends or is too large.
static Expected<std::unique_ptr<MemoryBuffer>> readStream(sys::fs::file_t file, StringRef path) {
  SmallString<0> text;
  char chunk[1 << 16];
  while (true) {
    Expected<size_t> got = sys::fs::readNativeFile(file, MutableArrayRef<char>(chunk));
    if (!got)
      return got.takeError();
    if (*got == 0)
      return MemoryBuffer::getMemBufferCopy(text, path);
    if (text.size() + *got > maxFileSize)
      return tooLarge();
    text.append(StringRef(chunk, *got));
  }
}

Expected<std::unique_ptr<MemoryBuffer>> readFile(StringRef path) {
  Expected<sys::fs::file_t> file = sys::fs::openNativeFileForRead(path);
  if (!file)
    return file.takeError();
  auto close = [&] { sys::fs::closeFile(*file); };
  sys::fs::file_status status;
  if (std::error_code error = sys::fs::status(*file, status)) {
    close();
    return errorCodeToError(error);
  }
  Expected<std::unique_ptr<MemoryBuffer>> buffer =
      [&]() -> Expected<std::unique_ptr<MemoryBuffer>> {
    if (status.type() == sys::fs::file_type::directory_file)
      return refuse("it is a folder");
    if (status.type() != sys::fs::file_type::regular_file)
      return readStream(*file, path);
    if (status.getSize() > maxFileSize)
      return tooLarge();
    // IsVolatile makes LLVM read the file and not map it, so that truncating the file cannot crash
    // the compiler.
    ErrorOr<std::unique_ptr<MemoryBuffer>> read = MemoryBuffer::getOpenFile(
        *file, path, status.getSize(), /*RequiresNullTerminator=*/true, /*IsVolatile=*/true);
    if (!read)
      return errorCodeToError(read.getError());
    return std::move(*read);
  }();
  close();
  return buffer;
}

StringRef SourceManager::addBuffer(StringRef name, StringRef text) {
  std::unique_ptr<MemoryBuffer> buffer = MemoryBuffer::getMemBufferCopy(text, name);
  StringRef view = buffer->getBuffer();
  manager.AddNewSourceBuffer(std::move(buffer), SMLoc());
  return view;
}

Expected<StringRef> SourceManager::addFile(StringRef path) {
  Expected<std::unique_ptr<MemoryBuffer>> buffer = readFile(path);
  if (!buffer)
    return buffer.takeError();
  StringRef view = (*buffer)->getBuffer();
  manager.AddNewSourceBuffer(std::move(*buffer), SMLoc());
  return view;
}

Position SourceManager::position(const char *place) const {
  SMLoc location = SMLoc::getFromPointer(place);
  unsigned id = place ? manager.FindBufferContainingLoc(location) : 0;
  if (id == 0)
    return {};
  const MemoryBuffer *buffer = manager.getMemoryBuffer(id);
  // The column is computed here, because SourceMgr searches it byte by byte, which is slow in a
  // line of megabytes.
  const char *begin = buffer->getBufferStart();
  const void *newline = memrchr(begin, '\n', place - begin);
  const char *lineStart = newline ? static_cast<const char *>(newline) + 1 : begin;
  return {buffer->getBufferIdentifier(), manager.getBufferInfo(id).getLineNumber(place),
          unsigned(place - lineStart) + 1};
}

SourceRange SourceManager::range(const Position &position) const {
  for (unsigned id = 1; id <= manager.getNumBuffers(); ++id) {
    if (manager.getMemoryBuffer(id)->getBufferIdentifier() != position.file)
      continue;
    SMLoc place = const_cast<SourceMgr &>(manager).FindLocForLineAndColumn(id, position.line,
                                                                           position.column);
    if (place.isValid())
      return {place.getPointer(), place.getPointer() + 1};
  }
  return {};
}

} // namespace spl::diag
