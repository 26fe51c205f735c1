// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Parts.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/SymbolTable.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace spl::codegen {
namespace {

/// Whether the parts have copies of what the operation declares or defines.
bool isCopied(Operation *op) {
  if (op->hasAttr(copiedAttr))
    return true;
  if (auto function = dyn_cast<LLVM::LLVMFuncOp>(op))
    return function.isExternal();
  auto global = dyn_cast<LLVM::GlobalOp>(op);
  return global && !global.getValueOrNull() && global.getInitializerRegion().empty();
}

/// The operations of a module's body, and what each uses of the others.
class Uses {
public:
  explicit Uses(ModuleOp module) {
    for (Operation &op : *module.getBody()) {
      if (auto symbol = dyn_cast<SymbolOpInterface>(op))
        numbers[symbol.getName()] = ops.size();
      ops.push_back(&op);
    }
    for (Operation *op : ops) {
      llvm::SetVector<unsigned> &own = used.emplace_back();
      size_t &size = sizes.emplace_back(0);
      op->walk([&](Operation *inner) {
        ++size;
        if (auto address = dyn_cast<LLVM::AddressOfOp>(inner))
          add(address.getGlobalName(), own);
        else if (auto call = dyn_cast<LLVM::CallOp>(inner); call && call.getCallee())
          add(*call.getCallee(), own);
      });
    }
  }

  std::vector<Operation *> ops;
  std::vector<llvm::SetVector<unsigned>> used; ///< by each operation, as numbers
  std::vector<size_t> sizes;                   ///< the number of operations in each operation

private:
  void add(StringRef name, llvm::SetVector<unsigned> &own) {
    if (auto found = numbers.find(name); found != numbers.end())
      own.insert(found->second);
  }
  llvm::StringMap<unsigned> numbers;
};

/// Which operations are in one part because they use the same definitions.
llvm::IntEqClasses classesOf(const Uses &uses) {
  llvm::IntEqClasses classes(uses.ops.size());
  for (unsigned op = 0; op != uses.ops.size(); ++op)
    if (!isCopied(uses.ops[op]))
      for (unsigned other : uses.used[op])
        if (!isCopied(uses.ops[other]))
          classes.join(op, other);
  classes.compress();
  return classes;
}

/// The number of each operation's part. Operations that are copied have none. Returns the number of
/// parts.
size_t numberParts(const Uses &uses, size_t least, std::vector<size_t> &partOf) {
  constexpr size_t none = SIZE_MAX;
  const llvm::IntEqClasses classes = classesOf(uses);
  std::vector<size_t> sizeOf(classes.getNumClasses()), partOfClass(sizeOf.size(), none);
  for (unsigned op = 0; op != uses.ops.size(); ++op)
    sizeOf[classes[op]] += uses.sizes[op];
  size_t count = 0, size = least;
  for (unsigned op = 0; op != uses.ops.size(); ++op) {
    size_t &part = partOfClass[classes[op]];
    if (!isa<LLVM::LLVMFuncOp>(uses.ops[op]) || isCopied(uses.ops[op]) || part != none)
      continue;
    if (size >= least) {
      ++count;
      size = 0;
    }
    part = count - 1;
    size += sizeOf[classes[op]];
  }
  for (unsigned op = 0; op != uses.ops.size(); ++op) {
    const size_t part = partOfClass[classes[op]];
    partOf.push_back(part == none && !isCopied(uses.ops[op]) ? 0 : part); // 0 if nothing uses it
  }
  return std::max<size_t>(count, 1);
}

Operation *copyOf(Operation &op) {
  Operation *copy = op.clone();
  copy->removeAttr(copiedAttr);
  return copy;
}

/// Adds what the part with that number has copies of.
void addCopies(unsigned op, const Uses &uses, llvm::SetVector<unsigned> &copies) {
  for (unsigned other : uses.used[op])
    if (isCopied(uses.ops[other]) && copies.insert(other))
      addCopies(other, uses, copies);
}

} // namespace

std::vector<OwningOpRef<ModuleOp>> splitModule(ModuleOp module, size_t operations) {
  const Uses uses(module);
  std::vector<size_t> partOf;
  const size_t count = numberParts(uses, operations, partOf);
  std::vector<OwningOpRef<ModuleOp>> parts;
  std::vector<llvm::SetVector<unsigned>> copies(count);
  for (size_t part = 0; part != count; ++part)
    parts.push_back(ModuleOp::create(module.getLoc()));
  for (unsigned op = 0; op != uses.ops.size(); ++op)
    if (!isCopied(uses.ops[op]))
      addCopies(op, uses, copies[partOf[op]]);
  for (unsigned op = 0; op != uses.ops.size(); ++op) {
    if (!isCopied(uses.ops[op])) {
      uses.ops[op]->remove();
      parts[partOf[op]]->getBody()->push_back(uses.ops[op]);
      continue;
    }
    for (size_t part = 0; part != count; ++part)
      if (copies[part].contains(op))
        parts[part]->getBody()->push_back(copyOf(*uses.ops[op]));
  }
  return parts;
}

} // namespace spl::codegen
