// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/transforms/NarrowRows.h"
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace spl::mir;

void spl::mir::runIfWhole(OpBuilder &builder, scf::ForOp row, scf::ForOp whole, Value begin,
                          Value end) {
  Location loc = row.getLoc();
  builder.setInsertionPoint(row);
  auto isSame = [&](Value a, Value b) -> Value {
    return arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::eq, a, b);
  };
  Value isWhole = isSame(end, row.getUpperBound());
  if (begin != row.getLowerBound())
    isWhole = arith::AndIOp::create(builder, loc, isSame(begin, row.getLowerBound()), isWhole);
  auto branch = scf::IfOp::create(builder, loc, isWhole, /*withElseRegion=*/true);
  whole->moveBefore(branch.thenYield());
  row->moveBefore(branch.elseYield());
  row->removeDiscardableAttr(SplDialect::workItemsAttr);
  row->setDiscardableAttr(SplDialect::unrollAttr, builder.getI64IntegerAttr(0));
}
