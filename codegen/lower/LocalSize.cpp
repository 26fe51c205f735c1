// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the size of the local memory of kernels.
#include "codegen/lower/Lowering.h"
#include "mir/dialect/Report.h"
#include "spl/abi/Limits.h"

using namespace mlir;

namespace spl::codegen {
namespace {

class LocalSizes {
public:
  explicit LocalSizes(Lowering &lowering) : lowering(lowering), symbols(lowering.module) {}

  LogicalResult check(mir::KernelOp kernel) {
    uint64_t total = of(kernel);
    if (total <= abi::maxLocalBytes)
      return success();
    std::string list;
    for (auto [bytes, line] : largest(kernel))
      list += (Twine(list.empty() ? "" : ", ") + Twine(bytes) + " in line " + Twine(line)).str();
    return mir::emitPassDiagnostic(kernel.getLoc(), mir::PassDiagnostic::LocalSize)
           << "the arrays and structs of a work-item of '" << kernel.getSymName() << "' take "
           << total << " bytes; the maximum is " << abi::maxLocalBytes << "; the largest: " << list
           << "; make them smaller or fewer, or use shared or global memory";
  }

private:
  uint64_t bytesOf(mir::LocalOp op) {
    return op.getCount() * lowering.layout(op.getType().getElement()).size; // 64 KiB at most
  }

  /// The local memory of a function and of the largest function that it calls.
  uint64_t of(FunctionOpInterface function) {
    if (auto known = sizes.find(function); known != sizes.end())
      return known->second;
    sizes[function] = 0; // the frontend refuses recursion
    uint64_t own = 0, called = 0;
    function.walk([&](Operation *op) {
      if (auto local = dyn_cast<mir::LocalOp>(op))
        own += bytesOf(local);
      else if (auto call = dyn_cast<mir::CallOp>(op))
        called = std::max(called, of(symbols.lookup<mir::FuncOp>(call.getCallee())));
    });
    return sizes[function] = own + called;
  }

  using Sizes = SmallVector<std::pair<uint64_t, unsigned>>; ///< bytes and the line
  Sizes largest(mir::KernelOp kernel) {
    Sizes all;
    llvm::SmallSetVector<Operation *, 8> reached;
    reached.insert(kernel);
    for (size_t i = 0; i < reached.size(); ++i)
      reached[i]->walk([&](Operation *op) {
        if (auto call = dyn_cast<mir::CallOp>(op))
          reached.insert(symbols.lookup<mir::FuncOp>(call.getCallee()));
        auto place = op->getLoc()->findInstanceOf<FileLineColLoc>();
        if (auto local = dyn_cast<mir::LocalOp>(op); local && place)
          all.push_back({bytesOf(local), place.getLine()});
      });
    llvm::sort(all, [](auto a, auto b) {
      return std::pair(b.first, a.second) < std::pair(a.first, b.second);
    });
    all.truncate(std::min<size_t>(all.size(), 3));
    return all;
  }

  Lowering &lowering;
  SymbolTable symbols;
  llvm::DenseMap<Operation *, uint64_t> sizes;
};

} // namespace

LogicalResult checkLocalMemory(Lowering &lowering) {
  LocalSizes sizes(lowering);
  for (auto kernel : lowering.module.getOps<mir::KernelOp>())
    if (failed(sizes.check(kernel)))
      return failure();
  return success();
}

} // namespace spl::codegen
