// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// Loaded code and the kernels in it. A Module and each Kernel taken from it keep the code loaded;
/// both are cheap to copy, stay as they are when they are moved from, and may be used from several
/// threads at once.
#ifndef SPL_MODULE_H
#define SPL_MODULE_H

#include <spl/Cxx20.h>

#include <spl/Signature.h>
#include <spl/cpu_abi.h>

#include <cstddef>
#include <memory>
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

/// Code for a GPU, PTX text, a cubin or a fatbin; or a bundle (Bundle.h), for any device.
struct DeviceCode {
  std::string bytes;

  /// One signature for each kernel. May stay empty for PTX, which carries them itself: a line
  /// "// spl.kernel NAME(...)" each. Binaries carry none. Of a kernel with a launch contract the
  /// code has two: NAME, and NAME$unchecked for the launches for which it holds.
  std::vector<std::string> signatures;
};

/// A kernel compiled for this process.
struct HostKernel {
  std::string signature;
  spl_cpu_entry entry = nullptr;

  /// The kernel without the checks that the signature's launch contract makes needless, called for
  /// the launches for which it holds. There is one exactly where there is a contract.
  spl_cpu_entry unchecked = nullptr;

  /// Whether its loops test the launch's time limit: it was compiled to be interruptible
  /// (jit::Options::interruptible, simple compile --interruptible).
  bool interruptible = false;
};

/// Code for the CPU, already in memory.
struct HostCode {
  std::vector<HostKernel> kernels;
  std::shared_ptr<void> owner; ///< keeps the entries callable; may be null for code of the program
};

/// What can be loaded.
using Image = std::variant<DeviceCode, HostCode>;

/// What a kernel takes of a device. Of a CPU's kernels only groupSize is known. A kernel with a
/// launch contract is told of with all its checks, as are occupancy and suggested size.
struct KernelAttributes {
  int registers = 0;            ///< for each work-item
  std::int64_t sharedBytes = 0; ///< that the kernel itself declares, for each group
  std::int64_t localBytes = 0;  ///< of local arrays and spilled registers, for each work-item
  std::int64_t constantBytes = 0;
  std::int64_t groupSize = 0; ///< the most work-items that a group can have
};

/// How well groups of one size fill a device.
struct Occupancy {
  int groupsPerUnit = 0;  ///< that a compute unit runs at once
  double ofWorkItems = 0; ///< their work-items, of the most that a unit can hold; 0 to 1
};

/// One kernel of a module.
class Kernel {
public:
  Kernel(const Kernel &) = default;
  Kernel &operator=(const Kernel &) = default;

  const Signature &signature() const;
  const std::string &name() const { return signature().name(); }

  KernelAttributes attributes() const;

  /// For groups of \p groupSize work-items and \p sharedBytes of dynamic shared memory each. Throws
  /// InvalidArgument for sizes below 1 and 0.
  Occupancy occupancy(std::int64_t groupSize, std::int64_t sharedBytes = 0) const;

  /// The size of groups that fills the device best: the kernel's own where it is fixed. Throws
  /// InvalidArgument for a size below 0.
  std::int64_t suggestedGroupSize(std::int64_t sharedBytes = 0) const;

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

  /// Loads \p image for \p context. Throws UnsupportedOnTarget for code of the other kind (host
  /// code on a GPU, device code on the CPU), for a GPU the code was not made for and for a bundle
  /// with nothing for the device, InvalidImage for anything damaged, with the driver's own words
  /// where it gives any.
  static Module load(const Context &context, Image image);

  /// Loads a bundle, PTX, or a binary with the signatures that go with it.
  static Module load(const Context &context, std::string_view bytes,
                     std::vector<std::string> signatures = {});

  /// The kernel called \p name, an instance of a generic one by either of its names ("scale[f32]",
  /// "scale__f32"); throws UnknownKernel, which names the nearest and all there are.
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
