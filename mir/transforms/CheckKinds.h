// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The checks in compiled code: a set of the kinds in CheckKinds.def, which --check sets.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include <cstdint>
#include <string>

namespace spl::mir {

enum class CheckKind : uint8_t {
#define CHECK_KIND(Id, Name, Doc) Id,
#include "mir/transforms/CheckKinds.def"
};

class CheckKinds {
public:
  static CheckKinds none() { return CheckKinds(0); }
  static CheckKinds all();
  /// Parses "all", "none" or names separated by commas, such as "bounds,division". The error for
  /// other text lists the kinds.
  static llvm::Expected<CheckKinds> parse(llvm::StringRef text);

  /// The text that parse reads.
  std::string str() const;

  bool has(CheckKind kind) const { return kinds >> unsigned(kind) & 1; }
  friend bool operator==(CheckKinds, CheckKinds) = default;

private:
  explicit CheckKinds(uint32_t kinds) : kinds(kinds) {}
  uint32_t kinds;
};

} // namespace spl::mir
