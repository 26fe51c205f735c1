// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Examples of the diagnostics, from the tests that show them. A value; files that cannot be read
// have none.
#pragma once

#include "frontend/diag/Diagnostics.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>

namespace spl::docgen {

class Examples {
public:
  /// tests: the folder test/.
  explicit Examples(llvm::StringRef tests);

  /// The first line of source, by suite, path and place, that a test expects the diagnostic at, as
  /// in
  /// '# CHECK: file.spl:[[#@LINE-1]]:5: error: text [name]'; where there is none, or the table's
  /// text says nothing by itself, what a test expects it to say. Empty where no test shows it.
  std::string of(const diag::Info &row) const;

private:
  std::map<std::string, std::string> lines, messages; ///< by the diagnostic's name
};

} // namespace spl::docgen
