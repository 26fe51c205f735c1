// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "mir/bounds/Loads.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/Matchers.h"

using namespace mlir;

namespace spl::mir::bounds {

//===-- Parameters --===//

namespace {
/// A slice of parts of a parameter that is passed by value.
struct Parts : ParameterPart {
  bool areElements = false; ///< an index selects an element or lane; else the only index is 0

  bool select(ValueRange indices) {
    APInt index;
    if (indices.size() != 1 || !matchPattern(indices[0], m_ConstantInt(&index)))
      return false;
    if (areElements)
      path.push_back(index.getSExtValue());
    return areElements || index.isZero();
  }
};
} // namespace

static std::optional<Parts> parameterParts(Value slice) {
  if (auto parameter = dyn_cast<BlockArgument>(slice)) {
    auto kernel = dyn_cast<KernelOp>(parameter.getOwner()->getParentOp());
    if (!kernel || !kernel.getArgAttr(parameter.getArgNumber(), SplDialect::byValueAttr))
      return std::nullopt;
    return Parts{{parameter, {}}};
  }
  auto part = slice.getDefiningOp<PartOp>();
  std::optional<Parts> parts = part ? parameterParts(part.getSlice()) : std::nullopt;
  if (!parts || !parts->select(part.getIndices()))
    return std::nullopt;
  if (std::optional<uint64_t> field = part.getField())
    parts->path.push_back(int64_t(*field));
  parts->areElements = !part.getField() && !part.isWhole();
  return parts;
}

/// The path to an integer that is loaded from a parameter, or is a lane of a vector.
static std::optional<Parts> partOf(Value value) {
  std::optional<Parts> parts;
  if (auto load = value.getDefiningOp<LoadOp>()) {
    parts = parameterParts(load.getSlice());
    return parts && parts->select(load.getIndices()) ? parts : std::nullopt;
  }
  auto extract = value.getDefiningOp<vector::ExtractOp>();
  if (!extract)
    return std::nullopt;
  if (auto parameter = dyn_cast<BlockArgument>(extract.getSource());
      parameter && isa<KernelOp>(parameter.getOwner()->getParentOp()))
    parts = Parts{{parameter, {}}};
  else
    parts = partOf(extract.getSource());
  const SmallVector<OpFoldResult> lane = extract.getMixedPosition();
  const std::optional<int64_t> number =
      lane.size() == 1 ? getConstantIntValue(lane[0]) : std::nullopt;
  if (!parts || !number)
    return std::nullopt;
  parts->path.push_back(*number);
  return parts;
}

std::optional<ParameterPart> parameterPart(Value value) {
  std::optional<Parts> parts = partOf(value);
  return parts ? std::optional<ParameterPart>(std::move(*parts)) : std::nullopt;
}

//===-- Constants --===//

namespace {
/// The elements of a slice of constants.
struct Constants {
  SmallVector<Attribute> elements;
  bool areOfMany = false; ///< of several slices, of which the indices choose one at run time

  /// The elements that the indices may choose.
  ArrayRef<Attribute> at(ValueRange indices) const {
    APInt index;
    if (areOfMany || indices.size() != 1 || !matchPattern(indices[0], m_ConstantInt(&index)) ||
        index.uge(elements.size()))
      return elements;
    return ArrayRef(elements).slice(index.getZExtValue(), 1);
  }
};
} // namespace

static std::optional<Constants> constantsOf(Value slice) {
  if (auto data = slice.getDefiningOp<ConstantDataOp>())
    return Constants{SmallVector<Attribute>(data.getElements().getValue())};
  if (auto view = slice.getDefiningOp<ReadOnlyOp>())
    return constantsOf(view.getSlice());
  auto part = slice.getDefiningOp<PartOp>();
  const std::optional<Constants> wholes = part ? constantsOf(part.getSlice()) : std::nullopt;
  if (!wholes)
    return std::nullopt;
  Constants parts;
  const ArrayRef<Attribute> chosen = wholes->at(part.getIndices());
  for (Attribute whole : chosen) {
    if (part.isWhole()) {
      parts.elements.push_back(whole);
      continue;
    }
    const ArrayRef<Attribute> each = cast<ArrayAttr>(whole).getValue();
    if (std::optional<uint64_t> field = part.getField())
      parts.elements.push_back(each[*field]);
    else
      llvm::append_range(parts.elements, each);
  }
  parts.areOfMany = chosen.size() != 1;
  return parts;
}

std::optional<Range> rangeOfConstants(Value value) {
  auto load = value.getDefiningOp<LoadOp>();
  const std::optional<Constants> constants =
      load && value.getType().isInteger() ? constantsOf(load.getSlice()) : std::nullopt;
  std::optional<Range> range;
  if (constants)
    for (Attribute element : constants->at(load.getIndices())) {
      const Wide number = cast<IntegerAttr>(element).getValue().getSExtValue();
      range = range ? Range{std::min(range->least, number), std::max(range->most, number)}
                    : Range{number, number};
    }
  return range;
}

} // namespace spl::mir::bounds
