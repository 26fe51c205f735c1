// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
/// \file
/// A context: an open device, which gives memory and runs kernels. Move-only. All calls but moves
/// and the destructor may be made from many threads at once. Arrays, modules and kernels keep the
/// device open themselves.
///
/// Every call throws Error.
///
/// - A sticky error ends the device's own context: a GPU's trap or an access to unmapped memory.
///   Each later call that reaches the device throws DeviceLost with the first error's message.
/// - After a fault that the kernel's own checks report, the context stays usable.
/// - In a child made by fork, every call to the context and to its objects throws ForkedProcess,
///   and destructors touch nothing.
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

/// A contiguous range of device elements: std::vector, std::array, std::span, a C array.
template <typename Source>
concept ElementSource = requires(const Source &source) {
  requires DeviceElement<ElementOf<Source>>;
  std::span<const ElementOf<Source>>(source);
};

} // namespace detail

/// Where an array's memory is.
enum class MemoryPlace {
  Device,
  Unified, ///< used by the host and by the device
  Pinned,  ///< of the host; the device can use it over the bus
};

/// How a device is opened.
struct ContextOptions {
  /// How many threads run kernels on the CPU at once, for all streams of the context together: 1 to
  /// 65536. At most all threads of the machine are used. 0 takes the environment variable
  /// SPL_CPU_THREADS, else the config file's cpu_threads (makeFromConfig), else all threads. Other
  /// backends ignore it.
  int cpuThreads = 0;
};

/// An open device.
class Context {
public:
  /// Opens the device that the environment names: SPL_BACKEND (a backend's name, or auto for the
  /// first one that is available) and SPL_DEVICE (an index, 0 if unset). Throws InvalidArgument for
  /// an unknown value, BackendUnavailable for a backend or device that is not there.
  static Context makeDefault(const ContextOptions &options = {});

  /// Opens the device that the config file names (Config::find), or the first backend that is
  /// available if there is no file or the file names none. Ignores SPL_BACKEND and SPL_DEVICE.
  /// Throws as Config::find does, and BackendUnavailable, with the file's line and the devices that
  /// are there, for a device that is not. Prints no warnings: a program that shows them reads the
  /// Config itself.
  static Context makeFromConfig();
  static Context makeFromConfig(const Config &config, const ContextOptions &options = {});

  /// Opens device \p device of \p backend, and never another device instead. Throws
  /// BackendUnavailable with the reason, and InvalidArgument if an option is out of range. All
  /// functions that open the CPU throw InvalidArgument if SPL_CPU_THREADS is not valid.
  static Context make(Backend backend, int device = 0, const ContextOptions &options = {});

  Context(Context &&) noexcept = default;
  Context &operator=(Context &&) noexcept = default;

  Backend backend() const;

  /// The device as it is now, with its free memory. On the CPU, computeUnits is the number of
  /// threads that this context may use.
  DeviceInfo device() const;

  /// An array of a shape, such as 4 or {rows, columns}. Its contents are undefined. An extent may
  /// be 0. Throws InvalidArgument for a negative extent or a size beyond 2^63 bytes, and
  /// OutOfMemory with the requested and the free size.
  template <DeviceElement T> Array<T> alloc(const Shape &shape) const {
    return Array<T>(allocBuffer(elementTypeOf<T>(), shape));
  }

  /// As alloc, with every element zero.
  template <DeviceElement T> Array<T> allocZeros(const Shape &shape) const {
    Array<T> result = alloc<T>(shape);
    result.fill(T{});
    return result;
  }

  /// An array with a copy of \p source, of rank 1 or of a \p shape with the same number of
  /// elements. The source is a list or a contiguous range: std::vector, std::array, std::span, a C
  /// array; also a std::vector<bool>. The element type is the source's unless T is given:
  /// allocUpload(values), allocUpload<float>({1, 2}). Throws as alloc does, and InvalidArgument for
  /// a shape with another number of elements.
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

  /// As alloc, in memory that the host and the device use at the same address (Array::host), but
  /// not at the same time. Throws UnsupportedOnTarget if the device has no such memory.
  template <DeviceElement T> Array<T> allocUnified(const Shape &shape) const {
    return Array<T>(allocBuffer(elementTypeOf<T>(), shape, MemoryPlace::Unified));
  }

  /// As alloc, in page-locked memory of the host (Array::host). Transfers from and to it run at
  /// full speed and overlap with other work. Kernels can use it over the bus.
  template <DeviceElement T> Array<T> allocPinned(const Shape &shape) const {
    return Array<T>(allocBuffer(elementTypeOf<T>(), shape, MemoryPlace::Pinned));
  }

  /// As alloc, allocUnified and allocPinned, for an element type known at run time.
  Buffer allocBuffer(const ElementType &element, const Shape &shape,
                     MemoryPlace place = MemoryPlace::Device) const;

  /// A pool of memory that is allocated and freed in the order of streams. Throws
  /// UnsupportedOnTarget if the driver has none.
  MemoryPool makePool(const PoolOptions &options = {}) const;

  /// A new stream. Of the streams that wait for the device, the one with the higher \p priority
  /// runs first, if the device distinguishes priorities. 0 is the lowest priority.
  Stream makeStream(int priority = 0) const;

  /// The stream of every call without a stream argument. On the CPU its work is done when the call
  /// returns; on a GPU a launch may still be running.
  Stream defaultStream() const;

  /// A stream of another library as a stream of this context: a CUstream or cudaStream_t of the
  /// device's primary context as a number; 0 is the default stream on every backend.
  ///
  /// - \p release is called once, on any thread, when the work is done and neither this object nor
  ///   an array used in the stream needs the stream. Do not destroy the stream before that. It is
  ///   not called if this function throws.
  /// - Wrap a stream once at a time. Only one library may capture graphs in it: a graph of another
  ///   library does not keep the arrays it uses.
  ///
  /// Throws InvalidArgument for a stream of another context, UnsupportedOnTarget on the CPU for any
  /// number but 0.
  Stream wrapStream(std::uint64_t native, std::function<void()> release = {}) const;

  Event makeEvent() const;

  /// Enables direct access of kernels and copies of this context to the memory of \p other. Returns
  /// whether the hardware supports it.
  bool enablePeerAccess(const Context &other) const;

  /// Runs \p kernel over \p config's work-items. The arguments are arrays and values in the order
  /// of the parameters, or an Argument with the parameter's name each. A scalar must have exactly
  /// the parameter's type, a struct its size and alignment.
  ///
  /// All arguments are checked before the kernel starts: InvalidArgument names the parameter and
  /// both types, OverlappingArguments both parameters, LaunchRefused the limit. On the CPU the
  /// kernel has finished when this returns, and this throws KernelFault. On a GPU it may still be
  /// running; sync or the next transfer throws.
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

  /// The first condition of the kernel's launch contract that such a launch does not meet, as in
  /// Signature::contract(). Because of it the launch runs with all checks. Empty if the launch
  /// meets all conditions, if there is no contract, and for a launch without work-items. Checks the
  /// arguments as launch does, and launches nothing. The text lives as long as the kernel.
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

  /// Waits for all work of all streams, including streams that have ended. Throws the first
  /// asynchronous error with the number of the others, and InvalidArgument during a capture.
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
