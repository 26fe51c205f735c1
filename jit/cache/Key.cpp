// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "jit/cache/Key.h"
#include "frontend/syntax/Search.h"
#include "jit/cache/Bytes.h"
#include "jit/cache/CompilerId.h"

namespace spl::jit {

// The structured bindings name every field. A new option therefore does not compile until it is
// handled here.
static void addOptions(Writer &key, const driver::CompileOptions &options) {
  const auto &[codegen, strictFp, kernels, includes, instances, stats] = options;
  const auto &[target, optLevel, checks, contracts, fastMath, lineInfo, instrument, own, timePasses,
               printAfter] = codegen;
  key.text(target.str());
  key.text(target->cacheKey(codegen));
  key.text(checks.str());
  for (unsigned number : {optLevel, unsigned(contracts), unsigned(fastMath), unsigned(lineInfo),
                          unsigned(instrument), unsigned(strictFp)})
    key.number(number);
  key.number(own.all().size());
  for (const auto &[name, value] : own.all()) {
    key.text(name);
    key.text(value);
  }
  key.texts(kernels);
  key.texts(includes);
  key.texts(instances);
  (void)stats, (void)timePasses, (void)printAfter; // do not change the code
}

llvm::Expected<std::string> keyOf(const driver::Compilation &compilation, llvm::StringRef output) {
  llvm::Expected<std::string> compiler = compilerId();
  if (!compiler)
    return compiler.takeError();
  Writer key;
  key.text(*compiler);
  key.text(output);
  addOptions(key, compilation.options());
  const driver::Source &source = compilation.source();
  key.text(source.name); // faults name it
  // 'use' searches the folder of the file.
  key.text(source.isFile ? syntax::realPath(source.name) : "");
  key.number(source.isFile);
  key.text(source.text);
  return key.take();
}

} // namespace spl::jit
