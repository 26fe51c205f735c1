// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/random/Builds.h"
#include "test/random/Compiling.h"

#include "jit/Load.h"
#include "runtime/launch/LaunchContract.h"
#include "test/random/Output.h"
#include "test/random/SliceMemory.h"

#include <map>

namespace spl::random {
namespace {

/// A context and the memory for the launches in it, which all builds of a process use.
struct Place {
  explicit Place(Backend backend) : context(Context::make(backend)) {
    if (backend == Backend::Cpu)
      memory = std::make_unique<HostMemory>();
    else
      memory = std::make_unique<DeviceMemory>(context);
  }
  const Context context;
  std::unique_ptr<SliceMemory> memory;
};

Place &placeOf(Backend backend) {
  static std::map<Backend, Place> all;
  return all.try_emplace(backend, backend).first->second;
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

class RuntimeBuild : public Build {
public:
  RuntimeBuild(Place &place, driver::Compilation &compilation)
      : place(place), module(jit::load(place.context, compilation, {.isOn = false})) {}

  RunResult run(const generator::Program &program, const std::string &entry,
                const reference::Launch &launch) override {
    isAtEnd = !isAtEnd;
    std::vector<Buffer> buffers;
    buffers.reserve(program.parameters.size()); // the arguments point into it, so it must not grow
    std::vector<Argument> arguments;
    std::vector<std::uint64_t> addresses(program.parameters.size());
    const auto &parameters = module[entry].signature().parameters();
    for (std::size_t k = 0; k != program.parameters.size(); ++k) {
      const reference::Argument &argument = launch.arguments[k];
      if (!isSlice(program.parameters[k])) {
        arguments.emplace_back(Value(parameters[k].type.element, *argument.bytes));
        continue;
      }
      const std::size_t owner = ownerOf(launch, k);
      // The end of the memory may not be aligned for wide accesses.
      if (owner == k)
        addresses[k] = place.memory->place(k, *argument.bytes, isAtEnd && !program.isWide);
      buffers.push_back(Buffer::borrow(place.context, addresses[owner], parameters[k].type.element,
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
      if (isSlice(program.parameters[k]) && ownerOf(launch, k) == k &&
          !place.memory->read(k, *launch.arguments[k].bytes))
        result.error += "stores beside " + program.parameters[k].name + "; ";
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
    return !contract->firstUnmet(pointers, {launch.groups, launch.local});
  }

private:
  RunResult runOn(const std::string &kernel, const reference::Launch &launch,
                  std::vector<Argument> &arguments) {
    RunResult result;
    const auto &[groups, local] = std::pair(launch.groups, launch.local);
    try {
      place.context.launch(
          module[kernel],
          {.global = {groups[0] * local[0], groups[1] * local[1], groups[2] * local[2]},
           .local = {local[0], local[1], local[2]},
           .shared = launch.sharedBytes},
          arguments);
      place.context.sync();
    } catch (const Error &error) {
      result.isFault = error.code() == ErrorCode::KernelFault;
      if (!result.isFault)
        result.error = error.what();
      if (const Fault *fault = error.fault())
        result.fault = reportedOf(*fault);
    }
    return result;
  }

  Place &place;
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

codegen::TargetSpec deviceTarget() { return jit::targetOf(placeOf(Backend::Cuda).context); }

std::unique_ptr<Build> makeRuntimeBuild(driver::Compilation &compilation, Backend backend) {
  return std::make_unique<RuntimeBuild>(placeOf(backend), compilation);
}

} // namespace spl::random
