// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/c/Launch.h"

#include "runtime/c/Calls.h"
#include "runtime/c/Text.h"

#include <algorithm>
#include <span>
#include <string>
#include <utility>

namespace spl::capi {

LaunchConfig launchConfig(const spl_launch_config *config) {
  requirePointer(config, "config");
  if (config->axes < 1 || config->axes > 3)
    refuse("'config.axes' is " + std::to_string(config->axes) + ", not 1 to 3");
  const auto axes = static_cast<std::size_t>(config->axes);
  const std::span<const std::int64_t> local(config->local, axes);
  const bool isChosen = std::any_of(local.begin(), local.end(), [](auto n) { return n != 0; });
  return {.global = Dims::of({config->global, axes}),
          .local = isChosen ? Dims::of(local) : Dims{},
          .shared = config->shared_bytes,
          .timeLimit = std::chrono::milliseconds(config->time_limit_ms)};
}

/// Returns the value of type \p text whose bytes are at \p bytes.
static Value valueAt(const char *text, const void *bytes) {
  ElementType type = elementNamed(text);
  const auto *data = static_cast<const std::byte *>(requirePointer(bytes, "value"));
  if (type.isScalar() && type.scalar() == ScalarType::Bool && *data > std::byte{1})
    refuse("a bool is 0 or 1, not " + std::to_string(static_cast<int>(*data)));
  ValueBytes value(std::span(data, type.size()));
  return {std::move(type), std::move(value)};
}

/// "argument 'a'", or "argument 1" if neither the program nor a signature names it.
static std::string describe(std::size_t index, const std::string &given,
                            const Signature *signature) {
  if (!given.empty())
    return "argument '" + given + "'";
  if (signature && index < signature->parameters().size())
    return "argument '" + signature->parameters()[index].name + "'";
  return "argument " + std::to_string(index + 1);
}

Arguments::Arguments(const spl_argument *arguments, std::size_t count, const Signature *signature) {
  const std::span<const spl_argument> given = listOf(arguments, count, "arguments");
  list.reserve(count);
  arrays.reserve(count);
  for (std::size_t i = 0; i < given.size(); ++i) {
    const spl_argument &argument = given[i];
    std::string name = argument.name ? argument.name : "";
    if ((argument.array != 0) == (argument.type != nullptr))
      refuse(describe(i, name, signature) + " is " +
             (argument.type ? "both an array and a value" : "neither an array nor a value"));
    if (argument.type) {
      list.emplace_back(std::move(name), valueAt(argument.type, argument.value));
      continue;
    }
    arrays.push_back(object<ArrayObject>(argument.array));
    Buffer &buffer = arrays.back()->buffer;
    if (argument.read_only)
      list.emplace_back(std::move(name), std::as_const(buffer));
    else
      list.emplace_back(std::move(name), buffer);
  }
}

} // namespace spl::capi

using namespace spl;
using namespace spl::capi;

extern "C" {

spl_status spl_launch(spl_context context, spl_kernel kernel, const spl_launch_config *config,
                      const spl_argument *arguments, size_t count) {
  return call([&] {
    const auto in = object<ContextObject>(context);
    const auto code = object<KernelObject>(kernel);
    const Arguments list(arguments, count, &code->kernel.signature());
    in->context.launch(code->kernel, launchConfig(config), list.all());
  });
}

spl_status spl_launch_async(spl_context context, spl_stream stream, spl_kernel kernel,
                            const spl_launch_config *config, const spl_argument *arguments,
                            size_t count) {
  return call([&] {
    const auto in = object<ContextObject>(context);
    const StreamUse queue(stream);
    const auto code = object<KernelObject>(kernel);
    const Arguments list(arguments, count, &code->kernel.signature());
    in->context.launchAsync(*queue, code->kernel, launchConfig(config), list.all());
  });
}

spl_status spl_launch_unmet_condition(spl_context context, spl_kernel kernel,
                                      const spl_launch_config *config,
                                      const spl_argument *arguments, size_t count,
                                      const char **condition) {
  return call([&] {
    requirePointer(condition, "condition");
    const auto in = object<ContextObject>(context);
    const auto code = object<KernelObject>(kernel);
    const Arguments list(arguments, count, &code->kernel.signature());
    *condition = in->context.unmetCondition(code->kernel, launchConfig(config), list.all()).data();
  });
}

} // extern "C"
