// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that targets declare, by name. Values are text. The command line checks them against the
// declaration before it sets them. An absent option has its default value.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>

namespace spl::codegen {

/// An option that a target declares: --NAME of `simple compile` and `simple run`.
struct TargetOption {
  enum class Kind {
    Flag,   ///< present or absent
    Number, ///< 0 (the default) to max
    Word,   ///< one of choices; the default is the first
  };
  llvm::StringLiteral name;
  Kind kind;
  llvm::StringLiteral word; ///< placeholder of the value in the help
  llvm::StringLiteral help;
  unsigned max = 0;
  llvm::ArrayRef<llvm::StringLiteral> choices = {};
  /// If the option is given but no selected target has it, an error with this reason is reported.
  /// If the reason is "", there is no error.
  llvm::StringLiteral refusal = "";
};

/// Options that the interfaces of the runtime and the jit can set as well.
inline constexpr llvm::StringLiteral interruptibleOption = "interruptible";
inline constexpr llvm::StringLiteral maxRegistersOption = "max-registers";

/// The values of options.
class TargetOptions {
public:
  using Map = std::map<std::string, std::string, std::less<>>;

  /// Sets the value of an option. The default values "", "0" and "auto" leave the option absent.
  void set(llvm::StringRef name, llvm::StringRef value);
  void setFlag(llvm::StringRef name) { set(name, "true"); }
  /// Whether the option has a value other than its default.
  bool has(llvm::StringRef name) const {
    return values.find(std::string_view(name)) != values.end();
  }
  /// The value, or "" if the option is absent.
  llvm::StringRef get(llvm::StringRef name) const;
  /// The value of an option of kind Number.
  unsigned number(llvm::StringRef name) const;
  const Map &all() const { return values; }

private:
  Map values;
};

} // namespace spl::codegen
