// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Any text as MIR: read, verified, and if it is valid through the passes of every target.
#include "mlir/Parser/Parser.h"
#include "test/fuzz/Fuzz.h"
#include "test/fuzz/MirPipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data),
                   size); // ends with NUL, as the reader wants
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(text, &spl::fuzz::context());
  if (module)
    spl::fuzz::runPasses(*module);
  return 0;
}
