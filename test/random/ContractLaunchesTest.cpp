// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launches that a person might make, of every kernel in examples/ and test/e2e, and of random
// kernels. Where the launch contract holds, or all groups of its conditions but one, the kernel
// without the lifted checks does what the kernel with all checks does.
#include "test/generator/Generator.h"
#include "test/random/GuardedMemory.h"
#include "test/random/Processes.h"
#include "test/unit/Sanitizers.h"

#include <spl/spl.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <gtest/gtest.h>
#include <random>
#include <sstream>

using namespace spl;
using random::GuardedMemory;

namespace {

constexpr int launchesPerKernel = 200;
/// Loops of the kernels may not end with these arguments.
constexpr std::chrono::milliseconds timeLimit{10};
constexpr int maxEndless = 5;

const Context &cpu() {
  static const Context context = Context::make(Backend::Cpu);
  return context;
}

jit::Options options(bool contracts) {
  return {.contracts = contracts, .interruptible = true, .cache = false};
}

/// The bytes of a parameter: of a value, or of the elements of a slice.
struct Input {
  std::vector<std::byte> bytes;
  Shape shape = {1};
};

struct Launch {
  LaunchConfig config;
  std::vector<Input> inputs;
};

/// Draws launches for one kernel.
class Maker {
public:
  Maker(const Signature &signature, std::uint64_t seed) : signature(signature), random(seed) {}

  Launch make() {
    constexpr std::int64_t counts[] = {1, 2, 3, 5, 8, 16, 31, 32, 33, 64, 100, 128, 255, 256, 300};
    isFlat = std::none_of(signature.parameters().begin(), signature.parameters().end(),
                          [](const Parameter &parameter) { return parameter.type.rank > 1; });
    for (std::int64_t &size : sizes)
      size = counts[random() % (isFlat ? std::size(counts) : 9)];
    if (oneIn(2))
      sizes[1] = sizes[2] = sizes[0];
    Launch launch;
    launch.config = config();
    for (const Parameter &parameter : signature.parameters())
      launch.inputs.push_back(parameter.type.rank == 0 ? value(parameter) : slice(parameter));
    return launch;
  }

private:
  bool oneIn(unsigned count) { return random() % count == 0; }

  LaunchConfig config() {
    LaunchConfig config;
    config.timeLimit = timeLimit;
    const std::vector<std::int64_t> &block = signature.block();
    const std::size_t axes = !block.empty() ? block.size() : isFlat ? 1 : 2;
    constexpr std::int64_t locals[] = {256, 64, 32, 16, 8};
    for (std::size_t axis = 0; axis != axes; ++axis) {
      local[axis] = block.empty() ? isFlat ? locals[random() % 4] : 8 : block[axis];
      const std::int64_t rounded = (sizes[axis] + local[axis] - 1) / local[axis] * local[axis];
      // Rounded up to whole groups, a group for each element, or exactly the elements.
      global[axis] = oneIn(4) ? std::min<std::int64_t>(sizes[axis], 20) * local[axis]
                     : block.empty() && oneIn(4)
                         ? (local[axis] = std::min<std::int64_t>(sizes[axis], 16))
                         : rounded;
    }
    if (axes == 1) {
      config.global = {global[0]};
      config.local = {local[0]};
    } else if (axes == 2) {
      config.global = {global[0], global[1]};
      config.local = {local[0], local[1]};
    } else {
      config.global = {global[0], global[1], global[2]};
      config.local = {local[0], local[1], local[2]};
    }
    config.shared = 8 * 1024;
    return config;
  }

  Input value(const Parameter &parameter) {
    Input input;
    fill(input, parameter.type.element, 1, /*areSizes=*/true);
    return input;
  }

  Input slice(const Parameter &parameter) {
    Input input;
    std::array<std::int64_t, 4> extents{1, 1, 1, 1};
    const auto rank = static_cast<std::size_t>(parameter.type.rank);
    for (std::size_t axis = 0; axis != rank; ++axis)
      extents[axis] = rank == 1 ? length() : sizes[oneIn(4) ? random() % 3 : (rank - 1 - axis) % 3];
    input.shape = rank == 1   ? Shape{extents[0]}
                  : rank == 2 ? Shape{extents[0], extents[1]}
                  : rank == 3 ? Shape{extents[0], extents[1], extents[2]}
                              : Shape{extents[0], extents[1], extents[2], extents[3]};
    fill(input, parameter.type.element, extents[0] * extents[1] * extents[2] * extents[3],
         /*areSizes=*/false);
    return input;
  }

  std::int64_t length() {
    const std::int64_t choices[] = {sizes[0], sizes[0],     sizes[0],     sizes[1],
                                    1000,     2 * sizes[0], global[0],    sizes[0] + 1,
                                    1,        sizes[0] / 2, sizes[0] * 16};
    return choices[random() % std::size(choices)];
  }

