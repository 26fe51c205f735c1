// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/random/Compiling.h"

#include "runtime/launch/FaultTable.h"
#include "test/ptxsim/Ptxsim.h"

#include <cstring>
#include <deque>

namespace spl::random {
namespace {

class PtxBuild : public Build {
public:
  explicit PtxBuild(const std::string &text)
      : module(text, memory), record(memory.allocate(sizeof(spl_fault_record))),
        counter(memory.allocate(sizeof(std::uint32_t))) {
    if (const auto table = module.variable(SPL_FAULT_TABLE_NAME)) {
      const auto *bytes = reinterpret_cast<const char *>(memory.find(table->first, table->second));
      checks = detail::FaultTable({bytes, table->second});
    }
  }

  RunResult run(const generator::Program &program, const std::string &entry,
                const reference::Launch &launch) override {
    const ptxsim::Kernel *kernel = module.kernel(entry);
    if (!kernel)
      return {false, {}, "no entry " + entry};
    // The parameters of the kernel ABI. A slice is its address and its extents.
    std::deque<std::uint64_t> values;
    std::vector<const void *> pointers;
    std::vector<std::uint64_t> addresses(program.parameters.size());
    auto pass = [&](std::uint64_t value) { pointers.push_back(&values.emplace_back(value)); };
    for (std::size_t k = 0; k != program.parameters.size(); ++k) {
      const reference::Argument &argument = launch.arguments[k];
      if (!isSlice(program.parameters[k])) {
        pointers.push_back(argument.bytes->data());
        continue;
      }
      const std::size_t owner = ownerOf(launch, k);
      if (owner == k)
        addresses[k] = memory.allocate(std::max<std::size_t>(argument.bytes->size(), 1));
      if (owner == k && !argument.bytes->empty())
        std::memcpy(memory.find(addresses[k], argument.bytes->size()), argument.bytes->data(),
                    argument.bytes->size());
      pass(addresses[owner]);
      for (unsigned axis = 0; axis != program.parameters[k].rank; ++axis)
        pass(static_cast<std::uint64_t>(argument.extents[axis]));
    }
    // Kernels with grid barriers take a counter and a record, others perhaps a record.
    const bool isCooperative = kernel->parameters.size() == pointers.size() + 2;
    if (isCooperative)
      pointers.push_back(&counter);
    pointers.push_back(&record);
    RunResult result = runOn(*kernel, launch, pointers.data(), isCooperative);
    for (std::size_t k = 0; k != program.parameters.size(); ++k) {
      if (!isSlice(program.parameters[k]) || ownerOf(launch, k) != k)
        continue;
      const std::uint64_t address = addresses[k];
      reference::Memory &bytes = *launch.arguments[k].bytes;
      if (!bytes.empty())
        std::memcpy(bytes.data(), memory.find(address, bytes.size()), bytes.size());
      memory.free(address);
    }
    return result;
  }

private:
  RunResult runOn(const ptxsim::Kernel &kernel, const reference::Launch &launch,
                  const void *const *values, bool isCooperative) {
    auto extents = [](const std::array<std::int64_t, 3> &all) {
      return ptxsim::Dim3{static_cast<std::uint32_t>(all[0]), static_cast<std::uint32_t>(all[1]),
                          static_cast<std::uint32_t>(all[2])};
    };
    ptxsim::LaunchOptions options;
    options.groups = extents(launch.groups);
    options.threads = extents(launch.local);
    options.dynamicSharedBytes = static_cast<std::size_t>(launch.sharedBytes);
    RunResult result;
    options.print = [&](std::string_view text) { result.output += text; };
    options.seed = seed++; // shuffles every order that hardware leaves open
    options.budget = std::uint64_t{1} << 26;
    options.isCooperative = isCooperative;
    auto &fault =
        *reinterpret_cast<spl_fault_record *>(memory.find(record, sizeof(spl_fault_record)));
    fault = {};
    if (isCooperative) {
      fault.counter[0] = counter;
      std::memset(memory.find(counter, sizeof(std::uint32_t)), 0, sizeof(std::uint32_t));
    }
    try {
      ptxsim::launch(kernel, memory, options, values);
    } catch (const ptxsim::Error &error) {
      // After a fault, other work-items may run for longer than the reference interprets.
      if (error.kind != ptxsim::ErrorKind::Budget || fault.seal[0] == 0)
        result.error = error.what();
    }
    if (!result.error.empty() || fault.claimed[0] == 0)
      return result;
    detail::Geometry geometry;
    geometry.localSize = launch.local;
    for (std::size_t axis = 0; axis != 3; ++axis)
      geometry.workItems[axis] = launch.groups[axis] * launch.local[axis];
    const Error error = checks.errorOf(fault, geometry, kernel.name, "PTX");
    if (error.fault()) {
      result.isFault = true;
      result.fault = reportedOf(*error.fault());
    } else {
      result.error = error.what();
    }
    return result;
  }

  ptxsim::Memory memory;
  ptxsim::Module module;
  detail::FaultTable checks;
  std::uint64_t record;  ///< the address of the fault record
  std::uint64_t counter; ///< the address of the counter of grid barriers
  std::uint64_t seed = 1;
};

} // namespace

std::unique_ptr<Build> makePtxBuild(driver::Compilation &compilation) {
  llvm::SmallVector<char, 0> text;
  if (!compilation.emit("ptx", text))
    throw std::runtime_error(errorsOf(compilation));
  return std::make_unique<PtxBuild>(std::string(text.begin(), text.end()));
}

} // namespace spl::random
