// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/c/jit.h"

#include "runtime/c/Calls.h"
#include "runtime/c/Objects.h"
#include "spl/jit.h"

using namespace spl;
using namespace spl::capi;

static std::vector<std::string> strings(const char *const *texts, std::size_t count,
                                        const char *name) {
  std::vector<std::string> result;
  for (const char *text : listOf(texts, count, name))
    result.emplace_back(requirePointer(text, name));
  return result;
}

static jit::Options optionsOf(const spl_jit_options *options) {
  if (!options)
    return {};
  jit::Options result;
  result.optLevel = options->opt_level;
  result.checks = requirePointer(options->checks, "options.checks");
  result.contracts = options->contracts != 0;
  result.strictFp = options->strict_fp != 0;
  result.fastMath = options->fast_math != 0;
  result.maxRegisters = options->max_registers;
  result.interruptible = options->interruptible != 0;
  result.lineInfo = options->line_info != 0;
  result.includes = strings(options->includes, options->include_count, "options.includes");
  result.instances = strings(options->instances, options->instance_count, "options.instances");
  result.cache = options->cache != 0;
  if (options->on_warning)
    result.onWarning = [warn = options->on_warning, user = options->user](const std::string &text) {
      enter([&] { warn(user, text.c_str()); });
    };
  return result;
}

extern "C" {

spl_status spl_jit_default_options(spl_jit_options *options) {
  return call([&] {
    requirePointer(options, "options");
    *options = {};
    options->opt_level = 2;
    options->checks = "all";
    options->contracts = 1;
    options->cache = 1;
  });
}

spl_status spl_jit_load_file(spl_context context, const char *path, const spl_jit_options *options,
                             spl_module *module) {
  return call([&] {
    requirePointer(module, "module");
    const auto in = object<ContextObject>(context);
    *module = makeObject<ModuleObject>(
        jit::loadFile(in->context, requirePointer(path, "path"), optionsOf(options)));
  });
}

spl_status spl_jit_load_source(spl_context context, const char *text, const char *name,
                               const spl_jit_options *options, spl_module *module) {
  return call([&] {
    requirePointer(module, "module");
    const auto in = object<ContextObject>(context);
    *module = makeObject<ModuleObject>(jit::loadSource(
        in->context, requirePointer(text, "text"), name ? name : "<source>", optionsOf(options)));
  });
}

} // extern "C"
