// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/random/Builds.h"
#include "test/random/Compiling.h"

#include "jit/Load.h"
#include "runtime/launch/LaunchContract.h"
#include "test/random/GuardedMemory.h"
#include "test/random/Output.h"

#include <spl/spl.h>

namespace spl::random {
namespace {

const Context &cpu() {
  static const Context context = Context::make(Backend::Cpu);
  return context;
}

std::int64_t boundOf(const Fault &fault) {
  return fault.kind == FaultKind::IndexOutOfBounds || fault.kind == FaultKind::MisalignedVector
             ? fault.bound
             : 0;
}

Shape shapeOf(unsigned rank, const std::array<std::int64_t, 4> &extents) {
  switch (rank) {
  case 1:
    return {extents[0]};
  case 2:
    return {extents[0], extents[1]};
  case 3:
    return {extents[0], extents[1], extents[2]};
  default:
    return {extents[0], extents[1], extents[2], extents[3]};
  }
}

/// Copies also no bytes, whose addresses may be null, as memcpy's may not.
void copyBytes(void *to, const void *from, std::size_t size) {
  if (size != 0)
    std::memcpy(to, from, size);
}

class CpuBuild : public Build {
public:
  explicit CpuBuild(driver::Compilation &compilation)
      : module(jit::load(cpu(), compilation, {.isOn = false})) {}

  RunResult run(const generator::Program &program, const std::string &entry,
                const reference::Launch &launch) override {
    isAtEnd = !isAtEnd;
    std::vector<Buffer> buffers;
    buffers.reserve(program.parameters.size()); // the arguments point into it, so it must not grow
    std::vector<Argument> arguments;
    const auto &parameters = module[entry].signature().parameters();
    for (std::size_t k = 0; k != program.parameters.size(); ++k) {
      const reference::Argument &argument = launch.arguments[k];
      if (!isSlice(program.parameters[k])) {
        arguments.emplace_back(Value(parameters[k].type.element, *argument.bytes));
        continue;
      }
      const std::size_t owner = ownerOf(launch, k);
      // The end of the memory may not be aligned for wide accesses.
      unsigned char *at =
          owner == k ? memory()[k].place(argument.bytes->size(), isAtEnd && !program.isWide)
                     : memory()[owner].bytes();
      copyBytes(at, argument.bytes->data(), argument.bytes->size());
      buffers.push_back(Buffer::borrow(cpu(), reinterpret_cast<std::uint64_t>(at),
                                       parameters[k].type.element,
                                       shapeOf(program.parameters[k].rank, argument.extents)));
      arguments.emplace_back(buffers.back());
    }
    std::optional<Output> output;
    if (program.prints)
      output.emplace();
    RunResult result = runOn(entry, launch, arguments);
    if (output)
      result.output = output->text();
    for (std::size_t k = 0; k != program.parameters.size(); ++k)
      if (isSlice(program.parameters[k]) && ownerOf(launch, k) == k) {
        copyBytes(launch.arguments[k].bytes->data(), memory()[k].bytes(),
                  launch.arguments[k].bytes->size());
        if (!memory()[k].isIntact())
          result.error += "stores beside " + program.parameters[k].name + "; ";
      }
    return result;
  }

  bool hasContract(const generator::Program &program) const override {
    return !module[program.entry(0)].signature().contract().empty();
  }

  bool meetsContract(const generator::Program &program, const std::string &entry,
                     const reference::Launch &launch) const override {
    const detail::LaunchContract *contract = module[entry].signature().launchContract();
    if (!contract)
      return false;
    std::vector<void *> pointers;
    std::int64_t address = 0; // a contract does not depend on addresses
    for (std::size_t k = 0; k != program.parameters.size(); ++k) {
      const reference::Argument &argument = launch.arguments[k];
      if (!isSlice(program.parameters[k])) {
        pointers.push_back(argument.bytes->data());
        continue;
      }
      pointers.push_back(&address);
      for (unsigned axis = 0; axis != program.parameters[k].rank; ++axis)
        pointers.push_back(const_cast<std::int64_t *>(&argument.extents[axis]));
    }
    return contract->holds(pointers, {launch.groups, launch.local});
  }

private:
  RunResult runOn(const std::string &kernel, const reference::Launch &launch,
                  std::vector<Argument> &arguments) {
    RunResult result;
    const auto &[groups, local] = std::pair(launch.groups, launch.local);
    try {
      cpu().launch(module[kernel],
                   {.global = {groups[0] * local[0], groups[1] * local[1], groups[2] * local[2]},
                    .local = {local[0], local[1], local[2]},
                    .shared = launch.sharedBytes},
                   arguments);
      cpu().sync();
    } catch (const Error &error) {
      result.isFault = error.code() == ErrorCode::KernelFault;
      if (!result.isFault)
        result.error = error.what();
      if (const Fault *fault = error.fault())
        result.fault = reportedOf(*fault);
    }
    return result;
  }

  /// Memory for the slice of each parameter, by its number. All builds use it.
  static std::array<GuardedMemory, 20> &memory() {
    static std::array<GuardedMemory, 20> all;
    return all;
  }

  Module module;
  bool isAtEnd = false;
};

} // namespace

ReportedFault reportedOf(const Fault &fault) {
  return {static_cast<int>(fault.kind),
          fault.file,
          fault.line,
          fault.column,
          fault.value,
          boundOf(fault),
          fault.workItem,
          fault.group};
}

std::unique_ptr<Build> makeCpuBuild(driver::Compilation &compilation) {
  return std::make_unique<CpuBuild>(compilation);
}

} // namespace spl::random
