// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The null target, which exists only in tests. It supports three intrinsics and writes MIR as text.
// It shows the minimum that a target must implement.
#include "codegen/Target.h"
#include "codegen/Pipeline.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/raw_ostream.h"

namespace spl::codegen {
namespace {

namespace words {
using namespace codegen::words;
constexpr IntrinsicLowering Text{Kind::Own, "text"};
constexpr IntrinsicLoweringRow rows[] = {
#define LOWERING(Row, How) {intrinsics::Id::Row, How},
#include "codegen/targets/null/Intrinsics.def"
};
} // namespace words

constexpr IntrinsicTable intrinsicTable = tableOf(words::rows);

constexpr Output outputTable[] = {{"text", ".text", true, Output::Default | Output::Bundled}};

class NullTarget : public Target {
public:
  llvm::StringRef name() const override { return "null"; }
  llvm::StringRef title() const override { return "null"; }
  std::string defaultProcessor() const override { return ""; }
  std::string wordFor(llvm::StringRef) const override { return "null"; }
  bool owns(llvm::StringRef word) const override { return word == "null"; }
  llvm::Expected<std::string> parse(llvm::StringRef) const override { return ""; }
  std::string allWords() const override { return "null"; }
  std::string wordsInShort() const override { return "null"; }
  llvm::ArrayRef<Output> outputs() const override { return outputTable; }
  const IntrinsicLowering &lowering(intrinsics::Id id) const override {
    return intrinsicTable[size_t(id)];
  }
  llvm::Expected<llvm::SmallVector<char, 0>> emit(mlir::ModuleOp module, const Output &,
                                                  const Options &, std::string *) const override;
};

llvm::Expected<llvm::SmallVector<char, 0>> NullTarget::emit(mlir::ModuleOp module, const Output &,
                                                            const Options &, std::string *) const {
  std::string unsupported;
  module.walk([&](mir::IntrinsicOp op) {
    if (lowering(op.getRow().id).kind == IntrinsicLowering::Kind::Unsupported)
      unsupported = op.getName().str();
  });
  if (!unsupported.empty())
    return llvm::createStringError("target null does not support " + unsupported);
  llvm::SmallVector<char, 0> text;
  llvm::raw_svector_ostream os(text);
  module.print(os);
  return text;
}

} // namespace

namespace null {
const Target &target() {
  static const NullTarget target;
  return target;
}
} // namespace null

} // namespace spl::codegen
