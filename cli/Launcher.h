// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The buffers of one `simple run` by name, the arguments of its launches, and its results.
// References the context and the module, which must outlive it.
#pragma once

#include "cli/HostArray.h"
#include "cli/Values.h"
#include <map>
#include <memory>
#include <spl/spl.h>
#include <string>
#include <vector>

namespace spl::cli {

/// The source of an argument: a value, or the name of a buffer.
using Binding = std::variant<Value, std::string>;

class Launcher {
public:
  Launcher(const Context &context, const Module &module) : context(context), module(module) {}

  /// The kernel with this name, or the only kernel if name is empty. Throws Failure if there is
  /// none, or if there are several for an empty name.
  Kernel kernel(const std::string &name) const;

  /// Allocates a device buffer with the contents of the array.
  void addBuffer(const std::string &name, const HostArray &array);

  /// Adds another name for the buffer other. Throws Failure if it does not exist.
  void addAlias(const std::string &name, const std::string &other);

  bool hasBuffer(const std::string &name) const { return buffers.contains(name); }

  /// The arguments of a launch. The keys are the names of parameters. The arguments refer to
  /// buffers of this object.
  std::vector<Argument> bind(const std::map<std::string, Binding> &bindings) const;

  /// The current contents of a buffer. Throws Failure for an unknown name.
  HostArray download(const std::string &name) const;

  /// The buffer with this name. Throws Failure with a list of the names if it does not exist.
  Buffer &buffer(const std::string &name) const;

  /// The end of a message about an unknown name. It lists the buffers, and suggests the one that
  /// was probably meant: "; there are: x, total; did you mean 'total'?".
  std::string bufferHint(const std::string &name) const;

private:
  const Context &context;
  const Module &module;
  std::map<std::string, std::shared_ptr<Buffer>> buffers;
};

} // namespace spl::cli
