// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/mirgen/SignatureText.h"
#include "frontend/sema/Program.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

using namespace spl;
using namespace spl::sema;

namespace {

/// Writes types, and the structs and enums in them, each once and before what uses it.
class Writer {
public:
  /// The type's name in the signature.
  std::string nameOf(Type type) {
    switch (type.kind()) {
    case TypeKind::Slice:
      return (type.isMut() ? "&mut [" : "&[") + nameOf(type.element()) +
             (type.rank() > 1 ? ", " + std::to_string(type.rank()) : "") + "]";
    case TypeKind::Array:
      return "[" + nameOf(type.element()) + "; " + std::to_string(type.length()) + "]";
    case TypeKind::Struct:
    case TypeKind::Enum:
      return definedName(type);
    case TypeKind::Error:
    case TypeKind::Unit:
    case TypeKind::Vector:
    case TypeKind::Tuple:
#define SPL_SCALAR_TYPE(Id, Name, Type, Class, Bits) case TypeKind::Id:
#include "spl/ScalarTypes.def"
      return type.str();
    }
    llvm_unreachable("every kind is handled");
  }

  std::string definitions;

private:
  std::string definedName(Type type) {
    if (auto found = names.find(type.identity()); found != names.end())
      return found->second;
    std::string text;
    llvm::raw_string_ostream os(text);
    if (type.isStruct())
      llvm::interleaveComma(type.structInfo().fields, os, [&](const StructInfo::Field &field) {
        os << field.name << ": " << nameOf(field.type);
      });
    else
      llvm::interleaveComma(type.enumInfo().members, os, [&](const EnumInfo::Member &member) {
        os << member.name << " = " << member.value;
      });
    // Types of two files may share a name.
    std::string name = type.str();
    for (unsigned number = 2; !taken.insert(name).second; ++number)
      name = type.str() + "_" + std::to_string(number);
    definitions += (type.isStruct() ? "struct " : "enum ") + name + "(" + text + ") ";
    return names[type.identity()] = name;
  }

  llvm::DenseMap<const void *, std::string> names;
  llvm::StringSet<> taken;
};

} // namespace

std::string mirgen::signatureText(const Function &kernel) {
  Writer writer;
  std::string text;
  llvm::raw_string_ostream os(text);
  if (!kernel.traits.block.empty()) {
    os << "#[gpu(block: [";
    llvm::interleaveComma(kernel.traits.block, os);
    os << "])] ";
  }
  os << kernel.name << '(';
  llvm::ListSeparator separator;
  for (auto [index, parameter] : llvm::enumerate(kernel.parameters)) {
    const bool isAlias = !kernel.traits.aliases.empty() && kernel.traits.aliases[index];
    os << separator << (isAlias ? "#[alias] " : "") << parameter->name << ": "
       << writer.nameOf(parameter->type);
  }
  os << ')';
  return writer.definitions + text;
}
