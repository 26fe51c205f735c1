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

/// What the operations of one class are together.
struct Class {
  size_t size = 0;        ///< the number of operations in them
  size_t functions = 0;   ///< the number of functions that the module exports
  llvm::StringRef later;  ///< the value of laterAttr, or ""
  size_t part = SIZE_MAX; ///< the number of the part, or SIZE_MAX

  bool isLater() const { return !later.empty() && functions == 1; }
};

std::vector<Class> describe(const Uses &uses, const llvm::IntEqClasses &classes) {
  std::vector<Class> result(classes.getNumClasses());
  for (unsigned op = 0; op != uses.ops.size(); ++op) {
    Class &own = result[classes[op]];
    own.size += uses.sizes[op];
    auto function = dyn_cast<LLVM::LLVMFuncOp>(uses.ops[op]);
    own.functions += function && function.getLinkage() == LLVM::Linkage::External;
    if (auto later = uses.ops[op]->getAttrOfType<StringAttr>(laterAttr))
      own.later = later.getValue();
  }
  return result;
}

/// The number of each operation's part. Operations that are copied have none.
struct Numbers {
  std::vector<size_t> partOf;
  std::vector<std::string> laters; ///< Part::later of each part
};

Numbers numberParts(const Uses &uses, size_t least, bool hasLater) {
  const llvm::IntEqClasses classes = classesOf(uses);
  std::vector<Class> known = describe(uses, classes);
  Numbers numbers;
  size_t size = least, current = 0; // of the part that is being filled
  for (unsigned op = 0; op != uses.ops.size(); ++op) {
    Class &own = known[classes[op]];
    if (!isa<LLVM::LLVMFuncOp>(uses.ops[op]) || isCopied(uses.ops[op]) || own.part != SIZE_MAX)
      continue;
    if (hasLater && own.isLater()) {
      own.part = numbers.laters.size();
      numbers.laters.push_back(own.later.str());
      continue;
    }
    if (size >= least) {
      current = numbers.laters.size();
      numbers.laters.emplace_back();
      size = 0;
    }
    own.part = current;
    size += own.size;
  }
  if (numbers.laters.empty())
    numbers.laters.emplace_back();
  for (unsigned op = 0; op != uses.ops.size(); ++op) {
    const size_t part = known[classes[op]].part;
    // No function uses a definition without a part, so any part may have it.
    const bool isUnused = part == SIZE_MAX && !isCopied(uses.ops[op]);
    numbers.partOf.push_back(isUnused ? 0 : part);
  }
  return numbers;
}

Operation *copyOf(Operation &op) {
  Operation *copy = op.clone();
  copy->removeAttr(copiedAttr);
  return copy;
}

/// Adds the numbers of the copied definitions that operation \p op uses, also through one another.
void addCopies(unsigned op, const Uses &uses, llvm::SetVector<unsigned> &copies) {
  for (unsigned other : uses.used[op])
    if (isCopied(uses.ops[other]) && copies.insert(other))
      addCopies(other, uses, copies);
}

} // namespace

std::vector<Part> splitModule(ModuleOp module, size_t operations, bool hasLater) {
  const Uses uses(module);
  const Numbers numbers = numberParts(uses, operations, hasLater);
  std::vector<Part> parts;
  std::vector<llvm::SetVector<unsigned>> copies(numbers.laters.size());
  for (const std::string &later : numbers.laters)
    parts.push_back({ModuleOp::create(module.getLoc()), later});
  for (unsigned op = 0; op != uses.ops.size(); ++op)
    if (!isCopied(uses.ops[op]))
      addCopies(op, uses, copies[numbers.partOf[op]]);
  for (unsigned op = 0; op != uses.ops.size(); ++op) {
    if (!isCopied(uses.ops[op])) {
      uses.ops[op]->remove();
      uses.ops[op]->removeAttr(laterAttr);
      parts[numbers.partOf[op]].module->getBody()->push_back(uses.ops[op]);
      continue;
    }
    for (size_t part = 0; part != parts.size(); ++part)
      if (copies[part].contains(op))
        parts[part].module->getBody()->push_back(copyOf(*uses.ops[op]));
  }
  return parts;
}

} // namespace spl::codegen
