// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A context is an open device. It allocates memory and runs kernels. It is move-only. Many threads
/// may use a context at once, except for moves and the destructor. Arrays, modules and kernels keep
/// the device open, so they may outlive the context.
///
/// A call that fails throws Error.
///
/// - A sticky error, such as a GPU's trap or an access to unmapped memory, makes the context
///   unusable. Each later call that reaches the device throws DeviceLost with the first error's
///   message.
/// - A fault that a kernel's own checks report is not sticky, except on CUDA (Stream.h).
/// - In a child process made by fork, every call on the context and its objects throws
///   ForkedProcess. Destructors in the child do nothing.
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
#include <optional>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace spl {

class Config;

namespace detail {

/// The element type of a range in host memory.
template <typename Source>
using ElementOf =
    std::remove_cv_t<std::remove_reference_t<decltype(*std::data(std::declval<const Source &>()))>>;

/// A contiguous range of device elements: std::vector, std::array, std::span, a C array.
template <typename Source>
concept ElementSource = requires(const Source &source) {
  requires DeviceElement<ElementOf<Source>>;
  std::span<const ElementOf<Source>>(source);
};

} // namespace detail

/// The kind of an array's memory.
enum class MemoryPlace {
  Device,
  Unified, ///< used by the host and by the device
  Pinned,  ///< host memory that the device can use over the bus
};

/// How a device is opened.
struct ContextOptions {
  /// The maximum number of threads that run kernels on the CPU at once, for all streams of the
  /// context together: 1 to 65536. Numbers beyond the machine's threads mean all of them. With 0,
  /// the environment variable SPL_CPU_THREADS decides, else the config file's cpu_threads
  /// (makeFromConfig), else all threads are used. Other backends ignore this option.
  int cpuThreads = 0;
};

/// An open device.
class Context {
public:
  /// Opens the device that the environment names: SPL_BACKEND (a backend's name, or auto for the
  /// first one that is available) and SPL_DEVICE (an index, 0 if unset). Throws InvalidArgument for
  /// an unknown value, and BackendUnavailable for a backend or device that does not exist here.
  static Context makeDefault(const ContextOptions &options = {});

  /// Opens the device that the config file names (Config::find), or the first backend that is
  /// available if there is no file or the file names none. Ignores SPL_BACKEND and SPL_DEVICE.
  /// Throws what Config::find throws. Throws BackendUnavailable if the device does not exist; the
  /// message has the file's line and the devices that exist. Prints no warnings: a program that
  /// shows them reads the Config itself.
  static Context makeFromConfig();
  static Context makeFromConfig(const Config &config, const ContextOptions &options = {});

  /// Opens device \p device of \p backend, and never another device instead. Throws
  /// BackendUnavailable with the reason if it cannot be opened, and InvalidArgument if an option is
  /// out of range. All functions that open the CPU throw InvalidArgument if SPL_CPU_THREADS is not
  /// valid.
  static Context make(Backend backend, int device = 0, const ContextOptions &options = {});

  Context(Context &&) noexcept = default;
  Context &operator=(Context &&) noexcept = default;

  Backend backend() const;

  /// Describes the device at the moment of the call, with its free memory. On the CPU, computeUnits
  /// is the number of threads that this context may use.
  DeviceInfo device() const;

  /// Allocates an array of a shape, such as 4 or {rows, columns}. Its contents are undefined. An
  /// extent may be 0. Throws InvalidArgument for a negative extent or a size beyond 2^63 bytes, and
  /// OutOfMemory with the requested and the free size.
  template <DeviceElement T> Array<T> alloc(const Shape &shape) const {
    return Array<T>(allocBuffer(elementTypeOf<T>(), shape));
  }

  /// As alloc, and sets every element to zero.
  template <DeviceElement T> Array<T> allocZeros(const Shape &shape) const {
    Array<T> result = alloc<T>(shape);
    result.fill(T{});
    return result;
  }

  /// Allocates an array and copies \p source into it. The array has rank 1, or \p shape, which must
  /// have the same number of elements. The source is a list, a contiguous range (std::vector,
  /// std::array, std::span, a C array) or a std::vector<bool>. The element type is the source's
  /// unless T is given: allocUpload(values), allocUpload<float>({1, 2}). Throws what alloc throws,
  /// and InvalidArgument if the numbers of elements differ.
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

  /// As alloc, in memory that the host and the device access at the same address (Array::host), but
  /// not at the same time. Throws UnsupportedOnTarget if the device has no such memory.
  template <DeviceElement T> Array<T> allocUnified(const Shape &shape) const {
    return Array<T>(allocBuffer(elementTypeOf<T>(), shape, MemoryPlace::Unified));
  }

