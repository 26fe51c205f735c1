// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "programs/Run.h"

#include <algorithm>
#include <fstream>
#include <iterator>

namespace programs {

bool KernelReport::uncheckedButForMemory() const {
  return unmet == 0 && std::ranges::all_of(checks.left, [](const spl::abi::LeftCheck &check) {
           return check.reason.starts_with("depends on memory");
         });
}

namespace {

std::string textOf(const std::string &path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    throw std::runtime_error("cannot read " + path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

} // namespace

Run::Run(const spl::Context &context, const Settings &settings, std::string program)
    : device(context), settings(settings), program(std::move(program)), random(settings.seed) {}

std::size_t Run::scaledSide(std::size_t side) const {
  return static_cast<std::size_t>(
      std::llround(double(side) * std::sqrt(static_cast<double>(settings.scale))));
}

spl::Module Run::load(const std::vector<std::string> &instances) {
  if (!settings.ptx.empty())
    return spl::Module::load(device, textOf(settings.ptx + "/" + program + ".ptx"));
  const std::string file = settings.folder + "/" + program + "/" + program + ".spl";
  const spl::jit::Options options{
      .optLevel = settings.level, .checks = settings.checks, .instances = instances};
  for (spl::jit::CheckReport &checks : spl::jit::reportChecksOfFile(device, file, options))
    reports[checks.kernel].checks = std::move(checks);
  return spl::jit::loadFile(device, file, options);
}

void Run::note(const std::string &kernel, const std::optional<spl::UnmetContract> &unmet) {
  KernelReport &report = reports[kernel];
  ++report.launches;
  if (unmet && report.unmet++ == 0)
    report.firstUnmet = *unmet;
}

void Run::expectSize(std::string_view what, std::size_t actual, std::size_t expected) const {
  if (actual != expected)
    throw Different(std::string(what) + " has " + std::to_string(actual) +
                    " elements, and the reference has " + std::to_string(expected));
}

std::map<std::string, KernelReport> Run::kernels() const {
  std::map<std::string, KernelReport> launched = reports;
  std::erase_if(launched, [](const auto &entry) { return entry.second.launches == 0; });
  return launched;
}

} // namespace programs
