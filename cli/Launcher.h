// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The buffers and launches of one `simple run`: arrays by name on the device, arguments bound to a
// kernel's parameters, results brought back, saved and printed.
#pragma once

#include "cli/HostArray.h"
#include "cli/Values.h"
#include <map>
#include <memory>
#include <spl/spl.h>
#include <string>
#include <vector>

namespace spl::cli {

/// What an argument represents: a value, or a buffer by its name.
using Binding = std::variant<Value, std::string>;

class Launcher {
public:
  Launcher(const Context &context, const Module &module) : context(context), module(module) {}

  /// The kernel of that name; the only one when name is empty. Throws Failure where there is none
  /// or a choice.
  Kernel kernel(const std::string &name) const;

  /// Makes the device buffer called name with the array's contents.
  void addBuffer(const std::string &name, const HostArray &array);

  /// Makes name another name of the buffer other. Throws Failure where there is none.
  void addAlias(const std::string &name, const std::string &other);

  bool hasBuffer(const std::string &name) const { return buffers.contains(name); }

  /// The arguments of a launch, by parameter name; they refer to the buffers here.
  std::vector<Argument> bind(const std::map<std::string, Binding> &bindings) const;

  /// The buffer's contents now. Throws Failure for an unknown name.
  HostArray download(const std::string &name) const;

  /// The buffer of that name. Throws Failure, naming those there are.
  Buffer &buffer(const std::string &name) const;

  /// Which buffers there are, and the one that was probably meant by an unknown name: "; there are:
  /// x, total; did you mean 'total'?".
  std::string bufferHint(const std::string &name) const;

private:
  const Context &context;
  const Module &module;
  std::map<std::string, std::shared_ptr<Buffer>> buffers;
};

} // namespace spl::cli
