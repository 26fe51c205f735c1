// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/cache/CompilerId.h"
#include "mlir/IR/MLIRContext.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/Alignment.h"
#include "llvm/Support/xxhash.h"
#include <link.h>

namespace spl::jit {

static constexpr llvm::StringLiteral digestOfCompiler =
#include "CompilerDigest.inc"
    ;

namespace {
/// The program or library that holds an address: where it is loaded, and its build id.
struct Library {
  ElfW(Addr) address;
  ElfW(Addr) start = 0;
  std::string buildId = "";
};
} // namespace

static bool contains(const dl_phdr_info &library, ElfW(Addr) address) {
  for (const ElfW(Phdr) &part : llvm::ArrayRef(library.dlpi_phdr, library.dlpi_phnum))
    if (part.p_type == PT_LOAD && address - library.dlpi_addr - part.p_vaddr < part.p_memsz)
      return true;
  return false;
}

static std::string buildIdIn(llvm::StringRef notes) {
  while (notes.size() >= sizeof(ElfW(Nhdr))) {
    ElfW(Nhdr) note;
    std::memcpy(&note, notes.data(), sizeof note);
    notes = notes.drop_front(sizeof note);
    const llvm::StringRef name = notes.take_front(note.n_namesz);
    notes = notes.drop_front(std::min(notes.size(), size_t(llvm::alignTo(note.n_namesz, 4))));
    if (note.n_type == NT_GNU_BUILD_ID &&
        name == llvm::StringRef(ELF_NOTE_GNU, sizeof ELF_NOTE_GNU))
      return llvm::toHex(notes.take_front(note.n_descsz), /*LowerCase=*/true);
    notes = notes.drop_front(std::min(notes.size(), size_t(llvm::alignTo(note.n_descsz, 4))));
  }
  return "";
}

static int findBuildId(dl_phdr_info *info, size_t, void *data) {
  Library &library = *static_cast<Library *>(data);
  if (!contains(*info, library.address))
    return 0;
  library.start = info->dlpi_addr;
  for (const ElfW(Phdr) &part : llvm::ArrayRef(info->dlpi_phdr, info->dlpi_phnum))
    if (part.p_type == PT_NOTE && library.buildId.empty())
      library.buildId =
          buildIdIn({reinterpret_cast<const char *>(info->dlpi_addr + part.p_vaddr), part.p_memsz});
  return 1;
}

template <class Function> static Library libraryOf(Function *function) {
  Library library{reinterpret_cast<ElfW(Addr)>(function)};
  ::dl_iterate_phdr(findBuildId, &library);
  return library;
}

llvm::Expected<std::string> compilerId() {
  static const Library own = libraryOf(&compilerId), llvm = libraryOf(&llvm::xxh3_128bits),
                       mlir = libraryOf(&mlir::registerMLIRContextCLOptions);
  const std::string id = (digestOfCompiler + " LLVM " LLVM_VERSION_STRING " ").str();
  // The digest identifies contained archives, too (cmake/SplCompilerDigest.cmake). If only one of
  // LLVM and MLIR is contained, the build id for it is that of the program.
  if (llvm.start == own.start && mlir.start == own.start)
    return id + "contained";
  if (llvm.buildId.empty() || mlir.buildId.empty())
    return llvm::createStringError("the LLVM and MLIR libraries carry no build id");
  return id + llvm.buildId + " " + mlir.buildId;
}

} // namespace spl::jit
