// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shares arrays with other libraries without a copy, through the ABI of dlpack.h.
#include "runtime/backends/BackendContext.h"
#include "spl/Array.h"
#include "spl/Error.h"

#include <dlpack/dlpack.h>
#include <memory>
#include <vector>

namespace spl {

[[noreturn]] static void refuse(const std::string &message, const std::string &hint = "") {
  throw Error({.code = ErrorCode::InvalidArgument, .message = "DLPack: " + message, .hint = hint});
}

/// DLPack's code of bool, which Debian's version of the header lacks.
static constexpr std::uint8_t boolCode = 6;

static DLDataType dataTypeOf(ScalarType type) {
  const auto bits = static_cast<std::uint8_t>(8 * sizeOf(type));
  switch (type) {
  case ScalarType::Bool:
    return {boolCode, bits, 1};
  case ScalarType::I8:
  case ScalarType::I16:
  case ScalarType::I32:
  case ScalarType::I64:
    return {kDLInt, bits, 1};
  case ScalarType::U8:
  case ScalarType::U16:
  case ScalarType::U32:
  case ScalarType::U64:
    return {kDLUInt, bits, 1};
  case ScalarType::F16:
  case ScalarType::F32:
  case ScalarType::F64:
    return {kDLFloat, bits, 1};
  case ScalarType::BF16:
    return {kDLBfloat, bits, 1};
  }
  __builtin_unreachable();
}

/// The element type of a tensor; a type with lanes is a vector.
static ElementType elementTypeOf(const DLDataType &type) {
  static constexpr ScalarType scalars[] = {
#define SPL_SCALAR_TYPE(NAME, TEXT, TYPE, ...) ScalarType::NAME,
#include "spl/ScalarTypes.def"
  };
  for (ScalarType scalar : scalars) {
    const DLDataType own = dataTypeOf(scalar);
    if (own.code != type.code || own.bits != type.bits)
      continue;
    if (type.lanes == 1)
      return scalar;
    if (std::optional<ElementType> vector =
            plainTypeNamed(std::string(toString(scalar)) + "x" + std::to_string(type.lanes)))
      return *vector;
  }
  refuse("elements of type code " + std::to_string(type.code) + ", " + std::to_string(type.bits) +
         " bits and " + std::to_string(type.lanes) + " lanes are of no type of the language");
}

/// Returns the shape of a tensor. Throws InvalidArgument unless its elements are row-major without
/// gaps. A tensor without axes has one element.
static Shape shapeOf(const DLTensor &tensor) {
  if (tensor.ndim == 0)
    return {1};
  if (tensor.ndim < 0 || tensor.ndim > 4)
    refuse("the tensor has " + std::to_string(tensor.ndim) + " axes; an array has 1 to 4");
  if (!tensor.shape)
    refuse("the tensor has no shape");
  const Shape shape = Shape::of({tensor.shape, static_cast<std::size_t>(tensor.ndim)});
  std::int64_t expected = 1;
  bool isEmpty = false;
  for (std::int64_t extent : shape)
    isEmpty |= extent == 0;
  for (int axis = tensor.ndim - 1; tensor.strides && !isEmpty && axis >= 0; --axis) {
    // The stride of an axis with one row has no meaning.
    if (shape[axis] != 1 && tensor.strides[axis] != expected)
      refuse("the stride of axis " + std::to_string(axis) + " is " +
                 std::to_string(tensor.strides[axis]) + "; a row-major array has " +
                 std::to_string(expected),
             "pass a contiguous tensor");
    if (__builtin_mul_overflow(expected, shape[axis], &expected))
      refuse("the shape " + shape.str() + " is too large");
  }
  return shape;
}

Buffer Buffer::fromDLPack(const Context &context, DLManagedTensor *managed) {
  if (!managed)
    refuse("there is no tensor");
  const DLTensor &tensor = managed->dl_tensor;
  if (!context.usable().reaches({tensor.device.device_type, tensor.device.device_id}))
    refuse("the tensor is on a device of type " + std::to_string(tensor.device.device_type) +
               ", number " + std::to_string(tensor.device.device_id) + ", not on " +
               context.usable().describe(),
           "move it there, or make a context for its device");
  const ElementType element = elementTypeOf(tensor.dtype);
  const Shape shape = shapeOf(tensor);
  auto address = reinterpret_cast<std::uint64_t>(tensor.data);
  if (address && __builtin_add_overflow(address, tensor.byte_offset, &address))
    refuse("the offset " + std::to_string(tensor.byte_offset) + " is beyond all addresses");
  return borrow(context, address, element, shape, [managed] {
    if (managed->deleter)
      managed->deleter(managed);
  });
}

namespace {

/// A tensor for another library, and the objects that it refers to.
struct Exported {
  DLManagedTensor managed{};
  std::shared_ptr<detail::BackendContext> context;
  std::shared_ptr<detail::Allocation> memory;
  std::vector<std::int64_t> shape;
};

} // namespace

DLManagedTensor *Buffer::toDLPack() const {
  requireUsable("toDLPack");
  const ElementType::Kind kind = element.kind();
  if (kind != ElementType::Kind::Scalar && kind != ElementType::Kind::Vector)
    refuse("elements of " + element.str() + " have no type there", "export scalars or vectors");
  if (readOnly)
    refuse("the array is a read-only view, and DLPack has no read-only tensors");
  if (memory)
    memory->waitForUses();
  owner->defaultStream()->sync();

  auto exported = std::make_unique<Exported>();
  exported->context = owner;
  exported->memory = memory;
  exported->shape.assign(extents.begin(), extents.end());
  DLTensor &tensor = exported->managed.dl_tensor;
  tensor.data = reinterpret_cast<void *>(base);
  const detail::DLPackDevice device = owner->dlpackDevice();
  tensor.device = {static_cast<DLDeviceType>(device.type), device.index};
  tensor.ndim = static_cast<int>(exported->shape.size());
  tensor.dtype = dataTypeOf(element.scalar());
  tensor.dtype.lanes = static_cast<std::uint16_t>(element.length());
  tensor.shape = exported->shape.data();
  exported->managed.manager_ctx = exported.get();
  exported->managed.deleter = [](DLManagedTensor *self) {
    delete static_cast<Exported *>(self->manager_ctx);
  };
  return &exported.release()->managed;
}

} // namespace spl
