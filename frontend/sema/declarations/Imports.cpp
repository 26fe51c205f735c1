// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Imports: names that a file uses from other files. A file can import only names that the other
// file declares itself. So files may import from each other in any order.
#include "frontend/sema/declarations/Imports.h"
#include "frontend/sema/DiagnosticText.h"

namespace spl::sema {
namespace {

/// A name that is added to a file after all imports are resolved.
struct Import {
  FileNames *into;
  const syntax::Identifier *name;
  const FileNames *from; ///< null if the name has a reported error; its uses are then not reported
};

} // namespace

static Import importOf(Session &session, FileNames &into, const FileNames *from,
                       const syntax::UseItem &use, const syntax::Identifier &name) {
  if (!from || from->skipped.contains(name.name)) // already reported
    return {&into, &name, nullptr};
  if (from->items.contains(name.name))
    return {&into, &name, from};
  TypoCorrection correction(name.name);
  for (const auto &[known, range] : from->items)
    correction.consider(known);
  session.diagnostics.emit(name.range, diag::UseUnknown, use.path.back().name, shown(name.name),
                           didYouMean(correction.best()));
  return {&into, &name, nullptr};
}

static void add(Session &session, const Import &import) {
  StringRef name = import.name->name;
  FileNames &into = *import.into;
  if (!import.from) {
    into.skipped.insert(name);
    return;
  }
  SourceRange declared = import.from->items.lookup(name);
  auto [first, isNew] = into.items.try_emplace(name, declared);
  if (!isNew && first->second.begin != declared.begin) {
    session.diagnostics.emit(import.name->range, diag::DuplicateName, shown(name), "in this file")
        .note(first->second, diag::DeclaredHere, shown(name));
    return;
  }
  const FileNames &from = *import.from;
  if (auto function = from.functions.find(name); function != from.functions.end())
    into.functions.try_emplace(name, function->second);
  if (Type type = from.types.lookup(name))
    into.types.try_emplace(name, type);
  if (GenericStruct *generic = from.genericStructs.lookup(name))
    into.genericStructs.try_emplace(name, generic);
  if (ConstEntry *constant = from.constants.lookup(name))
    into.constants.try_emplace(name, constant);
}

void resolveImports(Session &session, const syntax::FileSet &files) {
  llvm::DenseMap<const syntax::File *, FileNames *> namesOf;
  for (FileNames &names : session.files)
    namesOf[names.file] = &names;
  std::vector<Import> imports;
  for (FileNames &names : session.files)
    for (const syntax::UseItem &use : names.file->uses)
      for (const syntax::Identifier &name : use.names)
        imports.push_back(importOf(session, names, namesOf.lookup(files.fileOf(use)), use, name));
  for (const Import &import : imports)
    add(session, import);
}

} // namespace spl::sema
