// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "spl/Module.h"

#include "runtime/backends/BackendContext.h"
#include "runtime/system/Checks.h"
#include "runtime/system/Names.h"
#include "spl/Context.h"
#include "spl/Error.h"
#include "spl/abi/Names.h"

#include <functional>
#include <numeric>

namespace spl {

const Signature &Kernel::signature() const { return module->kernels[index]; }

KernelAttributes Kernel::attributes() const { return module->attributes(index); }

Occupancy Kernel::occupancy(std::int64_t groupSize, std::int64_t sharedBytes) const {
  if (groupSize < 1 || sharedBytes < 0)
    detail::refuse("occupancy of " + name() + ": groups of " + std::to_string(groupSize) +
                   " work-items and " + std::to_string(sharedBytes) + " bytes of shared memory");
  Occupancy result;
  const DeviceInfo &device = module->context->info;
  if (groupSize <= attributes().groupSize)
    result.groupsPerUnit = module->groupsPerUnit(index, groupSize, sharedBytes);
  result.ofWorkItems = static_cast<double>(result.groupsPerUnit * groupSize) /
                       static_cast<double>(device.limits.unitSize);
  return result;
}

std::int64_t Kernel::suggestedGroupSize(std::int64_t sharedBytes) const {
  if (sharedBytes < 0)
    detail::refuse("a group size for " + name() + ": groups with " + std::to_string(sharedBytes) +
                   " bytes of shared memory");
  if (const std::vector<std::int64_t> &block = signature().block(); !block.empty())
    return std::accumulate(block.begin(), block.end(), std::int64_t{1}, std::multiplies());
  return module->suggestedGroupSize(index, sharedBytes);
}

std::int64_t Kernel::maxCooperativeGroups(std::int64_t groupSize, std::int64_t sharedBytes) const {
  if (groupSize < 1 || sharedBytes < 0)
    detail::refuse("maxCooperativeGroups of " + name() + ": groups of " +
                   std::to_string(groupSize) + " work-items and " + std::to_string(sharedBytes) +
                   " bytes of shared memory");
  if (groupSize > attributes().groupSize)
    return 0;
  return module->cooperativeLimit(index, groupSize, sharedBytes).groups;
}

Module Module::load(const Context &context, Image image) {
  detail::BackendContext &opened = context.usable();
  const auto *code = std::get_if<DeviceCode>(&image);
  if (code && code->bytes.empty())
    throw Error({.code = ErrorCode::InvalidImage,
                 .message = "the image is empty",
                 .hint = "see whether the file that it was read from is there"});
  if (code && isBundle(code->bytes)) {
    if (!code->signatures.empty())
      detail::refuse("load: signatures are given, and the image is a bundle, which has them");
    image = opened.choose(readBundle(code->bytes));
  }
  return Module(opened.load(std::move(image)));
}

Module Module::load(const Context &context, std::string_view bytes,
                    std::vector<std::string> signatures) {
  return load(context, DeviceCode{std::string(bytes), std::move(signatures)});
}

Kernel Module::operator[](std::string_view name) const {
  const std::string entry = abi::entryName(name);
  std::vector<std::string> known;
  for (std::size_t i = 0; i < loaded->kernels.size(); ++i) {
    if (abi::entryName(loaded->kernels[i].name()) == entry)
      return Kernel(loaded, i);
    known.push_back(loaded->kernels[i].name());
  }
  throw Error({.code = ErrorCode::UnknownKernel,
               .message = "there is no kernel " + detail::quoted(name),
               .hint = known.empty() ? "the module has no kernels"
                                     : "the module has " + detail::joinNames(known) +
                                           detail::didYouMean(name, known)});
}

std::vector<Kernel> Module::kernels() const {
  std::vector<Kernel> result;
  for (std::size_t i = 0; i < loaded->kernels.size(); ++i)
    result.push_back(Kernel(loaded, i));
  return result;
}

} // namespace spl
