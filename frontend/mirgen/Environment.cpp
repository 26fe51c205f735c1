// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/mirgen/Environment.h"
#include "llvm/ADT/STLExtras.h"

using namespace spl::mirgen;

void Environment::set(Slot slot, mlir::Value value) {
  Entry &entry = entries[slot];
  if (!scopes.empty() && entry.scope != scopes.back().id) {
    saved.push_back({slot, entry});
    entry.scope = scopes.back().id;
  }
  entry.value = value;
}

void Environment::enter() { scopes.push_back({++lastId, saved.size()}); }

Environment::Changes Environment::leave() {
  size_t first = scopes.pop_back_val().firstSaved;
  Changes changes;
  for (const Saved &entry : llvm::drop_begin(saved, first)) {
    changes.push_back({entry.slot, entries[entry.slot].value});
    entries[entry.slot] = entry.before;
  }
  saved.erase(saved.begin() + first, saved.end());
  llvm::sort(changes, [](const Change &a, const Change &b) { return a.slot < b.slot; });
  return changes;
}
