// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The names of one function: a stack of blocks over a hash map, so that finding, declaring and
// leaving cost the same however many names there are. The locals belong to the Program's arena.
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
  /// The symbols of the innermost block, in the order of their declarations.
  llvm::ArrayRef<Symbol> innermost() const;

  /// The symbol the name means here, or null.
  Symbol *find(StringRef name);
  /// The same, of the innermost block only.
  Symbol *findInBlock(StringRef name);
  /// Hides an outer symbol of that name until the block ends.
  void declare(const Symbol &symbol);

  /// Everything declared so far in the open blocks, outermost first.
  llvm::ArrayRef<Symbol> visible() const { return symbols; }

private:
  static constexpr unsigned none = -1;
  std::vector<Symbol> symbols;
  std::vector<unsigned> hidden; ///< beside symbols: the index of what each one hides, or none
  std::vector<size_t> blocks;   ///< where each open block begins in symbols
  llvm::DenseMap<StringRef, unsigned> indices;
};

} // namespace spl::sema
