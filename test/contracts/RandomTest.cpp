// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Launch contracts never lie: random kernels of indices (IndexKernels.h) do on the CPU what their
// meaning says, or fault where it does, whether the launch meets the kernel's contract or not. The
// slices lie against memory that nobody may touch. SPL_CONTRACT_KERNELS=FIRST,COUNT tries others.
#include "runtime/launch/LaunchContract.h"
#include "test/e2e/Harness.h"
#include "test/e2e/IndexKernels.h"

#include <cstdlib>
#include <stdexcept>
#include <sys/mman.h>

using namespace spl;
using namespace spl::e2e;
using namespace spl::e2e::indices;

namespace {

/// Memory for one slice, with far more on both sides that cannot be touched.
class Guarded {
public:
  Guarded() {
    void *all = mmap(nullptr, 2 * guard + size, PROT_NONE,
                     MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (all == MAP_FAILED)
      throw std::bad_alloc();
    base = static_cast<unsigned char *>(all) + guard;
    if (mprotect(base, size, PROT_READ | PROT_WRITE) != 0)
      throw std::bad_alloc();
  }
  ~Guarded() { munmap(base - guard, 2 * guard + size); }
  Guarded(const Guarded &) = delete;
  Guarded &operator=(const Guarded &) = delete;

  /// So many bytes at the start or the end; what is near is filled.
  unsigned char *place(std::size_t bytes, bool isAtEnd) {
    if (bytes > static_cast<std::size_t>(size))
      throw std::length_error("a slice is larger than its place");
    at = isAtEnd ? base + size - bytes : base;
    end = at + bytes;
    std::memset(from(), filling, static_cast<std::size_t>(to() - from()));
    return at;
  }
  /// Whether what is near is as it was filled.
  bool isIntact() const {
    auto isFilling = [](unsigned char byte) { return byte == filling; };
    return std::all_of(from(), at, isFilling) && std::all_of(end, to(), isFilling);
  }

private:
  unsigned char *from() const { return std::max(base, at - margin); }
  unsigned char *to() const { return std::min(base + size, end + margin); }

  static constexpr std::ptrdiff_t guard = std::ptrdiff_t{1} << 30, size = 1 << 18, margin = 1 << 12;
  static constexpr unsigned char filling = 0xa5;
  unsigned char *base, *at = nullptr, *end = nullptr;
};

/// Calls f with the number as a value of the type.
template <class F> auto asTyped(Type type, std::int64_t bits, F &&f) {
  switch (type.bits + type.isSigned) {
  case 9:
    return f(static_cast<std::int8_t>(bits));
  case 17:
    return f(static_cast<std::int16_t>(bits));
  case 33:
    return f(static_cast<std::int32_t>(bits));
  case 65:
    return f(bits);
  case 8:
    return f(static_cast<std::uint8_t>(bits));
  case 16:
    return f(static_cast<std::uint16_t>(bits));
  case 32:
    return f(static_cast<std::uint32_t>(bits));
  default:
    return f(static_cast<std::uint64_t>(bits));
  }
}

std::string shown(const Launch &launch) {
  std::string text;
  for (std::size_t axis = 0; axis != 3; ++axis)
    text += std::to_string(launch.groups[axis]) + "x" + std::to_string(launch.local[axis]) + " ";
  for (std::size_t k = 0; k != sliceCount; ++k)
    text += std::string(sliceParameters[k].name) + "[" +
            std::to_string(launch.slices[k].extents[0]) + "," +
            std::to_string(launch.slices[k].extents[1]) + "] ";
  for (std::int64_t scalar : launch.scalars)
    text += std::to_string(scalar) + " ";
  return text;
}

struct Counts {
  std::size_t launches = 0, met = 0, faults = 0, metFaults = 0, tooLong = 0, kernels = 0,
              contracts = 0;
};

class Differential {
public:
  Counts counts;

  /// With what \p kernel means.
  void compare(const indices::Kernel &kernel, const Module &module, const Launch &launch,
               const Launch &expected, Outcome outcome, bool isAtEnd) {
    for (std::size_t k = 0; k != sliceCount; ++k)
      write(k, launch.slices[k], isAtEnd);
    const bool meets = meetsContract(kernel, module, launch);
    ++counts.launches;
    counts.met += meets;
    counts.faults += outcome == Outcome::Fault;
    counts.metFaults += meets && outcome == Outcome::Fault;
    const std::string what =
        kernel.name + (meets ? ", unchecked, " : ", checked, ") + shown(launch);
    Outcome actual = Outcome::Done;
    try {
      run(kernel, module, launch);
    } catch (const Error &error) {
      actual = Outcome::Fault;
      EXPECT_EQ(error.code(), ErrorCode::KernelFault) << what << ": " << error.what();
    }
    EXPECT_EQ(actual == Outcome::Fault, outcome == Outcome::Fault) << what;
    for (std::size_t k = 0; k != sliceCount; ++k) {
      EXPECT_TRUE(memory[k].isIntact()) << what << " at " << sliceParameters[k].name;
      if (actual == Outcome::Done && outcome == Outcome::Done)
        EXPECT_EQ(read(k, launch.slices[k].elements.size()), expected.slices[k].elements)
            << what << " at " << sliceParameters[k].name;
    }
  }

private:
  static std::size_t width(std::size_t slice) { return sliceParameters[slice].element.bits / 8; }

  void write(std::size_t k, const Launch::Slice &slice, bool isAtEnd) {
    places[k] = memory[k].place(slice.elements.size() * width(k), isAtEnd);
    for (std::size_t i = 0; i != slice.elements.size(); ++i)
      std::memcpy(places[k] + i * width(k), &slice.elements[i], width(k));
  }

