// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Options that a target declares, by name. Values are text that was checked against the
// declaration when it was set from a command line; absent options have their defaults.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include <map>
#include <string>

namespace spl::codegen {

/// An option that a target declares: --NAME of `simple compile` and `simple run`.
struct TargetOption {
  enum class Kind {
    Flag,   ///< given or not
    Number, ///< from 0, the default, to max
    Word,   ///< one of choices, by default the first
  };
  llvm::StringLiteral name;
  Kind kind;
  llvm::StringLiteral word; ///< placeholder of the value in the help
  llvm::StringLiteral help;
  unsigned max = 0;
  llvm::ArrayRef<llvm::StringLiteral> choices = {};
  /// Why other targets do not have it, in the error where it is given for none that has; "" if they
  /// ignore it.
  llvm::StringLiteral refusal = "";
};

/// Options for which the runtime and the interface of the jit have a name too.
inline constexpr llvm::StringLiteral interruptibleOption = "interruptible";
inline constexpr llvm::StringLiteral maxRegistersOption = "max-registers";

/// Values of options that were given.
class TargetOptions {
public:
  using Map = std::map<std::string, std::string, std::less<>>;

  /// Gives an option a value; the default values "", "0" and "auto" leave it absent.
  void set(llvm::StringRef name, llvm::StringRef value);
  void setFlag(llvm::StringRef name) { set(name, "true"); }
  /// Whether the option has another value than the default.
  bool has(llvm::StringRef name) const {
    return values.find(std::string_view(name)) != values.end();
  }
  /// The value; "" for one that is absent.
  llvm::StringRef get(llvm::StringRef name) const;
  /// The value of an option that is a number.
  unsigned number(llvm::StringRef name) const;
  const Map &all() const { return values; }

private:
  Map values;
};

} // namespace spl::codegen
