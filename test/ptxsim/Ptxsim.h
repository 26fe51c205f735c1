// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An interpreter of PTX for tests, written from NVIDIA's PTX reference and independent of the
// compiler: text in, results in its own device memory out. It knows the instructions of
// Opcodes.def; anything else is an error that names the instruction.
//
// Threads run in real warps of 32 with a program counter each: lanes at the same instruction run
// together, diverge at branches and meet again where their paths do. *.sync instructions wait for
// the lanes their mask names, barriers for the threads of the group. Every access is checked for
// bounds and alignment. Arithmetic is exactly rounded; approximate instructions (ex2.approx,
// sin.approx, ...) answer the rounded exact value, where hardware may be a little off. Memory is
// sequentially consistent. What PTX leaves undefined is filled with patterns: registers, shared
// and local memory, new allocations, shuffles from lanes that take no part.
//
// Everything that goes wrong is thrown as an Error. One thread at a time may use a Memory.
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
  Syntax,      ///< text that is no PTX
  Unsupported, ///< PTX that the interpreter does not know
  BadLaunch,   ///< sizes or memory that the kernel does not take
  Trap,
  OutOfBounds,
  Misaligned,
  ReadOnly, ///< a store into constants or parameters
  Deadlock,
  BadSync, ///< an instruction of warps or groups against its own rules
  Budget,  ///< too many instructions: probably a loop without an end
};

class Error : public std::runtime_error {
public:
  Error(ErrorKind kind, unsigned line, const std::string &text)
      : std::runtime_error(text), kind(kind), line(line) {}

  ErrorKind kind;
  unsigned line; ///< of the PTX, 0 where there is none
};

/// Device memory: allocations at addresses of their own with gaps between; none is ever used again.
class Memory {
public:
  explicit Memory(std::uint64_t capacity = std::uint64_t(4) << 30,
                  std::uint64_t base = 0x7000'0000'0000)
      : capacity(capacity), next(base) {}

  /// The address of new memory, 0 where too little is left. The contents are a pattern.
  std::uint64_t allocate(std::size_t bytes, bool readOnly = false);
  /// Makes the host's bytes, which stay the caller's, part of it at their own address.
  void map(std::byte *bytes, std::size_t size);
  /// Whether there was an allocation that began at \p address, or bytes of the host were mapped.
  bool free(std::uint64_t address);
  /// The host's bytes behind [address, address + bytes); null where no allocation holds them all.
  std::byte *find(std::uint64_t address, std::size_t bytes) const;
  /// Hides the allocation that begins at \p address, as if it was not there, or shows it again.
  void show(std::uint64_t address, bool shown);

  struct Allocation {
    std::uint64_t base = 0;
    std::size_t size = 0;
    bool readOnly = false;
    std::byte *bytes = nullptr;
    std::unique_ptr<std::byte[]> owned; ///< null where the bytes are the host's
    bool shown = true;

    bool holds(std::uint64_t address, std::size_t count) const {
      return shown && address >= base && address - base <= size && count <= size - (address - base);
    }
  };
  /// The allocation at or before \p address; null where there is none.
  const Allocation *before(std::uint64_t address) const;

  std::uint64_t available() const { return capacity - used; }
  /// Changes whenever an allocation goes: pointers to allocations hold as long as it stays.
  std::uint64_t generation() const { return freed; }

private:
  std::map<std::uint64_t, Allocation> allocations;
  std::uint64_t capacity, used = 0, freed = 0;
  std::uint64_t next;
};

struct Program;

/// One entry of a module.
struct Kernel {
  struct Parameter {
    std::string name;
    std::size_t offset, bytes;
  };
  std::string name;
  std::vector<Parameter> parameters;
  std::size_t parameterBytes = 0;
  std::uint32_t maxThreads = 1024;           ///< of a group, by .maxntid
  std::optional<std::uint32_t> exactThreads; ///< by .reqntid
  std::size_t sharedBytes = 0;               ///< without the dynamic part
  std::size_t localBytes = 0;                ///< of each thread
  std::unique_ptr<const Program> program;

  Kernel();
  Kernel(Kernel &&) noexcept;
  ~Kernel();
};

/// PTX, parsed, decoded and with its variables in \p memory, which must outlive it.
class Module {
public:
  Module(std::string_view text, Memory &memory);
  ~Module();
  Module(const Module &) = delete;
  Module &operator=(const Module &) = delete;

  /// Null where there is none of that name.
  const Kernel *kernel(std::string_view name) const;
  /// Address and size of a .global or .const variable.
  std::optional<std::pair<std::uint64_t, std::size_t>> variable(std::string_view name) const;

  unsigned version = 0; ///< of PTX: 78 for 7.8
  unsigned target = 0;  ///< 90 for sm_90

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
  std::size_t sharedLimit = 48 << 10; ///< a group's static and dynamic part together
  /// Shuffles the order of groups, warps, divergent paths and atomics, to shake out races.
  std::optional<std::uint64_t> seed;
  std::uint64_t budget = std::uint64_t(1) << 29; ///< instructions of warps
  std::function<void(std::string_view)> print;   ///< what vprintf writes; by default stdout
};

struct LaunchResult {
  std::uint64_t instructions = 0; ///< of threads, together
  std::vector<std::string> notes; ///< what PTX leaves undefined and happened
};

/// Runs a kernel to its end; params points to each parameter's value, as for cuLaunchKernel.
LaunchResult launch(const Kernel &kernel, Memory &memory, const LaunchOptions &options,
                    const void *const *params);

} // namespace ptxsim
