// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one table behind the handles of the C interface. It shares each object with the calls that
// use it, so that one which is freed meanwhile ends with them. What is no handle of the kind that
// is asked for is Error{InvalidHandle}, with the reason. Used from all threads; never ends, so that
// the process's end touches no object.
#ifndef SPL_RUNTIME_C_HANDLES_H
#define SPL_RUNTIME_C_HANDLES_H

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

namespace spl::capi {

enum class HandleKind : std::uint8_t {
  None = 0, ///< of no object
#define SPL_HANDLE_KIND(NAME, NUMBER, OBJECT, TEXT) NAME = NUMBER,
#include "runtime/c/HandleKinds.def"
};

#define SPL_HANDLE_KIND(NAME, NUMBER, OBJECT, TEXT) struct OBJECT;
#include "runtime/c/HandleKinds.def"

/// The kind that objects of class T are of.
template <typename T> inline constexpr HandleKind kindOf = HandleKind::None;
#define SPL_HANDLE_KIND(NAME, NUMBER, OBJECT, TEXT)                                                \
  template <> inline constexpr HandleKind kindOf<OBJECT> = HandleKind::NAME;
#include "runtime/c/HandleKinds.def"

/// The table itself; the templates below are its types.
std::uint64_t insertObject(HandleKind kind, std::shared_ptr<void> object);
std::shared_ptr<void> findObject(HandleKind kind, std::uint64_t handle);
std::shared_ptr<void> removeObject(HandleKind kind, std::uint64_t handle);
std::size_t countObjects() noexcept;

/// A handle of \p object, which a caller frees.
template <typename T> std::uint64_t makeHandle(std::shared_ptr<T> object) {
  return insertObject(kindOf<T>, std::move(object));
}

/// The object behind \p handle, for as long as a call takes.
template <typename T> std::shared_ptr<T> object(std::uint64_t handle) {
  return std::static_pointer_cast<T>(findObject(kindOf<T>, handle));
}

/// Takes \p handle out of the table. The object ends when the last call that uses it does.
template <typename T> void freeHandle(std::uint64_t handle) { removeObject(kindOf<T>, handle); }

/// What an object has that only one call at a time may use.
struct OneAtATime {
  std::atomic<bool> busy{false};
};

[[noreturn]] void refuseBusy(HandleKind kind);

/// An object for the length of one call, which no other call gets meanwhile: Error{HandleInUse}
/// where one has it.
template <typename T> class Sole {
public:
  explicit Sole(std::uint64_t handle) : held(object<T>(handle)) {
    if (held->busy.exchange(true, std::memory_order_acquire))
      refuseBusy(kindOf<T>);
  }
  ~Sole() { held->busy.store(false, std::memory_order_release); }
  Sole(const Sole &) = delete;
  Sole &operator=(const Sole &) = delete;

  T *operator->() const { return held.get(); }

private:
  std::shared_ptr<T> held;
};

} // namespace spl::capi

#endif
