// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Examples of the diagnostics, from the tests. Tests that cannot be read are ignored.
#pragma once

#include "frontend/diag/Diagnostics.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>

namespace spl::docgen {

class Examples {
public:
  /// Reads the examples. \p tests is the folder test/.
  explicit Examples(llvm::StringRef tests);

  /// An example of a diagnostic, or an empty string if no test has one. The example is the first
  /// line of source for which a test expects the diagnostic, as in '# CHECK:
  /// file.spl:[[#@LINE-1]]:5: error: text [name]'. If there is no such line, or if the text in the
  /// table is only "{0}", it is the message that a test expects.
  std::string of(const diag::Info &row) const;

private:
  std::map<std::string, std::string> lines, messages; ///< by the diagnostic's name
};

} // namespace spl::docgen
