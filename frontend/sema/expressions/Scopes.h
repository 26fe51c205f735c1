// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The local names of one function: a stack of blocks and a hash map. The time of each operation
// does not depend on the number of names. The Program's arena owns the locals.
#pragma once

#include "frontend/sema/Program.h"
#include <vector>

namespace spl::sema {

enum class SymbolKind : uint8_t { Val, Var, Parameter, LoopVariable };

struct Symbol {
  const Local *local;
  SymbolKind kind;
  bool isRead = false;
};

class Scopes {
public:
  void enter() { blocks.push_back(symbols.size()); }
  void leave();
  /// The symbols of the innermost block, in the order of declaration.
  llvm::ArrayRef<Symbol> innermost() const;

  /// The symbol called `name`, or null.
  Symbol *find(StringRef name);
  /// As find, in the innermost block only.
  Symbol *findInBlock(StringRef name);
  /// Hides an outer symbol of that name until the block is left.
  void declare(const Symbol &symbol);

  /// All symbols in the open blocks, outermost first.
  llvm::ArrayRef<Symbol> visible() const { return symbols; }

private:
  static constexpr unsigned none = -1;
  std::vector<Symbol> symbols;
  std::vector<unsigned> hidden; ///< by symbol: the index of the symbol that it hides, or none
  std::vector<size_t> blocks;   ///< the index of the first symbol of each open block
  llvm::DenseMap<StringRef, unsigned> indices;
};

} // namespace spl::sema
