// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loaded code and its kernels. A Module and each Kernel of it keep the code loaded. Both are cheap
/// to copy, stay valid when they are moved from, and may be used from several threads at once.
#ifndef SPL_MODULE_H
#define SPL_MODULE_H

#include <spl/Cxx20.h>

#include <spl/Signature.h>
#include <spl/cpu_abi.h>

#include <cstddef>
#include <functional>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace spl {

class Context;

namespace detail {
class BackendContext;
class BackendModule;
} // namespace detail

/// Code in the form of bytes. For a GPU it is PTX text, a cubin or a fatbin. For any device it is a
/// bundle (Bundle.h).
struct DeviceCode {
  std::string bytes;

  /// One signature for each kernel. May be empty for PTX, which contains the signatures in lines
  /// "// spl.kernel NAME(...)". Cubins and fatbins contain none. A kernel with a launch contract
  /// has an entry point for each version: NAME with all checks, and NAME$unchecked for launches
  /// that meet the contract. If the conditions are in several groups, NAME$unmet1 is for launches
  /// that meet all groups but the first, and so on.
  std::vector<std::string> signatures;
};

/// A kernel compiled for this process.
struct HostKernel {
  Signature signature; ///< may be given as text
  spl_cpu_entry entry = nullptr;

  /// The entry point for launches that meet the signature's launch contract. It lacks the checks
  /// that the contract makes redundant. Set if and only if there is a contract, or null if \p find
  /// returns it.
  spl_cpu_entry unchecked = nullptr;

  /// The entry points for launches that meet all groups of conditions but one, in the order of the
  /// groups. May be empty: such launches then run \p entry.
  std::vector<spl_cpu_entry> unmet = {};

  /// Returns the entry point of a version (abi::Contract::Version). Required if an entry point
  /// above is null: entry, unchecked of a kernel with a contract, or an element of unmet. Each
  /// launch of such a version calls it, and several threads may call it at once. A launch passes on
  /// the error that it throws.
  std::function<spl_cpu_entry(std::size_t version)> find = {};

  /// Whether the kernel's loops test the launch's time limit. True if it was compiled with
  /// jit::Options::interruptible or simple compile --interruptible.
  bool interruptible = false;

  /// Whether it reports its accesses: true if it was compiled with jit::Options::instrument. Its
  /// launches are checked, and throw CheckFailed where there are findings besides faults.
  bool instrumented = false;
};

/// Code for the CPU that is already in memory.
struct HostCode {
  std::vector<HostKernel> kernels;
  /// Keeps the entry points valid; may be null for code of the program itself.
  std::shared_ptr<void> owner;
};

/// Code for a GPU with its kernels, from a compiler in this process. The runtime also makes such
/// objects of files of PTX.
struct CompiledCode {
  std::string bytes;
  std::vector<Signature> kernels; ///< all that the code has

  /// The entry points (DeviceCode::signatures) that \p bytes lacks. A kernel with a launch contract
  /// may lack all but NAME$unchecked.
  std::set<std::string> later = {};

  /// Returns code with the entry point \p entry of \p later, whose groups may have \p groupSize
  /// work-items. The context calls it when a launch first needs the entry point, or when a capture
  /// begins. Several threads may call it at once, for different entry points. What it throws is
  /// passed on, and the next launch calls it again.
  std::function<std::string(const std::string &entry, std::int64_t groupSize)> compileLater = {};
};

/// Code that a context can load.
using Image = std::variant<DeviceCode, HostCode, CompiledCode>;

/// The resources that a kernel needs. On the CPU only groupSize is known. If a kernel has a launch
/// contract, its attributes, occupancy and suggested group size are those of the entry point with
/// all checks. If that one is compiled later (docs/runtime.md), they are those of NAME$unchecked,
/// and the others accept groups that are as large.
struct KernelAttributes {
  int registers = 0;            ///< per work-item
  std::int64_t sharedBytes = 0; ///< declared in the kernel, per group
  std::int64_t localBytes = 0;  ///< local arrays and spilled registers, per work-item
  std::int64_t constantBytes = 0;
  std::int64_t groupSize = 0; ///< the maximum number of work-items of a group
};

/// How well groups of one size use a device.
struct Occupancy {
  int groupsPerUnit = 0;  ///< the number of groups that a compute unit runs at once
  double ofWorkItems = 0; ///< work-items in these groups divided by the unit's maximum, 0 to 1
};

/// One kernel of a module.
class Kernel {
public:
  Kernel(const Kernel &) = default;
  Kernel &operator=(const Kernel &) = default;

  const Signature &signature() const;
  /// Of an instance as in the source: "scale[f32]".
  const std::string &name() const { return signature().name(); }

  KernelAttributes attributes() const;

  /// The occupancy with groups of \p groupSize work-items and \p sharedBytes of dynamic shared
  /// memory each. Throws InvalidArgument for a group size below 1 or a negative number of bytes.
  Occupancy occupancy(std::int64_t groupSize, std::int64_t sharedBytes = 0) const;

  /// The group size with the best occupancy. If the kernel fixes its group size, that size. Throws
  /// InvalidArgument for a negative number of bytes.
  std::int64_t suggestedGroupSize(std::int64_t sharedBytes = 0) const;

  /// The number of groups of \p groupSize work-items and \p sharedBytes of dynamic shared memory
  /// each that a cooperative launch may have, because the device runs them at once. If the kernel
  /// has a grid barrier (gpu.grid_barrier), a launch of more groups is refused. Throws
  /// UnsupportedOnTarget for a device without cooperative launches, and InvalidArgument for a group
  /// size below 1 or a negative number of bytes.
  std::int64_t maxCooperativeGroups(std::int64_t groupSize, std::int64_t sharedBytes = 0) const;

private:
  friend class Module;
  friend class Context;
  friend class Graph;
  Kernel(std::shared_ptr<const detail::BackendModule> module, std::size_t index)
      : module(std::move(module)), index(index) {}

  std::shared_ptr<const detail::BackendModule> module;
  std::size_t index = 0;
};

/// Code that a context has loaded.
class Module {
public:
  Module(const Module &) = default;
  Module &operator=(const Module &) = default;

  /// Loads \p image for \p context. Throws UnsupportedOnTarget for host code on a GPU, for device
  /// code on the CPU, for code of another GPU, and for a bundle without code for the device. Throws
  /// InvalidImage for a damaged image; the message has the driver's text if there is one. If a
  /// version that is loaded later is damaged, the launch or capture that needs it throws.
  static Module load(const Context &context, Image image);

  /// Loads a bundle or PTX, or a cubin or fatbin with its signatures.
  static Module load(const Context &context, std::string_view bytes,
                     std::vector<std::string> signatures = {});

  /// The kernel called \p name. An instance of a generic kernel has two names, "scale[f32]" and
  /// "scale__f32". Throws UnknownKernel for another name; the message has the most similar kernel
  /// and all kernels.
  Kernel operator[](std::string_view name) const;

  /// Every kernel, in the image's order.
  std::vector<Kernel> kernels() const;

private:
  explicit Module(std::shared_ptr<const detail::BackendModule> loaded)
      : loaded(std::move(loaded)) {}

  std::shared_ptr<const detail::BackendModule> loaded;
};

} // namespace spl

#endif
