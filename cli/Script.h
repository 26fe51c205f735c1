// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The JSON file of `simple run --script`: buffers, launches, save and print. docs/cli.md defines
// its form. Every error contains the path of the file and a place in it.
#pragma once

#include "cli/OutputFile.h"
#include "cli/RunOptions.h"
#include "llvm/Support/JSON.h"
#include <initializer_list>

namespace spl::cli {

class Script {
public:
  using Array = llvm::json::Array;
  using Object = llvm::json::Object;

  /// Reads the file. Throws Failure if it is not such a file.
  explicit Script(const std::string &path);

  /// The buffers; null if there are none.
  const Object *buffers() const { return object(root, "the file", "buffers"); }
  const Array &launches() const { return *list(root, "the file", "launches"); }

  /// The kernel of each launch; empty for a launch that does not name one.
  std::vector<std::string> kernels() const;

  /// The script, and the files that it reads.
  std::vector<InputFile> inputs() const;

  /// Adds the arrays to save and to print to the options.
  void addResults(RunOptions &options) const;

  /// Throws Failure.
  [[noreturn]] void refuse(const std::string &where, const std::string &why) const;

  /// Calls f, and adds the place to its errors.
  template <class F> decltype(auto) within(const std::string &where, F &&f) const {
    try {
      return f();
    } catch (...) {
      rethrowWithin(where);
    }
  }

  // These functions return a member of one kind. If the key does not exist, they return null, 0 or
  // "". They throw Failure if the member is of another kind.
  const Object *object(const Object &parent, const std::string &where, llvm::StringRef key) const;
  const Array *list(const Object &parent, const std::string &where, llvm::StringRef key) const;
  std::int64_t wholeNumber(const Object &parent, const std::string &where,
                           llvm::StringRef key) const;
  std::string text(const Object &parent, const std::string &where, llvm::StringRef key) const;

  /// A list of 1 to 3 whole numbers. Throws Failure if there is none.
  Dims dims(const Object &launch, const std::string &where, llvm::StringRef key) const;

  /// Converts a JSON number back to text, which is then parsed as the parameter's type like a
  /// VALUE. Integers of 64 bits stay exact. A number with a fraction is an f64 in between.
  static std::string textOf(const llvm::json::Value &value);

private:
  [[noreturn]] void rethrowWithin(const std::string &where) const;
  void requireKeys(const Object &object, const std::string &where,
                   std::initializer_list<llvm::StringRef> known) const;

  std::string path;
  Object root;
};

} // namespace spl::cli
