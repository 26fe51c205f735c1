// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// simple-docgen PAGE: writes a page of docs/ that is made from a table to standard output.
#include "llvm/Support/raw_ostream.h"
#include "tools/simple-docgen/Pages.h"

int main(int argc, char **argv) {
  const llvm::StringRef page = argc == 2 ? argv[1] : "";
  if (page == "intrinsics")
    spl::docgen::writeIntrinsics(llvm::outs());
  else if (page == "diagnostics")
    spl::docgen::writeDiagnostics(llvm::outs());
  else {
    llvm::errs() << "usage: simple-docgen intrinsics|diagnostics\n";
    return 2;
  }
  return 0;
}
