// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An interpreter of PTX for tests. It is written from NVIDIA's PTX reference and is independent of
// the compiler. Its input is PTX, its output is the contents of its own device memory. It knows the
// instructions of Opcodes.def. Any other instruction is an error that names it.
//
// - Threads run in warps of 32, each with its own program counter. Lanes at the same instruction
//   run together. They diverge at branches and reconverge where their paths join.
// - A *.sync instruction waits for the lanes in its mask, a barrier for the threads of the group.
// - Every access is checked for bounds and alignment.
// - Arithmetic is correctly rounded. Approximate instructions (ex2.approx, sin.approx and so on)
//   return the correctly rounded value, from which hardware may differ slightly.
// - Memory is sequentially consistent.
// - What PTX leaves undefined has a fixed pattern: initial registers, shared and local memory, new
//   allocations, and shuffles from inactive lanes.
//
// Every error is thrown as an Error. Only one thread at a time may use a Memory.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace ptxsim {

enum class ErrorKind {
  Syntax,      ///< the text is not PTX
  Unsupported, ///< PTX that the interpreter does not know
  BadLaunch,   ///< the kernel does not allow these sizes or parameters
  Trap,
  OutOfBounds,
  Misaligned,
  ReadOnly, ///< a store into constants or parameters
  Deadlock,
  BadSync, ///< a wrong use of a warp or group instruction
  Budget,  ///< the instruction limit is exceeded: probably an endless loop
};

class Error : public std::runtime_error {
public:
  Error(ErrorKind kind, unsigned line, const std::string &text)
      : std::runtime_error(text), kind(kind), line(line) {}

  ErrorKind kind;
  unsigned line; ///< in the PTX, 0 if unknown
};

/// Device memory: a set of allocations with gaps between them. No address is used twice.
class Memory {
public:
  explicit Memory(std::uint64_t capacity = std::uint64_t(4) << 30,
                  std::uint64_t base = 0x7000'0000'0000)
      : capacity(capacity), next(base) {}

  /// Returns the address of new memory, or 0 if the capacity is exceeded. The memory contains a
  /// fixed pattern.
  std::uint64_t allocate(std::size_t bytes, bool readOnly = false);
  /// Makes bytes of the host accessible at their own address. The caller keeps ownership.
  void map(std::byte *bytes, std::size_t size);
  /// Frees the allocation or mapping that starts at \p address. Returns false if there is none.
  bool free(std::uint64_t address);
  /// The bytes of [address, address + bytes), or null if no single allocation contains them.
  std::byte *find(std::uint64_t address, std::size_t bytes) const;
  /// Hides the allocation that starts at \p address from all accesses, or shows it again.
  void show(std::uint64_t address, bool shown);

  struct Allocation {
    std::uint64_t base = 0;
    std::size_t size = 0;
    bool readOnly = false;
    std::byte *bytes = nullptr;
    std::unique_ptr<std::byte[]> owned; ///< null for bytes of the host
    bool shown = true;

    bool holds(std::uint64_t address, std::size_t count) const {
      return shown && address >= base && address - base <= size && count <= size - (address - base);
    }
  };
  /// The last allocation that starts at or before \p address, or null.
  const Allocation *before(std::uint64_t address) const;

  std::uint64_t available() const { return capacity - used; }
  /// Changes when an allocation is freed. Until then, pointers to allocations stay valid.
  std::uint64_t generation() const { return freed; }

private:
  std::map<std::uint64_t, Allocation> allocations;
  std::uint64_t capacity, used = 0, freed = 0;
  std::uint64_t next;
};

struct Program;

/// An entry function of a module.
struct Kernel {
  struct Parameter {
    std::string name;
    std::size_t offset, bytes;
  };
  std::string name;
  std::vector<Parameter> parameters;
  std::size_t parameterBytes = 0;
  std::uint32_t maxThreads = 1024;           ///< per group, from .maxntid
  std::optional<std::uint32_t> exactThreads; ///< per group, from .reqntid
  std::size_t sharedBytes = 0;               ///< static shared memory
  std::size_t localBytes = 0;                ///< per thread
  std::unique_ptr<const Program> program;

  Kernel();
  Kernel(Kernel &&) noexcept;
  ~Kernel();
};

/// A parsed and decoded module. Its variables are in \p memory, which must outlive it.
class Module {
public:
  Module(std::string_view text, Memory &memory);
  ~Module();
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  /// The kernel of that name, or null.
  const Kernel *kernel(std::string_view name) const;
  /// The address and size of a .global or .const variable.
  std::optional<std::pair<std::uint64_t, std::size_t>> variable(std::string_view name) const;

  unsigned version = 0; ///< of PTX: 78 means 7.8
  unsigned target = 0;  ///< 90 means sm_90

private:
  Memory &memory;
  std::map<std::string, Kernel, std::less<>> kernels;
  std::map<std::string, std::pair<std::uint64_t, std::size_t>, std::less<>> variables;
};

struct Dim3 {
  std::uint32_t x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t(x) * y * z; }
};

struct LaunchOptions {
  Dim3 groups, threads;
  std::size_t dynamicSharedBytes = 0;
  std::size_t sharedLimit = 48 << 10; ///< of a group, static and dynamic
  /// Shuffles the order of groups, warps, lanes, divergent paths and atomics, and runs several
  /// groups at once, which reveals races.
  std::optional<std::uint64_t> seed;
  /// Runs all groups at once, as cuLaunchCooperativeKernel does.
  bool isCooperative = false;
  std::uint64_t budget = std::uint64_t(1) << 29; ///< the limit on instructions of warps
  /// Receives the output of vprintf; by default it goes to stdout.
  std::function<void(std::string_view)> print;
};

struct LaunchResult {
  std::uint64_t instructions = 0; ///< the sum over all threads
  std::vector<std::string> notes; ///< undefined behaviour that happened
};

/// Runs a kernel to its end. As for cuLaunchKernel, \p params points to a pointer to each argument.
LaunchResult launch(const Kernel &kernel, Memory &memory, const LaunchOptions &options,
                    const void *const *params);

} // namespace ptxsim
