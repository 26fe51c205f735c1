// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/Launcher.h"
#include "cli/Failure.h"
#include "spl/abi/TypoCorrection.h"

namespace spl::cli {

Kernel Launcher::kernel(const std::string &name) const {
  if (!name.empty())
    return module[name];
  std::vector<Kernel> all = module.kernels();
  if (all.size() == 1)
    return all.front();
  if (all.empty())
    throw Failure(Failed, "the file has no kernel; mark a function with #[gpu]");
  std::string names;
  for (const Kernel &kernel : all)
    names += (names.empty() ? "" : ", ") + kernel.name();
  throw Failure(WrongUsage, "the file has several kernels; choose one with --kernel: " + names);
}

void Launcher::addBuffer(const std::string &name, const HostArray &array) {
  Buffer made = context.allocBuffer(array.element, Shape::of(array.shape));
  made.uploadBytes(array.bytes.data(), array.bytes.size());
  buffers[name] = std::make_shared<Buffer>(std::move(made));
}

void Launcher::addAlias(const std::string &name, const std::string &other) {
  const auto found = buffers.find(other);
  if (found == buffers.end())
    throw Failure(WrongUsage,
                  "'" + name + "' uses the buffer of '" + other + "', which does not exist");
  buffers[name] = found->second;
}

std::vector<Argument> Launcher::bind(const std::map<std::string, Binding> &bindings) const {
  std::vector<Argument> arguments;
  for (const auto &[parameter, binding] : bindings)
    if (const auto *value = std::get_if<Value>(&binding))
      arguments.emplace_back(parameter, *value);
    else
      arguments.emplace_back(parameter, buffer(std::get<std::string>(binding)));
  return arguments;
}

Buffer &Launcher::buffer(const std::string &name) const {
  if (const auto found = buffers.find(name); found != buffers.end())
    return *found->second;
  throw Failure(WrongUsage, "there is no array '" + name + "'" + bufferHint(name));
}

std::string Launcher::bufferHint(const std::string &name) const {
  abi::TypoCorrection correction(name);
  std::string names;
  for (const auto &[known, unused] : buffers) {
    correction.consider(known);
    names += (names.empty() ? "" : ", ") + known;
  }
  return (names.empty() ? "; no argument is an array" : "; there are: " + names) +
         abi::didYouMean(correction.best());
}

HostArray Launcher::download(const std::string &name) const {
  const Buffer &source = buffer(name);
  HostArray array{source.elementType(), {}, {}};
  array.shape.assign(source.shape().begin(), source.shape().end());
  array.allocate(source.sizeBytes());
  source.downloadBytes(array.bytes.data(), array.bytes.size());
  return array;
}

} // namespace spl::cli
