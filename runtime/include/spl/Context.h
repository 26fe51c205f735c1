// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A device, opened: where memory comes from and kernels run. Move-only; every call but a move and
/// the end may be made from many threads at once. Arrays, modules and kernels keep the device open
/// by themselves.
///
/// Every call throws Error. After a failure that ends the device's own context (a GPU's trap or a
/// wild access), each later call that reaches the device is DeviceLost and names the first failure;
/// after a fault that the kernel's own checks reported, the context stays usable. In a child made
/// by fork every call, of what was made with it too, is ForkedProcess and destructors touch
/// nothing.
#ifndef SPL_CONTEXT_H
#define SPL_CONTEXT_H

#include <spl/Cxx20.h>

#include <spl/Array.h>
#include <spl/Device.h>
#include <spl/Launch.h>
#include <spl/MemoryPool.h>
#include <spl/Module.h>
#include <spl/Stream.h>

#include <concepts>
#include <functional>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace spl {

class Config;

namespace detail {

/// The element type of a range of the host.
template <typename Source>
using ElementOf =
    std::remove_cv_t<std::remove_reference_t<decltype(*std::data(std::declval<const Source &>()))>>;

/// What holds elements of a device one after another: std::vector, std::array, std::span, a C
/// array.
template <typename Source>
concept ElementSource = requires(const Source &source) {
  requires DeviceElement<ElementOf<Source>>;
  std::span<const ElementOf<Source>>(source);
};

} // namespace detail

/// Where an array's memory is.
enum class MemoryPlace {
  Device,
  Unified, ///< the host and the device both use it
  Pinned,  ///< the host's, which the device can use over the bus
};

/// How a device is opened.
struct ContextOptions {
  /// How many threads run kernels on the CPU at once, for all streams of the context together: 1 to
  /// 65536. More than the machine has counts as all of them. 0 leaves it to the environment's
  /// SPL_CPU_THREADS, without that to the config file's cpu_threads (makeFromConfig), and without
  /// both it is all. Other backends make no use of it.
  int cpuThreads = 0;
};

/// A device, opened.
class Context {
public:
  /// Opens what the environment asks for: SPL_BACKEND (auto, or a backend's name; auto takes the
  /// first that is available) and SPL_DEVICE (an index, 0 if unset). Throws InvalidArgument for an
  /// unknown value, BackendUnavailable for a backend or device that is not there.
  static Context makeDefault(const ContextOptions &options = {});

  /// Opens what the config file asks for (Config::find); what the environment's SPL_BACKEND and
  /// SPL_DEVICE say has no part in it. Where there is no file, or none that decides, the first
  /// backend that is available. Throws as Config::find, and BackendUnavailable, with the file's
  /// line and the devices that are there, for one that is not. Warnings are not shown: a program
  /// that wants them reads the Config itself.
  static Context makeFromConfig();
  static Context makeFromConfig(const Config &config, const ContextOptions &options = {});

  /// Opens device \p device of \p backend. Throws BackendUnavailable with the reason; never takes
  /// another one instead. Throws InvalidArgument if an option is out of range. It and
  /// the two above throw it too if they open the CPU and SPL_CPU_THREADS is not valid.
  static Context make(Backend backend, int device = 0, const ContextOptions &options = {});

  Context(Context &&) noexcept = default;
  Context &operator=(Context &&) noexcept = default;

  Backend backend() const;

  /// The device as it is now, with its free memory. Of the CPU, computeUnits are the threads that
  /// this context may use.
  DeviceInfo device() const;

  /// Memory for a shape, such as 4 or {rows, columns}; its contents are undefined. An extent may be
  /// 0. Throws InvalidArgument for a negative extent or a size beyond 2^63 bytes, OutOfMemory with
  /// what was asked and what is free.
  template <DeviceElement T> Array<T> alloc(const Shape &shape) const {
    return Array<T>(allocBuffer(elementTypeOf<T>(), shape));
  }

  /// As alloc, every element zero.
  template <DeviceElement T> Array<T> allocZeros(const Shape &shape) const {
    Array<T> result = alloc<T>(shape);
    result.fill(T{});
    return result;
  }

  /// An array with a copy of \p source, of rank 1 or of a \p shape with as many elements. The
  /// source is a list, or anything that holds its elements one after another: std::vector,
  /// std::array, std::span, a C array; also a std::vector<bool>. The elements are those of the
  /// source unless T is given: allocUpload(values), allocUpload<float>({1, 2}). Throws as alloc,
  /// and InvalidArgument for a shape of more or fewer elements.
  template <DeviceElement T> Array<T> allocUpload(std::span<const T> source) const {
    return allocUpload<T>(source, source.size());
  }
  template <DeviceElement T>
  Array<T> allocUpload(std::span<const T> source, const Shape &shape) const {
    Array<T> result = alloc<T>(shape);
    result.upload(source);
    return result;
  }
  template <DeviceElement T> Array<T> allocUpload(std::initializer_list<T> source) const {
    return allocUpload<T>(std::span(source.begin(), source.size()));
  }
  template <DeviceElement T>
  Array<T> allocUpload(std::initializer_list<T> source, const Shape &shape) const {
    return allocUpload<T>(std::span(source.begin(), source.size()), shape);
  }
  template <detail::ElementSource Source>
  Array<detail::ElementOf<Source>> allocUpload(const Source &source) const {
    return allocUpload(std::span<const detail::ElementOf<Source>>(source));
  }
  template <detail::ElementSource Source>
  Array<detail::ElementOf<Source>> allocUpload(const Source &source, const Shape &shape) const {
    return allocUpload(std::span<const detail::ElementOf<Source>>(source), shape);
  }
  template <typename Bits>
    requires std::same_as<Bits, std::vector<bool>>
  Array<bool> allocUpload(const Bits &source) const {
    return allocUpload(source, source.size());
  }
  template <typename Bits>
    requires std::same_as<Bits, std::vector<bool>>
  Array<bool> allocUpload(const Bits &source, const Shape &shape) const {
    Array<bool> result = alloc<bool>(shape);
    result.upload(source);
    return result;
  }

