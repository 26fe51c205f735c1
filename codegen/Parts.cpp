// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/Parts.h"
#include "codegen/Parallel.h"
#include "mir/dialect/SplDialect.h"
#include "llvm/ADT/IntEqClasses.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/MathExtras.h"
#include <numeric>

using namespace mlir;

namespace spl::codegen {
namespace {

/// What decides to which part a definition belongs.
struct Content {
  size_t size = 0; ///< the number of operations
  llvm::SmallVector<StringRef, 0> callees;
  llvm::SmallVector<mir::ConstantDataOp, 0> data;
};

/// The kernels and functions of a module, and which of them must be in one part.
class Definitions {
public:
  explicit Definitions(ModuleOp module) {
    for (Operation &op : *module.getBody()) {
      numbers[cast<SymbolOpInterface>(op).getName()] = ops.size();
      ops.push_back(&op);
    }
    std::vector<Content> contents(ops.size());
    walkInParallel(ops, [&](size_t number, Operation *inner) {
      Content &content = contents[number];
      ++content.size;
      if (auto call = dyn_cast<mir::CallOp>(inner))
        content.callees.push_back(call.getCallee());
      else if (auto data = dyn_cast<mir::ConstantDataOp>(inner))
        content.data.push_back(data);
    });
    classes.grow(ops.size());
    llvm::DenseMap<std::pair<Attribute, Type>, unsigned> firstUses; // of constant data
    for (auto [number, content] : llvm::enumerate(contents)) {
      sizes.push_back(content.size);
      for (StringRef callee : content.callees)
        classes.join(number, numbers.at(callee));
      for (mir::ConstantDataOp data : content.data)
        classes.join(
            number, firstUses.try_emplace({data.getElements(), data.getType().getElement()}, number)
                        .first->second);
    }
    classes.compress();
  }

  std::vector<Operation *> ops;
  std::vector<size_t> sizes;  ///< the number of operations in each definition
  llvm::IntEqClasses classes; ///< by the number of a definition

private:
  llvm::StringMap<unsigned> numbers;
};

/// What the definitions of one class are together.
struct Class {
  size_t size = 0;        ///< the number of operations in them
  size_t kernels = 0;     ///< the number of kernels among them
  StringRef later;        ///< the value of laterAttr, or ""
  size_t part = SIZE_MAX; ///< the number of the part, or SIZE_MAX

  bool isLater() const { return !later.empty() && kernels == 1; }
};

std::vector<Class> describe(const Definitions &definitions) {
  std::vector<Class> result(definitions.classes.getNumClasses());
  for (unsigned number = 0; number != definitions.ops.size(); ++number) {
    Operation *op = definitions.ops[number];
    Class &own = result[definitions.classes[number]];
    own.size += definitions.sizes[number];
    own.kernels += isa<mir::KernelOp>(op);
    if (auto later = op->getAttrOfType<StringAttr>(laterAttr))
      own.later = later.getValue();
  }
  return result;
}

} // namespace

void walkInParallel(llvm::ArrayRef<Operation *> definitions,
                    llvm::function_ref<void(size_t number, Operation *op)> visit) {
  constexpr size_t definitionsPerStep = 16; // to start a thread takes longer than to walk fewer
  llvm::cantFail(
      forEachInParallel(llvm::divideCeil(definitions.size(), definitionsPerStep), [&](size_t step) {
        const size_t end = std::min(definitions.size(), (step + 1) * definitionsPerStep);
        for (size_t number = step * definitionsPerStep; number != end; ++number)
          definitions[number]->walk([&](Operation *op) { visit(number, op); });
        return llvm::Error::success();
      }));
}

std::vector<Part> splitModule(ModuleOp module, size_t operations, bool hasLater) {
  const Definitions definitions(module);
  std::vector<Class> classes = describe(definitions);
  std::vector<Part> parts;
  const auto addPart = [&](StringRef later) {
    parts.push_back({ModuleOp::create(module.getLoc()), 0, later.str()});
    return parts.size() - 1;
  };
  constexpr size_t mostParts = 128;
  operations = std::max(operations, llvm::sum_of(definitions.sizes) / mostParts);
  size_t size = operations, current = 0; // of the part that is being filled
  for (unsigned number = 0; number != definitions.ops.size(); ++number) {
    Class &own = classes[definitions.classes[number]];
    if (own.part == SIZE_MAX && hasLater && own.isLater()) {
      own.part = addPart(own.later);
    } else if (own.part == SIZE_MAX) {
      if (size >= operations) {
        current = addPart("");
        size = 0;
      }
      own.part = current;
      size += own.size;
    }
    Operation *op = definitions.ops[number];
    op->remove();
    parts[own.part].operations += definitions.sizes[number];
    parts[own.part].module->getBody()->push_back(op);
  }
  if (parts.empty())
    addPart("");
  return parts;
}

std::vector<size_t> largestFirst(llvm::ArrayRef<Part> parts) {
  std::vector<size_t> order(parts.size());
  std::iota(order.begin(), order.end(), 0);
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::tie(parts[b].operations, a) < std::tie(parts[a].operations, b);
  });
  return order;
}

} // namespace spl::codegen
