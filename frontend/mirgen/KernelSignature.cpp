// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/mirgen/KernelSignature.h"
#include "frontend/sema/Leaves.h"
#include "frontend/sema/Program.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ErrorHandling.h"

using namespace spl;
using namespace spl::sema;

namespace {

/// Makes the types of a signature, and the structs and enums in them, each once.
class SignatureTypes {
public:
  ParameterType parameter(Type type) {
    if (!type.isSlice())
      return {element(type)};
    return {element(type.element()), int(type.rank()), type.isMut()};
  }

  std::vector<ElementType> definitions; ///< each before what uses it

private:
  static ScalarType scalar(Type type) {
    switch (type.kind()) {
#define SPL_SCALAR_TYPE(Id, Name, Type, Class, Bits)                                               \
  case TypeKind::Id:                                                                               \
    return ScalarType::Id;
#include "spl/ScalarTypes.def"
    default:
      llvm_unreachable("no scalar");
    }
  }

  ElementType element(Type type) {
    switch (type.kind()) {
#define SPL_SCALAR_TYPE(Id, Name, Type, Class, Bits) case TypeKind::Id:
#include "spl/ScalarTypes.def"
      return scalar(type);
    case TypeKind::Vector:
      return ElementType::vector(scalar(type.element()), type.lanes());
    case TypeKind::Array:
      return ElementType::array(element(type.element()), int64_t(type.length()));
    case TypeKind::Struct:
    case TypeKind::Enum:
      return definition(type);
    case TypeKind::Error:
    case TypeKind::Unit:
    case TypeKind::Slice:
    case TypeKind::Tuple:
      break;
    }
    llvm_unreachable("no parameter of a kernel holds these");
  }

  ElementType definition(Type type) {
    if (auto found = made.find(type.identity()); found != made.end())
      return definitions[found->second];
    ElementType result = type.isStruct() ? structure(type) : enumeration(type);
    made[type.identity()] = definitions.size();
    definitions.push_back(result);
    return result;
  }

  ElementType structure(Type type) {
    std::vector<ElementType::Field> fields;
    for (const StructInfo::Field &field : type.structInfo().fields)
      fields.push_back({field.name.str(), element(field.type)});
    return ElementType::structure(newName(type), std::move(fields));
  }

  ElementType enumeration(Type type) {
    std::vector<ElementType::Member> members;
    for (const EnumInfo::Member &member : type.enumInfo().members)
      members.push_back({member.name.str(), member.value});
    return ElementType::enumeration(newName(type), std::move(members));
  }

  /// Types of two files may share a name, such as "Body" or "Pair[f32]".
  std::string newName(Type type) {
    std::string name = type.str();
    const size_t end = std::min(name.find('['), name.size());
    for (unsigned number = 2; !taken.insert(name).second; ++number)
      name = type.str().insert(end, "_" + std::to_string(number));
    return name;
  }

  llvm::DenseMap<const void *, size_t> made; ///< positions in definitions
  llvm::StringSet<> taken;
};

} // namespace

abi::Signature mirgen::signatureOf(const Function &kernel) {
  SignatureTypes types;
  abi::Signature signature;
  signature.name = kernel.writtenName;
  signature.block.assign(kernel.traits.block.begin(), kernel.traits.block.end());
  for (auto [index, parameter] : llvm::enumerate(kernel.parameters)) {
    const bool isAlias = !kernel.traits.aliases.empty() && kernel.traits.aliases[index];
    for (const Leaf &leaf : leavesOf(parameter->type))
      signature.parameters.push_back({parameter->name.str() + leaf.path, types.parameter(leaf.type),
                                      isAlias && leaf.type.isSlice()});
  }
  signature.definitions = std::move(types.definitions);
  return signature;
}