  std::int64_t size() {
    const std::int64_t choices[] = {sizes[0],
                                    sizes[0],
                                    sizes[1],
                                    sizes[2],
                                    sizes[0] - 1,
                                    sizes[0] + 1,
                                    2 * sizes[0],
                                    sizes[0] / 2,
                                    1,
                                    2,
                                    0,
                                    std::int64_t{1} << random() % 9};
    return choices[random() % std::size(choices)];
  }

  void fill(Input &input, const ElementType &type, std::int64_t count, bool areSizes) {
    input.bytes.resize(static_cast<std::size_t>(count) * type.size());
    const std::int64_t members = type.kind() == ElementType::Kind::Enum
                                     ? static_cast<std::int64_t>(type.members().size())
                                     : 0;
    for (std::size_t at = 0; at < input.bytes.size();) {
      const auto offset = static_cast<std::uint32_t>(at % type.size());
      const std::optional<ScalarPart> part = scalarAt(type, offset);
      if (!part) { // padding
        ++at;
        continue;
      }
      std::int64_t number = areSizes ? size() : static_cast<std::int64_t>(random() % 256);
      if (!areSizes && oneIn(2))
        number %= sizes[0];
      if (members != 0)
        number = type.members()[random() % static_cast<std::uint64_t>(members)].value;
      write(part->type, number, &input.bytes[at]);
      at += sizeOf(part->type);
    }
  }

  static void write(ScalarType type, std::int64_t number, std::byte *at) {
    auto put = [&](auto value) { std::memcpy(at, &value, sizeof value); };
    switch (type) {
    case ScalarType::F64:
      return put(static_cast<double>(number));
    case ScalarType::F32:
      return put(static_cast<float>(number));
    case ScalarType::F16:
      return put(std::uint16_t{0x3c00}); // 1
    case ScalarType::BF16:
      return put(std::uint16_t{0x3f80});
    case ScalarType::Bool:
      return put(static_cast<std::uint8_t>(number & 1));
    default:
      std::memcpy(at, &number, sizeOf(type)); // little-endian
    }
  }

