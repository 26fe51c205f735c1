// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles that the driver gives out and the objects they represent. No value is given twice and no
// two kinds share one, so that what is stale or of another kind is found to be nothing.
#pragma once

#include <cstdint>
#include <map>
#include <memory>

namespace spl::fake {

/// A value that nobody has; nothing lies at that address.
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
  /// Null if there is none.
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