  /// As alloc, in page-locked host memory (Array::host). Transfers from and to it run at full speed
  /// and overlap with other work. Kernels can access it over the bus.
  template <DeviceElement T> Array<T> allocPinned(const Shape &shape) const {
    return Array<T>(allocBuffer(elementTypeOf<T>(), shape, MemoryPlace::Pinned));
  }

  /// As alloc, allocUnified and allocPinned, for an element type known at run time.
  Buffer allocBuffer(const ElementType &element, const Shape &shape,
                     MemoryPlace place = MemoryPlace::Device) const;

  /// Makes a pool of memory that is allocated and freed in the order of streams. Throws
  /// UnsupportedOnTarget if the driver has no pools.
  MemoryPool makePool(const PoolOptions &options = {}) const;

  /// Makes a stream. If the device supports priorities, waiting work of the stream with the higher
  /// \p priority runs first. 0 is the lowest priority.
  Stream makeStream(int priority = 0) const;

  /// The default stream, which calls without a stream argument use. On the CPU such a call returns
  /// when its work is done. On a GPU a launch may still be running.
  Stream defaultStream() const;

  /// Makes a Stream of another library's stream. \p native is a CUstream or cudaStream_t of the
  /// device's primary context as a number. 0 is the default stream on every backend.
  ///
  /// - The native stream must stay valid as long as the Stream exists or an array that was used in
  ///   the stream needs it. After that, \p release is called, once and on any thread. \p release is
  ///   not called if this function throws.
  /// - A native stream may have only one Stream at a time. Only one library may capture graphs in
  ///   it, because a graph of another library does not keep the memory of this library's arrays.
  ///
  /// Throws InvalidArgument for a stream of another context. On the CPU, throws UnsupportedOnTarget
  /// for any number other than 0.
  Stream wrapStream(std::uint64_t native, std::function<void()> release = {}) const;

  Event makeEvent() const;

  /// Lets kernels and copies of this context access the memory of \p other directly. Returns false
  /// if the hardware does not support that.
  bool enablePeerAccess(const Context &other) const;

  /// Runs \p kernel over the work-items of \p config. Pass arrays and values in the order of the
  /// parameters, or an Argument with a name for each parameter. A scalar must have exactly the
  /// parameter's type. A struct must have the parameter's size and alignment.
  ///
  /// All arguments are checked before the kernel starts. Throws:
  ///
  /// - InvalidArgument for an argument that does not fit its parameter; the message names the
  ///   parameter and both types
  /// - OverlappingArguments for two arguments that share memory; the message names both parameters
  /// - LaunchRefused for a geometry beyond the device's limits; the message names the limit
  /// - KernelFault for a failed check in the kernel, on the CPU
  ///
  /// On the CPU the kernel has finished when this returns. On a GPU the kernel may still be
  /// running, so sync or the next transfer throws KernelFault.
  template <typename... Args>
    requires detail::SeparateArguments<Args &&...>
  void launch(const Kernel &kernel, const LaunchConfig &config, Args &&...args) const {
    return detail::withArguments(
        [&](std::span<const Argument> list) { launch(kernel, config, list); },
        std::forward<Args>(args)...);
  }

  /// As above, with a list of arguments that is built at run time.
  void launch(const Kernel &kernel, const LaunchConfig &config,
              std::span<const Argument> arguments) const;

  /// As launch, in \p stream. Returns before the kernel has run, on every backend.
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

  /// Returns the first condition of the kernel's launch contract (Signature::contract()) that a
  /// launch with these arguments does not meet. Such a launch runs with some or all of the
  /// lifted checks. Returns an empty text if the launch meets all conditions, if there is no
  /// contract, or if there are no work-items. Checks the arguments as launch does, but launches
  /// nothing. The text is valid as long as \p kernel.
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

  /// The same condition with the values of the launch, and what would meet it. Empty if the launch
  /// meets all conditions. It is for people, and much slower than a launch.
  template <typename... Args>
    requires detail::SeparateArguments<Args &&...>
  std::optional<UnmetContract> unmetContract(const Kernel &kernel, const LaunchConfig &config,
                                             Args &&...args) const {
    return detail::withArguments(
        [&](std::span<const Argument> list) { return unmetContract(kernel, config, list); },
        std::forward<Args>(args)...);
  }
  std::optional<UnmetContract> unmetContract(const Kernel &kernel, const LaunchConfig &config,
                                             std::span<const Argument> arguments) const;

  /// Waits for all work of all streams, including streams that were destroyed. Throws the first
  /// asynchronous error, with the number of the others. Throws InvalidArgument during a capture.
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
