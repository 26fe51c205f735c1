// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "driver/Reproducer.h"
#include "frontend/syntax/FileSet.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "llvm/TargetParser/Host.h"

namespace spl::driver {
namespace {

namespace fs = llvm::sys::fs;
namespace path = llvm::sys::path;

std::string joined(llvm::StringRef folder, llvm::StringRef name) {
  llvm::SmallString<128> result(folder);
  path::append(result, name);
  return result.str().str();
}

std::string folderOf(llvm::StringRef file) {
  const llvm::StringRef folder = path::parent_path(file);
  return folder.empty() ? "." : folder.str();
}

/// Quotes a word for the shell.
std::string quoted(llvm::StringRef word) {
  std::string text = "'";
  for (char c : word)
    text += c == '\'' ? "'\\''" : std::string(1, c);
  return text + "'";
}

llvm::Error write(const std::string &file, llvm::StringRef text) {
  if (std::error_code error = fs::create_directories(path::parent_path(file)))
    return llvm::createFileError(file, error);
  std::error_code error;
  llvm::raw_fd_ostream stream(file, error);
  if (!error) {
    stream << text;
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  return error ? llvm::createFileError(file, error) : llvm::Error::success();
}

/// Writes the files that 'use' found into the same structure of folders, so that the same searches
/// find them again.
llvm::Error writeUsed(const syntax::FileSet &files, const Source &source,
                      const CompileOptions &options, const std::string &folder) {
  llvm::StringMap<llvm::StringRef> texts; // by the file name in messages
  for (const auto &[file, text] : llvm::zip_equal(files.files(), files.texts()))
    texts[file->name] = text;
  llvm::StringMap<std::string> places; // folders of the user, and their copies in the reproducer
  places[folderOf(source.name)] = joined(folder, "src");
  for (const auto &[number, root] : llvm::enumerate(options.includes))
    places.try_emplace(root, joined(folder, "include" + std::to_string(number)));
  for (const syntax::FileSet::Search &search : files.searches()) {
    const std::string place = joined(places.lookup(search.found.root), search.file);
    places.try_emplace(folderOf(search.found.path), path::parent_path(place));
    if (texts.contains(search.found.path))
      if (llvm::Error error = write(place, texts.lookup(search.found.path)))
        return error;
  }
  return llvm::Error::success();
}

// The structured bindings name every field. A new option therefore does not compile until it is
// handled here.
std::string commandLine(llvm::StringRef file, const CompileOptions &options,
                        llvm::StringRef output) {
  const auto &[codegen, strictFp, kernels, includes, instances, stats] = options;
  const auto &[target, optLevel, checks, contracts, fastMath, lineInfo, instrument, own, timePasses,
               printAfter] = codegen;
  std::string text = "simple compile " + quoted(file) + " --emit " + output.str() + " --target " +
                     quoted(target.str()) + " -O" + std::to_string(optLevel) + " --check " +
                     checks.str();
  const auto flag = [&](bool isOn, const char *name) { text += isOn ? name : ""; };
  flag(!contracts, " --no-contracts");
  flag(strictFp, " --strict-fp");
  flag(fastMath, " --fast-math");
  flag(lineInfo, " --lineinfo");
  for (const codegen::TargetOption &option : target->options())
    if (own.has(option.name))
      text += " --" + option.name.str() +
              (option.kind == codegen::TargetOption::Kind::Flag ? ""
                                                                : " " + own.get(option.name).str());
  for (const std::vector<std::string> *names : {&kernels, &instances})
    for (const std::string &name : *names)
      text += " --kernel " + quoted(name);
  for (size_t number = 0; number != includes.size(); ++number)
    text += " -I include" + std::to_string(number);
  (void)stats, (void)timePasses, (void)printAfter; // do not change the code
  return text + " -o /dev/null";
}

} // namespace

llvm::Expected<std::string> writeReproducer(const Source &source, const syntax::FileSet *files,
                                            const CompileOptions &options, llvm::StringRef output) {
  llvm::SmallString<128> prefix, folder;
  path::system_temp_directory(/*ErasedOnReboot=*/true, prefix);
  path::append(prefix, "simple-reproducer");
  if (std::error_code error = fs::createUniqueDirectory(prefix, folder))
    return llvm::createFileError(prefix, error);
  if (std::error_code error =
          fs::setPermissions(folder, fs::owner_all)) // only the user may read the source
    return llvm::createFileError(folder, error);
  const std::string root = folder.str().str();
  llvm::StringRef name = source.isFile ? path::filename(source.name) : "source.spl";
  if (llvm::Error error = write(joined(joined(root, "src"), name), source.text))
    return std::move(error);
  if (files)
    if (llvm::Error error = writeUsed(*files, source, options, root))
      return std::move(error);
  const std::string script = ("#!/bin/sh\n# " + llvm::Twine(llvm::sys::getProcessTriple()) + ", " +
                              llvm::sys::getHostCPUName() + "\ncd \"$(dirname \"$0\")\" && exec " +
                              commandLine(joined("src", name), options, output) + "\n")
                                 .str();
  if (llvm::Error error = write(joined(root, "run.sh"), script))
    return std::move(error);
  return root;
}

} // namespace spl::driver
