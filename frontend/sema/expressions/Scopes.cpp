// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/Scopes.h"

namespace spl::sema {

void Scopes::leave() {
  while (symbols.size() > blocks.back()) {
    if (hidden.back() == none)
      indices.erase(symbols.back().local->name);
    else
      indices[symbols.back().local->name] = hidden.back();
    symbols.pop_back();
    hidden.pop_back();
  }
  blocks.pop_back();
}

llvm::ArrayRef<Symbol> Scopes::innermost() const {
  return llvm::ArrayRef(symbols).drop_front(blocks.back());
}

Symbol *Scopes::find(StringRef name) {
  auto found = indices.find(name);
  return found == indices.end() ? nullptr : &symbols[found->second];
}

Symbol *Scopes::findInBlock(StringRef name) {
  auto found = indices.find(name);
  if (found == indices.end() || found->second < blocks.back())
    return nullptr;
  return &symbols[found->second];
}

void Scopes::declare(const Symbol &symbol) {
  auto [entry, isNew] = indices.try_emplace(symbol.local->name, symbols.size());
  hidden.push_back(isNew ? none : entry->second);
  entry->second = symbols.size();
  symbols.push_back(symbol);
}

} // namespace spl::sema