  std::vector<std::int64_t> read(std::size_t k, std::size_t count) const {
    std::vector<std::int64_t> elements(count);
    for (std::size_t i = 0; i != count; ++i) {
      std::memcpy(&elements[i], places[k] + i * width(k), width(k));
      elements[i] = static_cast<std::int64_t>(sliceParameters[k].element.wrapped(elements[i]));
    }
    return elements;
  }

  /// As the runtime is to find it.
  bool meetsContract(const indices::Kernel &kernel, const Module &module, const Launch &launch) {
    const detail::LaunchContract *contract = module[kernel.name].signature().launchContract();
    if (!contract)
      return false;
    std::vector<std::int64_t> values;
    for (std::size_t k = 0; k != sliceCount; ++k) {
      values.push_back(0);
      for (std::size_t axis = 2 - sliceParameters[k].rank; axis != 2; ++axis)
        values.push_back(launch.slices[k].extents[axis]);
    }
    values.insert(values.end(), launch.scalars.begin(), launch.scalars.end());
    std::vector<void *> pointers;
    for (std::int64_t &value : values)
      pointers.push_back(&value);
    return contract->holds(pointers, {launch.groups, launch.local});
  }

  void run(const indices::Kernel &kernel, const Module &module, const Launch &launch) {
    std::vector<Buffer> buffers;
    buffers.reserve(sliceCount);
    std::vector<Argument> arguments;
    for (std::size_t k = 0; k != sliceCount; ++k) {
      const auto &[extents, elements] = launch.slices[k];
      const Shape shape =
          sliceParameters[k].rank == 1 ? Shape{extents[1]} : Shape{extents[0], extents[1]};
      buffers.push_back(Buffer::borrow(cpu(), reinterpret_cast<std::uint64_t>(places[k]),
                                       module[kernel.name].signature().parameters()[k].type.element,
                                       shape));
      arguments.emplace_back(buffers.back());
    }
    for (std::size_t k = 0; k != scalarCount; ++k)
      asTyped(kernel.scalars[k], launch.scalars[k], [&](auto x) { arguments.emplace_back(x); });
    LaunchConfig config;
    config.local = Dims{launch.local[0], launch.local[1], launch.local[2]};
    config.global = Dims{launch.local[0] * launch.groups[0], launch.local[1] * launch.groups[1],
                         launch.local[2] * launch.groups[2]};
    cpu().launch(module[kernel.name], config, arguments);
    cpu().sync();
  }

  std::array<Guarded, sliceCount> memory;
  std::array<unsigned char *, sliceCount> places{};
};

/// Seeds of kernels, in files of so many.
constexpr std::uint64_t fileSize = 20;

void tryFile(std::uint64_t first, int launches, Differential &differential) {
  std::vector<indices::Kernel> kernels;
  std::string text = prelude;
  for (std::uint64_t seed = first; seed != first + fileSize; ++seed) {
    kernels.push_back(makeKernel(seed));
    text += "\n" + kernels.back().text;
  }
  std::printf("kernels from k%lu\n", first); // where one dies of an access outside
  std::fflush(stdout);
  const int levels[] = {2, 0, 3, 1};
  std::vector<Module> modules;
  for (bool contracts : {true, false})
    modules.push_back(jit::loadSource(
        cpu(), text, "indices.spl",
        {.optLevel = levels[first / fileSize % 4], .contracts = contracts, .cache = false}));
  for (const indices::Kernel &kernel : kernels) {
    std::mt19937_64 random(first);
    ++differential.counts.kernels;
    differential.counts.contracts += !modules[0][kernel.name].signature().contract().empty();
    for (int k = 0; k != launches; ++k) {
      const Launch launch = makeLaunch(kernel, random);
      Launch expected = launch;
      const Outcome outcome = interpret(kernel, expected);
      if (outcome == Outcome::TooLong) {
        ++differential.counts.tooLong;
        continue;
      }
      differential.compare(kernel, modules[0], launch, expected, outcome, k % 2 == 0);
      if (k % 4 == 0) // what is proved is gone there too
        differential.compare(kernel, modules[1], launch, expected, outcome, k % 8 == 0);
    }
    if (testing::Test::HasFailure()) {
      ADD_FAILURE() << kernel.text << modules[0][kernel.name].signature().str();
      return;
    }
  }
}

} // namespace

TEST(Contracts, SayNothingThatDoesNotHold) {
  std::uint64_t first = 0, count = 260;
  const char *others = std::getenv("SPL_CONTRACT_KERNELS");
  if (others)
    ASSERT_EQ(std::sscanf(others, "%lu,%lu", &first, &count), 2);
  Differential differential;
  for (std::uint64_t seed = first; seed < first + count && !HasFailure(); seed += fileSize)
    tryFile(seed, 16, differential);

  // Both kernels run often enough, faults and results are both there.
  const Counts &counts = differential.counts;
  std::printf("%zu kernels, %zu with contracts; %zu launches, %zu met one, %zu fault, %zu of those "
              "that met one; %zu too long\n",
              counts.kernels, counts.contracts, counts.launches, counts.met, counts.faults,
              counts.metFaults, counts.tooLong);
  if (others || HasFailure())
    return;
  EXPECT_GT(counts.contracts * 10, counts.kernels * 8);
  EXPECT_GT(counts.met * 10, counts.launches * 2);
  EXPECT_LT(counts.met * 10, counts.launches * 6);
  EXPECT_LT(counts.faults * 10, counts.launches * 7);
  EXPECT_GT(counts.metFaults * 50, counts.met);
}