  const Signature &signature;
  std::mt19937_64 random;
  bool isFlat = true;
  std::int64_t sizes[3], local[3] = {1, 1, 1}, global[3] = {1, 1, 1};
};

/// How far a launch meets the contract.
enum class Met : std::uint8_t { No, AllButOneGroup, Yes };

struct Outcome {
  bool isEndless = false;
  std::string error;  ///< the fault, or empty
  std::string memory; ///< what the slices are afterwards, and stores beside them
};

/// Runs a launch on memory between inaccessible pages.
Outcome outcome(const Kernel &kernel, const Launch &launch, std::optional<Met> &met) {
  static std::array<GuardedMemory, 40> memory;
  const std::vector<Parameter> &parameters = kernel.signature().parameters();
  std::vector<Buffer> buffers;
  buffers.reserve(parameters.size());
  std::vector<Argument> arguments;
  for (std::size_t k = 0; k != parameters.size(); ++k) {
    const Input &input = launch.inputs[k];
    if (parameters[k].type.rank == 0) {
      arguments.emplace_back(Value(parameters[k].type.element, input.bytes));
      continue;
    }
    // Wide accesses need aligned memory.
    unsigned char *at = memory.at(k).place((input.bytes.size() + 15) / 16 * 16, true);
    std::copy(input.bytes.begin(), input.bytes.end(), reinterpret_cast<std::byte *>(at));
    buffers.push_back(Buffer::borrow(cpu(), reinterpret_cast<std::uint64_t>(at),
                                     parameters[k].type.element, input.shape));
    arguments.emplace_back(buffers.back());
  }
  Outcome result;
  try {
    if (met) {
      const auto unmet = cpu().unmetContract(kernel, launch.config, arguments);
      met = !unmet ? Met::Yes : unmet->allChecks ? Met::No : Met::AllButOneGroup;
    }
    cpu().launch(kernel, launch.config, arguments);
    cpu().sync();
  } catch (const Error &thrown) {
    if (!thrown.fault())
      throw;
    if (thrown.fault()->kind == FaultKind::TimeLimit)
      return {.isEndless = true};
    result.error = thrown.what(); // the memory after a fault is unspecified
  }
  for (std::size_t k = 0; k != parameters.size(); ++k) {
    if (parameters[k].type.rank == 0)
      continue;
    if (!memory.at(k).isIntact())
      result.memory += " stores beside " + parameters[k].name;
    if (result.error.empty())
      result.memory.append(reinterpret_cast<const char *>(memory.at(k).bytes()),
                           launch.inputs[k].bytes.size());
  }
  return result;
}

struct Tally {
  int met = 0, partly = 0, launches = 0, endless = 0;
};

/// Whether both have the same result. A launch with several faults may report any of them, and with
/// lifted checks it may be another one.
bool isSame(const Outcome &one, const Outcome &other, Met met) {
  const bool areFaults = !one.error.empty() && !other.error.empty();
  return one.memory == other.memory &&
         (one.error == other.error || (met == Met::AllButOneGroup && areFaults));
}

/// Makes all launches of a kernel. Returns what differs, or nothing.
std::string tryKernel(const Kernel &kernel, const Kernel &checked, std::uint64_t seed,
                      Tally &tally) {
  Maker maker(kernel.signature(), seed);
  for (int number = 0; number != launchesPerKernel; ++number) {
    const Launch launch = maker.make();
    if (std::any_of(launch.inputs.begin(), launch.inputs.end(),
                    [](const Input &input) { return input.bytes.size() > 200'000; }))
      continue;
    std::optional<Met> met = Met::No, none;
    Outcome with, without;
    try {
      with = outcome(kernel, launch, met);
      ++tally.launches;
      if (*met == Met::No)
        continue;
      without = outcome(checked, launch, none);
    } catch (const Error &) { // as for a group that is too large for the kernel
      continue;
    }
    ++(*met == Met::Yes ? tally.met : tally.partly);
    if (with.isEndless || without.isEndless) {
      if (++tally.endless == maxEndless)
        break;
      continue;
    }
    if (!isSame(with, without, *met))
      return "launch " + std::to_string(number) + " of seed " + std::to_string(seed) +
             ": the kernel without lifted checks differs\n";
  }
  return "";
}

/// Tries the kernels with a contract. Returns errors and the numbers for each kernel.
std::string tryModules(const std::string &name, const Module &module, const Module &all) {
  std::string report;
  for (const Kernel &kernel : module.kernels()) {
    if (kernel.signature().contract().empty() || kernel.name() == "clocks") // its results differ
      continue;
    Tally tally;
    const std::string error = tryKernel(kernel, all[kernel.name()], 1, tally);
    report += name + ": " + kernel.name() + ": " + std::to_string(tally.met) + " of " +
              std::to_string(tally.launches) + " met, " + std::to_string(tally.partly) +
              " but one group\n";
    if (!error.empty())
      report += "error: " + error;
  }
  return report;
}

struct Sum {
  int kernels = 0, reached = 0, launches = 0, met = 0, partly = 0;
};

// Another process returns text alone (Processes.h).
void add(const std::string &report, Sum &sum) {
  std::istringstream lines(report);
  for (std::string line; std::getline(lines, line);) {
    int met = 0, of = 0, partly = 0;
    const std::size_t at = line.rfind(": ");
    if (at == std::string::npos ||
        std::sscanf(line.c_str() + at, ": %d of %d met, %d but", &met, &of, &partly) != 3) {
      ADD_FAILURE() << report;
      return;
    }
    ++sum.kernels;
    sum.reached += met > 0;
    sum.met += met;
    sum.partly += partly;
    sum.launches += of;
    if (met == 0)
      std::printf("no launch of 200: %s\n", line.c_str());
  }
}

/// Tries the kernels of a file or a text in another process, whose output is dropped.
template <class F> void tryAll(const std::string &name, Sum &sum, F &&load) {
  add(random::inProcess([&]() -> std::string {
        if (!std::freopen("/dev/null", "w", stdout))
          return "no /dev/null";
        try {
          return tryModules(name, load(options(true)), load(options(false)));
        } catch (const Error &) {
          return ""; // a file whose test shows an error
        } catch (const std::exception &error) {
          return name + ": " + error.what();
        }
      }),
      sum);
}

/// Of the kernels, \p share percent have a launch that meets their contract.
void expectEnough(const Sum &sum, int kernels, int share) {
  std::printf("%d kernels with a contract, %d of them met; %d of %d launches, %d more but for one "
              "group\n",
              sum.kernels, sum.reached, sum.met, sum.launches, sum.partly);
  EXPECT_GT(sum.partly * 100, sum.launches);
  EXPECT_GT(sum.kernels, kernels);
  EXPECT_GT(sum.reached * 100, sum.kernels * share);
}

} // namespace

TEST(ContractLaunches, OfExamplesAndTestsMeetContracts) {
  setenv("SPL_CPU_THREADS", "1", 1);
  std::vector<std::filesystem::path> files;
  for (const char *folder : {SPL_EXAMPLES_FOLDER, SPL_E2E_FOLDER, SPL_E2E_FOLDER "/Inputs"})
    for (const auto &entry : std::filesystem::directory_iterator(folder))
      if (entry.path().extension() == ".spl")
        files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  Sum sum;
  for (const auto &file : files)
    tryAll(file.filename(), sum,
           [&](const jit::Options &how) { return jit::loadFile(cpu(), file, how); });
  expectEnough(sum, 200, 98);
}

TEST(ContractLaunches, OfRandomKernelsMeetContracts) {
  setenv("SPL_CPU_THREADS", "1", 1);
  Sum sum;
  for (std::uint64_t seed = 0; seed != (isUnderSanitizer ? 5u : 40u); ++seed) {
    const std::string text =
        generator::prelude + generator::generate(seed, generator::Flavour::Indices).text;
    tryAll("seed " + std::to_string(seed), sum,
           [&](const jit::Options &how) { return jit::loadSource(cpu(), text, "random", how); });
  }
  expectEnough(sum, 20, 80);
}
