// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Checks the size of the local memory of kernels.
#include "codegen/lower/Lowering.h"
#include "mir/dialect/Report.h"
#include "spl/abi/Limits.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;

namespace spl::codegen {
namespace {

/// The size of local memory.
struct Bytes {
  uint64_t all = 0;
  uint64_t temporary = 0; ///< the part for values that are no variables of the source

  bool operator<(const Bytes &other) const { return all < other.all; }
};

class LocalSizes {
public:
  explicit LocalSizes(Lowering &lowering) : lowering(lowering), symbols(lowering.module) {}

  LogicalResult check(mir::KernelOp kernel) {
    const Bytes total = of(kernel);
    if (total.all <= abi::maxLocalBytes)
      return success();
    InFlightDiagnostic error =
        mir::emitPassDiagnostic(kernel.getLoc(), mir::PassDiagnostic::LocalSize);
    error << "the local memory of a work-item of '" << mir::writtenName(kernel) << "' takes "
          << total.all << " bytes";
    if (total.temporary)
      error << ", with " << total.temporary << " for temporary values";
    error << "; the maximum is " << abi::maxLocalBytes;
    const std::string list = llvm::join(largest(kernel), ", ");
    return error << (list.empty() ? "" : "; the largest: ") << list
                 << "; make them smaller or fewer, or use shared or global memory";
  }

private:
  /// Of one work-item: memory of a gang has an element for each of its work-items.
  uint64_t bytesOf(mir::LocalOp op) {
    auto lanes = op->getAttrOfType<IntegerAttr>(mir::SplDialect::lanesAttr);
    const uint64_t size = lowering.layout(op.getType().getElement()).size; // 64 KiB at most
    return op.getCount() / (lanes ? uint64_t(lanes.getInt()) : 1) * size;
  }

  static StringAttr nameOf(mir::LocalOp op) {
    return op->getAttrOfType<StringAttr>(mir::SplDialect::nameAttr);
  }

  /// The local memory of a function and of the largest function that it calls.
  Bytes of(FunctionOpInterface function) {
    if (auto known = sizes.find(function); known != sizes.end())
      return known->second;
    sizes[function] = {}; // the frontend refuses recursion
    Bytes here, called;
    function.walk([&](Operation *op) {
      if (auto local = dyn_cast<mir::LocalOp>(op)) {
        here.all += bytesOf(local);
        here.temporary += nameOf(local) ? 0 : bytesOf(local);
      } else if (auto call = dyn_cast<mir::CallOp>(op)) {
        called = std::max(called, of(symbols.lookup<mir::FuncOp>(call.getCallee())));
      }
    });
    return sizes[function] = {here.all + called.all, here.temporary + called.temporary};
  }

  /// The three largest variables, as in "'a' 65536 in line 3".
  SmallVector<std::string> largest(mir::KernelOp kernel) {
    struct Variable {
      uint64_t bytes;
      unsigned line;
      StringRef name;
    };
    SmallVector<Variable> all;
    llvm::SmallSetVector<Operation *, 8> reached;
    reached.insert(kernel);
    for (size_t i = 0; i < reached.size(); ++i)
      reached[i]->walk([&](Operation *op) {
        if (auto call = dyn_cast<mir::CallOp>(op))
          reached.insert(symbols.lookup<mir::FuncOp>(call.getCallee()));
        auto place = op->getLoc()->findInstanceOf<FileLineColLoc>();
        if (auto local = dyn_cast<mir::LocalOp>(op); local && place && nameOf(local))
          all.push_back({bytesOf(local), place.getLine(), nameOf(local)});
      });
    llvm::sort(all, [](const Variable &a, const Variable &b) {
      return std::tie(b.bytes, a.line, a.name) < std::tie(a.bytes, b.line, b.name);
    });
    all.truncate(std::min<size_t>(all.size(), 3));
    return llvm::map_to_vector(all, [](const Variable &one) {
      return ("'" + one.name + "' " + Twine(one.bytes) + " in line " + Twine(one.line)).str();
    });
  }

  Lowering &lowering;
  SymbolTable symbols;
  llvm::DenseMap<Operation *, Bytes> sizes;
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
