// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/c/Handles.h"

#include "spl/Error.h"

#include <cstdio>
#include <limits>
#include <mutex>
#include <pthread.h>
#include <string>
#include <vector>

namespace spl::capi {
namespace {

/// The parts of a handle: the kind in the upper 8 bits, the generation of its slot in the next 24
/// bits, and the slot's number in the lower 32 bits. Kinds are small, so a handle is positive as a
/// signed number too.
struct Parts {
  HandleKind kind;
  std::uint32_t generation;
  std::uint32_t slot;

  static Parts of(std::uint64_t handle) {
    return {static_cast<HandleKind>(handle >> 56),
            static_cast<std::uint32_t>(handle >> 32) & lastGeneration,
            static_cast<std::uint32_t>(handle)};
  }
  std::uint64_t handle() const {
    return static_cast<std::uint64_t>(kind) << 56 | static_cast<std::uint64_t>(generation) << 32 |
           slot;
  }

  static constexpr std::uint32_t lastGeneration = 0xffffff;
};

struct Slot {
  std::shared_ptr<void> object; ///< null while the slot is free
  HandleKind kind = HandleKind::None;
  /// The generation of the current or the last object; 0 if there was none.
  std::uint32_t generation = 0;
};

struct Table {
  std::mutex mutex;
  std::vector<Slot> slots;
  std::vector<std::uint32_t> freeSlots;
  std::size_t live = 0;
};

/// The table, which the first call makes. fork waits until no other thread uses the table, so that
/// the child can use it.
Table &table() {
  static Table *const made = [] {
    pthread_atfork([] { table().mutex.lock(); }, [] { table().mutex.unlock(); },
                   [] { table().mutex.unlock(); });
    return new Table;
  }();
  return *made;
}

/// The name of a kind in messages; null if the number is no kind.
const char *nameOf(HandleKind kind) {
  switch (kind) {
  case HandleKind::None:
    return nullptr;
#define SPL_HANDLE_KIND(NAME, NUMBER, OBJECT, TEXT)                                                \
  case HandleKind::NAME:                                                                           \
    return TEXT;
#include "runtime/c/HandleKinds.def"
  }
  return nullptr;
}

std::string described(HandleKind kind) {
  const std::string name = nameOf(kind);
  return (name == "array" || name == "event" ? "an " : "a ") + name;
}

[[noreturn]] void refuse(HandleKind expected, std::uint64_t handle, bool wasFreed) {
  const Parts parts = Parts::of(handle);
  char number[32];
  std::snprintf(number, sizeof number, "0x%016llx", static_cast<unsigned long long>(handle));
  ErrorInfo info{.code = ErrorCode::InvalidHandle};
  if (handle == 0)
    info.message = "expected " + described(expected) + ", got the handle 0, which is none";
  else if (!nameOf(parts.kind) || (!wasFreed && parts.kind == expected))
    info.message = "expected " + described(expected) + ", got " + number + ", which is no handle";
  else if (parts.kind != expected)
    info.message =
        "expected " + described(expected) + ", got the " + nameOf(parts.kind) + " handle " + number;
  else
    info.message = std::string("the ") + nameOf(expected) + " handle " + number + " was freed";
  throw Error(std::move(info));
}

/// Returns the slot of \p handle. Throws InvalidHandle if there is none. The caller holds the
/// mutex.
Slot &slotOf(Table &table, HandleKind expected, std::uint64_t handle) {
  const Parts parts = Parts::of(handle);
  const bool isNumbered = parts.slot < table.slots.size() && parts.generation != 0;
  if (!isNumbered || parts.generation > table.slots[parts.slot].generation)
    refuse(expected, handle, /*wasFreed=*/false);
  Slot &slot = table.slots[parts.slot];
  if (!slot.object || slot.generation != parts.generation)
    refuse(expected, handle, /*wasFreed=*/true);
  if (slot.kind != expected || parts.kind != expected)
    refuse(expected, handle, /*wasFreed=*/false);
  return slot;
}

} // namespace

std::uint64_t insertObject(HandleKind kind, std::shared_ptr<void> object) {
  Table &all = table();
  std::lock_guard lock(all.mutex);
  if (all.freeSlots.empty()) {
    if (all.slots.size() > std::numeric_limits<std::uint32_t>::max())
      throw Error({.code = ErrorCode::OutOfMemory, .message = "out of handles"});
    all.freeSlots.reserve(all.slots.size() + 1); // so that freeing a handle never allocates memory
    all.slots.emplace_back();
    all.freeSlots.push_back(static_cast<std::uint32_t>(all.slots.size() - 1));
  }
  const std::uint32_t number = all.freeSlots.back();
  all.freeSlots.pop_back();
  Slot &slot = all.slots[number];
  slot.object = std::move(object);
  slot.kind = kind;
  ++slot.generation;
  ++all.live;
  return Parts{kind, slot.generation, number}.handle();
}

std::shared_ptr<void> findObject(HandleKind kind, std::uint64_t handle) {
  Table &all = table();
  std::lock_guard lock(all.mutex);
  return slotOf(all, kind, handle).object;
}

std::shared_ptr<void> removeObject(HandleKind kind, std::uint64_t handle) {
  Table &all = table();
  std::lock_guard lock(all.mutex);
  Slot &slot = slotOf(all, kind, handle);
  // A slot that has used all generations is never used again.
  if (slot.generation != Parts::lastGeneration)
    all.freeSlots.push_back(Parts::of(handle).slot);
  --all.live;
  return std::move(slot.object);
}

std::size_t countObjects() noexcept {
  Table &all = table();
  std::lock_guard lock(all.mutex);
  return all.live;
}

void refuseBusy(HandleKind kind) {
  throw Error({.code = ErrorCode::HandleInUse,
               .message = "another call uses the " + std::string(nameOf(kind)) + " now",
               .hint = "use it from one thread at a time, and not from its own functions"});
}

} // namespace spl::capi
