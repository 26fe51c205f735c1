// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/ptxsim/Numbers.h"
#include "test/ptxsim/Program.h"
#include "test/ptxsim/Syntax.h"

#include <cstring>

namespace ptxsim {

Kernel::Kernel() = default;
Kernel::Kernel(Kernel &&) noexcept = default;
Kernel::~Kernel() = default;

static void fill(std::byte *bytes, const Variable &variable, const Source &source,
                 const Addresses &addresses) {
  std::memset(bytes, 0, variable.bytes);
  std::size_t offset = 0;
  for (const Initial &initial : variable.initial) {
    Value value = initial.value;
    if (!initial.variable.empty()) {
      const std::uint64_t *found = nullptr;
      for (const auto &[other, address] : addresses)
        if (other->name == initial.variable)
          found = &address;
      if (!found || bytesOf(variable.type) != 8)
        throw Error(ErrorKind::Unsupported, variable.line,
                    variable.name + " is initialised with the address of " + initial.variable);
      value += *found;
    }
    if (initial.isFloat && bitsOf(variable.type) == 32)
      value = bitsOfFloat(narrow<float>(std::bit_cast<double>(value), Rounding::Nearest));
    const std::size_t size = bytesOf(variable.type);
    if (offset + size > variable.bytes)
      throw Error(ErrorKind::Syntax, variable.line, variable.name + " has too many initialisers");
    std::memcpy(bytes + offset, &value, size);
    offset += size;
  }
}

static Kernel makeKernel(const Function &function) {
  Kernel kernel;
  kernel.name = function.name;
  for (const Variable *parameter : function.parameters) {
    std::size_t &offset = kernel.parameterBytes;
    offset = (offset + parameter->alignment - 1) / parameter->alignment * parameter->alignment;
    kernel.parameters.push_back({parameter->name, offset, parameter->bytes});
    offset += parameter->bytes;
  }
  kernel.maxThreads = function.maxThreads.value_or(1024);
  kernel.exactThreads = function.exactThreads;
  return kernel;
}

Module::Module(std::string_view text, Memory &memory) : memory(memory) {
  const Source source = parse(text);
  version = source.version;
  target = source.target;
  if (version == 0 || target == 0)
    throw Error(ErrorKind::Syntax, 1, "PTX begins with .version and .target");
  Addresses addresses;
  try {
    for (const Variable &variable : source.variables) {
      if (variable.space != Space::Global && variable.space != Space::Const)
        continue;
      const std::uint64_t address = memory.allocate(variable.bytes, variable.space == Space::Const);
      if (address == 0)
        throw Error(ErrorKind::BadLaunch, variable.line, "there is no memory for " + variable.name);
      addresses[&variable] = address;
      variables[variable.name] = {address, variable.bytes};
    }
    for (const auto &[variable, address] : addresses)
      fill(memory.find(address, variable->bytes), *variable, source, addresses);
    for (const Function &function : source.functions) {
      if (!function.isEntry || !function.hasBody)
        continue;
      Kernel kernel = makeKernel(function);
      auto program = std::make_unique<Program>(build(source, function, addresses));
      kernel.sharedBytes = program->sharedBytes;
      kernel.localBytes = program->localBytes;
      kernel.program = std::move(program);
      kernels.emplace(function.name, std::move(kernel));
    }
  } catch (...) {
    for (const auto &[name, place] : variables)
      memory.free(place.first);
    throw;
  }
}

Module::~Module() {
  for (const auto &[name, place] : variables)
    memory.free(place.first);
}

const Kernel *Module::kernel(std::string_view name) const {
  auto found = kernels.find(name);
  return found == kernels.end() ? nullptr : &found->second;
}

std::optional<std::pair<std::uint64_t, std::size_t>> Module::variable(std::string_view name) const {
  auto found = variables.find(name);
  return found == variables.end() ? std::nullopt : std::optional(found->second);
}

} // namespace ptxsim
