// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Which checks compiled code keeps: a set of the kinds in CheckKinds.def, as --check writes it. A
// plain value; text that is no such set is an error that lists the kinds.
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
  /// "all", "none" or names with commas between them: "bounds,division".
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