  /// As alloc, in memory that the host and the device both use, at the same address: Array::host.
  /// The device's work and the host's must not use it at the same time. Throws UnsupportedOnTarget
  /// where there is no such memory.
  template <DeviceElement T> Array<T> allocUnified(const Shape &shape) const {
    return Array<T>(allocBuffer(elementTypeOf<T>(), shape, MemoryPlace::Unified));
  }

  /// As alloc, in the host's memory, locked there: Array::host. Transfers from and to it run at
  /// full speed and overlap with other work; kernels may use it too, over the bus.
  template <DeviceElement T> Array<T> allocPinned(const Shape &shape) const {
    return Array<T>(allocBuffer(elementTypeOf<T>(), shape, MemoryPlace::Pinned));
  }

  /// As alloc, allocUnified and allocPinned, for an element type known at run time.
  Buffer allocBuffer(const ElementType &element, const Shape &shape,
                     MemoryPlace place = MemoryPlace::Device) const;

  /// Memory that is allocated and freed in the order of streams. Throws UnsupportedOnTarget where
  /// the driver has none.
  MemoryPool makePool(const PoolOptions &options = {}) const;

  /// A new stream. Of those that wait for the device, the one of the higher \p priority goes first,
  /// as far as the device tells priorities apart; 0 is the lowest.
  Stream makeStream(int priority = 0) const;

  /// The stream of every call that names none. Its work is done when such a call returns on the
  /// CPU; on a GPU a launch may still be running.
  Stream defaultStream() const;

  /// A stream of another library, as one of this context: a CUstream or cudaStream_t of the
  /// device's primary context as a number; 0 is the default stream, on every backend. \p release is
  /// called once, on any thread, when the work is done and neither this object nor an array used in
  /// the stream needs it. Do not destroy the stream before that. It is not called where this
  /// throws. Wrap a stream once at a time, and leave the capture of graphs in it to one
  /// library: another's graph does not keep the arrays it uses. Throws InvalidArgument for a stream
  /// of another context, UnsupportedOnTarget for any but 0 on the CPU.
  Stream wrapStream(std::uint64_t native, std::function<void()> release = {}) const;

  Event makeEvent() const;

  /// Whether kernels and copies of this context reach the memory of \p other without the host; lets
  /// them from now on, if the hardware can.
  bool enablePeerAccess(const Context &other) const;

  /// Runs \p kernel over \p config's work-items with arrays and values in the order of its
  /// parameters, or each an Argument with its parameter's name. Scalars must have exactly the
  /// parameter's type, structs its size and alignment.
  ///
  /// Everything is checked before anything starts: InvalidArgument names the parameter and both
  /// types, OverlappingArguments both parameters, LaunchRefused the limit. The CPU has finished
  /// when this returns, and throws KernelFault from here; a GPU may still be running, and reports
  /// from sync or the next transfer.
  template <typename... Args>
    requires detail::SeparateArguments<Args &&...>
  void launch(const Kernel &kernel, const LaunchConfig &config, Args &&...args) const {
    return detail::withArguments(
        [&](std::span<const Argument> list) { launch(kernel, config, list); },
        std::forward<Args>(args)...);
  }

  /// The same with arguments collected at run time.
  void launch(const Kernel &kernel, const LaunchConfig &config,
              std::span<const Argument> arguments) const;

  /// As launch, in \p stream: returns before the kernel has run, on every backend.
  template <typename... Args>
    requires detail::SeparateArguments<Args &&...>
  void launchAsync(const Stream &stream, const Kernel &kernel, const LaunchConfig &config,
                   Args &&...args) const {
    return detail::withArguments(
        [&](std::span<const Argument> list) { launchAsync(stream, kernel, config, list); },
        std::forward<Args>(args)...);
  }
  void launchAsync(const Stream &stream, const Kernel &kernel, const LaunchConfig &config,
                   std::span<const Argument> arguments) const;

  /// Why such a launch runs with all checks: the first condition of the kernel's launch contract
  /// that it does not meet, as Signature::contract() has it. Empty if it meets all, where there is
  /// no contract and for launches without work-items. Checks as launch does, and launches nothing.
  /// The text lasts as long as the kernel.
  template <typename... Args>
    requires detail::SeparateArguments<Args &&...>
  std::string_view unmetCondition(const Kernel &kernel, const LaunchConfig &config,
                                  Args &&...args) const {
    return detail::withArguments(
        [&](std::span<const Argument> list) { return unmetCondition(kernel, config, list); },
        std::forward<Args>(args)...);
  }
  std::string_view unmetCondition(const Kernel &kernel, const LaunchConfig &config,
                                  std::span<const Argument> arguments) const;

  /// Waits for all work of all streams, also of those that have ended; throws the first failure of
  /// it with the number of the others, and InvalidArgument while a stream is being captured.
  void sync() const;

private:
  friend class Buffer; // borrowed memory
  friend class Module;
  explicit Context(std::shared_ptr<detail::BackendContext> opened) : opened(std::move(opened)) {}

  detail::BackendContext &usable() const;
  detail::BackendContext &contextOf(const Kernel &kernel) const;
  void launchIn(detail::BackendStream &stream, const Kernel &kernel, const LaunchConfig &config,
                std::span<const Argument> arguments) const;

  std::shared_ptr<detail::BackendContext> opened;
};

} // namespace spl

#endif
