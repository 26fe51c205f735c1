// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The current SSA value of each local. When a scope ends, it returns the assignments made inside it
// and restores the values from before. The time depends only on the number of those assignments.
// Owns its tables; cannot fail.
#pragma once

#include "frontend/mirgen/FunctionFacts.h"
#include "mlir/IR/Value.h"

namespace spl::mirgen {

class Environment {
public:
  struct Change {
    Slot slot;
    mlir::Value value; ///< the local's value when the scope ended
  };
  using Changes = llvm::SmallVector<Change, 4>;

  explicit Environment(unsigned slotCount) : entries(slotCount) {}

  /// Null for a local that is not declared here.
  mlir::Value get(Slot slot) const { return entries[slot].value; }
  void set(Slot slot, mlir::Value value);

  void enter();
  /// Ends the innermost scope: restores the values from before it and returns the changed ones,
  /// sorted by slot.
  Changes leave();

private:
  struct Entry {
    mlir::Value value;
    unsigned scope = 0; ///< the scope that assigned the value; 0 if none did
  };
  struct Saved {
    Slot slot;
    Entry before;
  };
  struct Scope {
    unsigned id;
    size_t firstSaved;
  };

  std::vector<Entry> entries;
  std::vector<Saved> saved;
  llvm::SmallVector<Scope> scopes;
  unsigned lastId = 0;
};

} // namespace spl::mirgen
