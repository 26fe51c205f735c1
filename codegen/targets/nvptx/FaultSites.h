// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks of a module by number, with their texts: what fault records refer to
// (spl/fault_record.h). One lives for one compilation.
#pragma once

#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"
#include <string>
#include <vector>

namespace spl::codegen {

/// A check in the source.
struct FaultSite {
  uint32_t kind = 0; ///< of FaultKinds.def
  bool isValueUnsigned = false;
  uint32_t line = 0, column = 0;
  llvm::StringRef file, subject;
};

class FaultSites {
public:
  /// The number of a check; checks that report the same have the same one.
  uint32_t add(const FaultSite &site);
  /// The number of a text.
  uint32_t addText(llvm::StringRef text);

  bool isEmpty() const { return sites.empty(); }
  /// The table, as an image holds it.
  std::string table() const;

private:
  llvm::StringMap<uint32_t> siteNumbers, textNumbers;
  std::vector<std::string> sites; ///< the fields of each, as the table has them
  std::vector<std::string> texts;
};

} // namespace spl::codegen
