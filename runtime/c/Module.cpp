// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/c/module.h"

#include "runtime/c/Calls.h"
#include "runtime/c/Objects.h"

#include <algorithm>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

using namespace spl;
using namespace spl::capi;

KernelObject::KernelObject(Kernel taken)
    : kernel(std::move(taken)), signature(kernel.signature().str()),
      prototype(kernel.signature().prototype()) {
  for (const Parameter &parameter : kernel.signature().parameters()) {
    types.push_back(parameter.type.str());
    elements.push_back(parameter.type.element.str());
  }
}

namespace {

/// Owns code. The last user of the code destroys this object, which calls the release function.
struct CodeOwner : CReleaseFunction {
  using CReleaseFunction::CReleaseFunction;
  CodeOwner(const CodeOwner &) = delete;
  CodeOwner &operator=(const CodeOwner &) = delete;
  ~CodeOwner() { call(); }
};

} // namespace

extern "C" {

spl_status spl_module_load(spl_context context, const void *image, size_t size,
                           const char *const *signatures, size_t count, spl_module *module) {
  return call([&] {
    requirePointer(module, "module");
    const auto in = object<ContextObject>(context);
    const std::string_view bytes(static_cast<const char *>(requirePointer(image, "image")), size);
    std::vector<std::string> texts;
    for (const char *signature : listOf(signatures, count, "signatures"))
      texts.emplace_back(requirePointer(signature, "signatures[]"));
    *module = makeObject<ModuleObject>(Module::load(in->context, bytes, std::move(texts)));
  });
}

spl_status spl_module_load_host(spl_context context, const spl_host_kernel *kernels, size_t count,
                                void (*release)(void *user), void *user, spl_module *module) {
  return call([&] {
    requirePointer(module, "module");
    const auto in = object<ContextObject>(context);
    HostCode code;
    for (const spl_host_kernel &kernel : listOf(kernels, count, "kernels"))
      code.kernels.push_back({requirePointer(kernel.signature, "kernels[].signature"),
                              requirePointer(kernel.entry, "kernels[].entry"), kernel.unchecked});
    const auto owner = std::make_shared<CodeOwner>(release, user);
    code.owner = owner;
    *module = makeObject<ModuleObject>(Module::load(in->context, std::move(code)));
    owner->arm(); // nobody has a handle yet with which to free the module
  });
}

spl_status spl_module_kernel_count(spl_module module, size_t *count) {
  return call([&] {
    requirePointer(count, "count");
    *count = object<ModuleObject>(module)->module.kernels().size();
  });
}

spl_status spl_module_kernel_at(spl_module module, size_t index, spl_kernel *kernel) {
  return call([&] {
    requirePointer(kernel, "kernel");
    *kernel = makeKernel(at(object<ModuleObject>(module)->module.kernels(), index, "kernels"));
  });
}

spl_status spl_module_kernel(spl_module module, const char *name, spl_kernel *kernel) {
  return call([&] {
    requirePointer(kernel, "kernel");
    *kernel = makeKernel(object<ModuleObject>(module)->module[requirePointer(name, "name")]);
  });
}

spl_status spl_module_free(spl_module module) {
  return call([&] { freeHandle<ModuleObject>(module); });
}

spl_status spl_kernel_get(spl_kernel kernel, spl_kernel_info *info) {
  return call([&] {
    requirePointer(info, "info");
    const auto held = object<KernelObject>(kernel);
    const Signature &signature = held->kernel.signature();
    *info = {.name = signature.name().c_str(),
             .signature = held->signature.c_str(),
             .prototype = held->prototype.c_str(),
             .contract = signature.contract().c_str(),
             .parameters = signature.parameters().size(),
             .block_rank = static_cast<std::int32_t>(signature.block().size()),
             .block = {}};
    std::copy(signature.block().begin(), signature.block().end(), info->block);
  });
}

spl_status spl_kernel_parameter(spl_kernel kernel, size_t index, spl_parameter *parameter) {
  return call([&] {
    requirePointer(parameter, "parameter");
    const auto held = object<KernelObject>(kernel);
    const Parameter &found = at(held->kernel.signature().parameters(), index, "parameters");
    *parameter = {.name = found.name.c_str(),
                  .type = held->types[index].c_str(),
                  .element = held->elements[index].c_str(),
                  .element_bytes = found.type.element.size(),
                  .rank = found.type.rank,
                  .is_mutable = found.type.isMutable,
                  .is_alias = found.isAlias};
  });
}

spl_status spl_kernel_attributes(spl_kernel kernel, spl_kernel_attributes_info *attributes) {
  return call([&] {
    requirePointer(attributes, "attributes");
    const KernelAttributes found = object<KernelObject>(kernel)->kernel.attributes();
    *attributes = {.registers = found.registers,
                   .shared_bytes = found.sharedBytes,
                   .local_bytes = found.localBytes,
                   .constant_bytes = found.constantBytes,
                   .group_size = found.groupSize};
  });
}

spl_status spl_kernel_occupancy(spl_kernel kernel, int64_t group_size, int64_t shared_bytes,
                                int32_t *groups_per_unit, double *of_work_items) {
  return call([&] {
    requirePointer(groups_per_unit, "groups_per_unit");
    requirePointer(of_work_items, "of_work_items");
    const Occupancy found =
        object<KernelObject>(kernel)->kernel.occupancy(group_size, shared_bytes);
    *groups_per_unit = found.groupsPerUnit;
    *of_work_items = found.ofWorkItems;
  });
}

spl_status spl_kernel_suggested_group_size(spl_kernel kernel, int64_t shared_bytes,
                                           int64_t *group_size) {
  return call([&] {
    requirePointer(group_size, "group_size");
    *group_size = object<KernelObject>(kernel)->kernel.suggestedGroupSize(shared_bytes);
  });
}

spl_status spl_kernel_max_cooperative_groups(spl_kernel kernel, int64_t group_size,
                                             int64_t shared_bytes, int64_t *groups) {
  return call([&] {
    requirePointer(groups, "groups");
    *groups = object<KernelObject>(kernel)->kernel.maxCooperativeGroups(group_size, shared_bytes);
  });
}

spl_status spl_kernel_free(spl_kernel kernel) {
  return call([&] { freeHandle<KernelObject>(kernel); });
}

} // extern "C"
