// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles of the driver and the objects behind them. No value is used twice, not even for two kinds
// of objects. A stale handle, or one of another kind, therefore has no object.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

namespace spl::fake {

/// A new handle. It is not the address of any object.
inline void *newHandle() {
  static std::uintptr_t last = 0x5000'0000'0000;
  last += 64;
  return reinterpret_cast<void *>(last);
}

template <typename Handle, typename Object> class Handles {
public:
  Handle add(std::shared_ptr<Object> object) {
    auto handle = static_cast<Handle>(newHandle());
    objects.emplace(handle, std::move(object));
    return handle;
  }
  /// The object behind \p handle, or null.
  std::shared_ptr<Object> find(Handle handle) const {
    auto found = objects.find(handle);
    return found == objects.end() ? nullptr : found->second;
  }
  bool erase(Handle handle) { return objects.erase(handle) != 0; }
  template <typename Condition> void eraseIf(Condition condition) {
    std::erase_if(objects, [&](const auto &entry) { return condition(*entry.second); });
  }
  void clear() { objects.clear(); }

  std::size_t size() const { return objects.size(); }
  auto begin() const { return objects.begin(); }
  auto end() const { return objects.end(); }

private:
  std::map<Handle, std::shared_ptr<Object>> objects;
};

} // namespace spl::fake
