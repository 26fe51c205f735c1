// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The dialect: its types and attributes, and how its functions are inlined.
#include "mir/dialect/SplDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/Transforms/InliningUtils.h"
#include "spl/abi/Limits.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace spl::mir;

#include "mir/dialect/SplDialect.cpp.inc"
#include "mir/dialect/SplEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "mir/dialect/SplAttributes.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "mir/dialect/SplTypes.cpp.inc"

namespace {

// Functions have one block. Therefore the operations of the block replace a call, and the returned
// value replaces its result.
struct SplInliner : DialectInlinerInterface {
  using DialectInlinerInterface::DialectInlinerInterface;

  bool isLegalToInline(Operation *call, Operation *callee, bool) const final {
    return isa<CallOp>(call) && isa<FuncOp>(callee);
  }
  bool isLegalToInline(Region *, Region *, bool, IRMapping &) const final { return true; }
  bool isLegalToInline(Operation *, Region *, bool, IRMapping &) const final { return true; }

  void handleTerminator(Operation *terminator, ValueRange results) const final {
    for (auto [result, returned] : llvm::zip_equal(results, terminator->getOperands()))
      result.replaceAllUsesWith(returned);
  }
};

} // namespace

void SplDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "mir/dialect/SplTypes.cpp.inc"
      >();
  addAttributes<
#define GET_ATTRDEF_LIST
#include "mir/dialect/SplAttributes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "mir/dialect/SplOps.cpp.inc"
      >();
  addInterfaces<SplInliner>();
}

Operation *SplDialect::materializeConstant(OpBuilder &builder, Attribute value, Type type,
                                           Location loc) {
  return arith::ConstantOp::materialize(builder, value, type, loc);
}

LogicalResult SplDialect::verifyRegionArgAttribute(Operation *op, unsigned, unsigned argument,
                                                   NamedAttribute attribute) {
  if (attribute.getName() == byValueAttr) {
    auto kernel = dyn_cast<KernelOp>(op);
    auto slice = kernel ? dyn_cast<SliceType>(kernel.getArgumentTypes()[argument]) : SliceType();
    if (!slice || slice.getIsMut() || slice.getRank() != 1)
      return op->emitOpError() << "'" << byValueAttr
                               << "' is for a kernel's read-only slices of rank 1";
  }
  if (attribute.getName() == nameAttr && !isa<StringAttr>(attribute.getValue()))
    return op->emitOpError() << "'" << nameAttr << "' must be a string";
  return success();
}

//===-- Types --===//

bool spl::mir::isScalar(Type type) {
  if (type.isSignlessInteger())
    return llvm::is_contained({1u, 8u, 16u, 32u, 64u}, type.getIntOrFloatBitWidth());
  return type.isF16() || type.isBF16() || type.isF32() || type.isF64();
}

static bool isVectorOf(ArrayRef<int> lanes, Type type) {
  auto vector = dyn_cast<VectorType>(type);
  return vector && vector.getRank() == 1 && !vector.isScalable() &&
         isScalar(vector.getElementType()) && llvm::is_contained(lanes, vector.getDimSize(0));
}

bool spl::mir::isPlain(Type type) {
  return isScalar(type) || isVectorOf(spl::abi::vectorLanes, type) || isVectorOf(widestGangs, type);
}

bool spl::mir::isStorable(Type type) {
  return isScalar(type) || isVectorOf(spl::abi::vectorLanes, type) ||
         isa<StructType, ArrayType>(type);
}

LogicalResult StructType::verify(function_ref<InFlightDiagnostic()> emitError,
                                 ArrayRef<Type> fields) {
  for (Type field : fields)
    if (!isStorable(field))
      return emitError() << "a field cannot be " << field;
  return success();
}

LogicalResult ArrayType::verify(function_ref<InFlightDiagnostic()> emitError, uint64_t,
                                Type element) {
  if (!isStorable(element))
    return emitError() << "an array's element cannot be " << element;
  return success();
}

LogicalResult SliceType::verify(function_ref<InFlightDiagnostic()> emitError, Type element, bool,
                                unsigned rank) {
  auto inner = dyn_cast<SliceType>(element);
  if (!isStorable(inner ? inner.getElement() : element))
    return emitError() << "a slice's element cannot be " << element;
  if (rank < 1 || rank > 4)
    return emitError() << "a slice's rank is 1 to 4, not " << rank;
  return success();
}

// `<` element (`,` `mut`)? (`,` `rank` integer)? `>`
Type SliceType::parse(AsmParser &parser) {
  Type element;
  bool isMut = false;
  unsigned rank = 1;
  if (parser.parseLess() || parser.parseType(element))
    return {};
  bool more = succeeded(parser.parseOptionalComma());
  if (more && succeeded(parser.parseOptionalKeyword("mut"))) {
    isMut = true;
    more = succeeded(parser.parseOptionalComma());
  }
  if (more && (parser.parseKeyword("rank") || parser.parseInteger(rank)))
    return {};
  llvm::SMLoc end = parser.getCurrentLocation();
  if (parser.parseGreater())
    return {};
  return getChecked([&] { return parser.emitError(end); }, parser.getContext(), element, isMut,
                    rank);
}

void SliceType::print(AsmPrinter &printer) const {
  printer << '<' << getElement();
  if (getIsMut())
    printer << ", mut";
  if (getRank() != 1)
    printer << ", rank " << getRank();
  printer << '>';
}
