// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The main function of a fuzz target without libFuzzer. Runs each given file once.
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "test/fuzz/Fuzz.h"

int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) {
    llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file = llvm::MemoryBuffer::getFile(argv[i]);
    if (!file) {
      llvm::errs() << argv[i] << ": " << file.getError().message() << '\n';
      return 1;
    }
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t *>((*file)->getBufferStart()),
                           (*file)->getBufferSize());
  }
  llvm::outs() << argc - 1 << " files\n";
  return argc > 1 ? 0 : 2;
}
