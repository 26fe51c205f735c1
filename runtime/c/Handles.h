// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of the handles of the C interface and their objects. A call shares ownership of the
// objects that it uses, so an object that is freed meanwhile is destroyed after the call. A lookup
// throws InvalidHandle with the reason if a number is no handle of the expected kind. All threads
// may use the table at once. The table is never destroyed, so no object is destroyed at the end of
// the process.
#ifndef SPL_RUNTIME_C_HANDLES_H
#define SPL_RUNTIME_C_HANDLES_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace spl::capi {

enum class HandleKind : std::uint8_t {
  None = 0, ///< no object has it
#define SPL_HANDLE_KIND(NAME, NUMBER, OBJECT, TEXT) NAME = NUMBER,
#include "runtime/c/HandleKinds.def"
};

#define SPL_HANDLE_KIND(NAME, NUMBER, OBJECT, TEXT) struct OBJECT;
#include "runtime/c/HandleKinds.def"

/// The kind of objects of class T.
template <typename T> inline constexpr HandleKind kindOf = HandleKind::None;
#define SPL_HANDLE_KIND(NAME, NUMBER, OBJECT, TEXT)                                                \
  template <> inline constexpr HandleKind kindOf<OBJECT> = HandleKind::NAME;
#include "runtime/c/HandleKinds.def"

/// The functions of the table. The templates below add types to them.
std::uint64_t insertObject(HandleKind kind, std::shared_ptr<void> object);
std::shared_ptr<void> findObject(HandleKind kind, std::uint64_t handle);
std::shared_ptr<void> removeObject(HandleKind kind, std::uint64_t handle);
std::size_t countObjects() noexcept;

/// Returns a new handle of \p object. The C program frees it.
template <typename T> std::uint64_t makeHandle(std::shared_ptr<T> object) {
  return insertObject(kindOf<T>, std::move(object));
}

/// Returns the object of \p handle.
template <typename T> std::shared_ptr<T> object(std::uint64_t handle) {
  return std::static_pointer_cast<T>(findObject(kindOf<T>, handle));
}

/// Removes \p handle from the table. The object is destroyed when the last call that uses it has
/// returned.
template <typename T> void freeHandle(std::uint64_t handle) { removeObject(kindOf<T>, handle); }

/// The base class of objects that only one call at a time may use.
struct OneAtATime {
  std::atomic<bool> busy{false};
};

[[noreturn]] void refuseBusy(HandleKind kind);

/// The exclusive use of an object for the duration of one call. The constructor throws HandleInUse
/// if another call uses the object.
template <typename T> class ExclusiveUse {
public:
  explicit ExclusiveUse(std::uint64_t handle) : held(object<T>(handle)) {
    if (held->busy.exchange(true, std::memory_order_acquire))
      refuseBusy(kindOf<T>);
  }
  ~ExclusiveUse() { held->busy.store(false, std::memory_order_release); }
  ExclusiveUse(const ExclusiveUse &) = delete;
  ExclusiveUse &operator=(const ExclusiveUse &) = delete;

  T *operator->() const { return held.get(); }

private:
  std::shared_ptr<T> held;
};

} // namespace spl::capi

#endif
