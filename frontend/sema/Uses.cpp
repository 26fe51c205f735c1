// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Names that one file uses from another. Files may use each other: only what a file declares itself can
// be used, so there is nothing to wait for.
#include "frontend/sema/Nearest.h"
#include "frontend/sema/Session.h"
#include "frontend/sema/Wording.h"

namespace spl::sema {
namespace {

/// A name to add to a file's, once every file has been looked at.
struct Import {
  FileNames *into;
  const syntax::Identifier *name;
  std::optional<unsigned> function; ///< none: nothing is known of it, and uses stay silent
};

} // namespace

static Import importOf(Session &session, FileNames &into, const FileNames *from,
                       const syntax::UseItem &use, const syntax::Identifier &name) {
  Import import{&into, &name, std::nullopt};
  if (!from || from->skipped.contains(name.name)) // reported
    return import;
  if (auto function = from->functions.find(name.name); function != from->functions.end()) {
    import.function = function->second;
    return import;
  }
  Nearest nearest(name.name);
  for (const auto &[known, index] : from->functions)
    nearest.consider(known);
  session.diagnostics.emit(name.range, diag::UseUnknown, use.path.back().name, shown(name.name),
                           didYouMean(nearest.best()));
  return import;
}

static void add(Session &session, const Import &import) {
  StringRef name = import.name->name;
  if (!import.function) {
    import.into->skipped.insert(name);
    return;
  }
  auto [first, isNew] = import.into->functions.try_emplace(name, *import.function);
  if (!isNew && first->second != *import.function)
    session.diagnostics
        .emit(import.name->range, diag::DuplicateName, shown(name), "in this file")
        .note(session.functions[first->second].function->range, diag::DeclaredHere, shown(name));
}

void resolveUses(Session &session, const syntax::FileSet &files) {
  llvm::DenseMap<const syntax::File *, FileNames *> namesOf;
  for (FileNames &names : session.files)
    namesOf[names.file] = &names;
  std::vector<Import> imports;
  for (FileNames &names : session.files)
    for (const syntax::UseItem &use : names.file->uses)
      for (const syntax::Identifier &name : use.names)
        imports.push_back(
            importOf(session, names, namesOf.lookup(files.fileOf(use)), use, name));
  for (const Import &import : imports)
    add(session, import);
}

} // namespace spl::sema
