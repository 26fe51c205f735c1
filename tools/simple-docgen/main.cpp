// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simple-docgen PAGE writes a page of docs/ that is generated from tables to standard output. PAGE
// is intrinsics, math, targets, or diagnostics TESTS. TESTS is the folder test/, which contains the
// examples of diagnostics.
#include "tools/simple-docgen/Pages.h"
#include "llvm/Support/raw_ostream.h"

int main(int argc, char **argv) {
  const llvm::StringRef page = argc > 1 ? argv[1] : "";
  if (page == "intrinsics" && argc == 2)
    spl::docgen::writeIntrinsics(llvm::outs());
  else if (page == "diagnostics" && argc == 3)
    return spl::docgen::writeDiagnostics(argv[2], llvm::outs()) ? 0 : 1;
  else if (page == "math" && argc == 2)
    spl::docgen::writeMath(llvm::outs());
  else if (page == "targets" && argc == 2)
    spl::docgen::writeTargets(llvm::outs());
  else {
    llvm::errs()
        << "usage: simple-docgen intrinsics|math|targets\n       simple-docgen diagnostics TESTS\n";
    return 2;
  }
  return 0;
}
