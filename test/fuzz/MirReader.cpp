// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Fuzzes the MIR parser with random text. A valid module goes through the passes of every target.
#include "mlir/Parser/Parser.h"
#include "test/fuzz/Fuzz.h"
#include "test/fuzz/MirPipeline.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  std::string text(reinterpret_cast<const char *>(data),
                   size); // the parser requires a terminating NUL
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::parseSourceString<mlir::ModuleOp>(text, &spl::fuzz::context());
  if (module)
    spl::fuzz::runPasses(*module);
  return 0;
}
