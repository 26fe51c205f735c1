// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "runtime/backends/cuda/PtxParts.h"

#include "spl/abi/Names.h"

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string_view>
#include <utility>

namespace spl::detail {

static std::string_view takeLine(std::string_view &text) {
  const std::string_view line = text.substr(0, std::min(text.find('\n'), text.size() - 1) + 1);
  text.remove_prefix(line.size());
  return line;
}

/// The directives that begin each module: the lines from ".version" to ".address_size". Empty if
/// other lines than comments are in front of them.
static std::string_view headerOf(std::string_view ptx) {
  const char *begin = nullptr;
  for (std::string_view rest = ptx; !rest.empty();) {
    const std::string_view line = takeLine(rest);
    if (!begin && line.starts_with(".version"))
      begin = line.data();
    if (begin && line.starts_with(".address_size"))
      return {begin, rest.data()};
    if (!begin && !line.starts_with("//") && line.find_first_not_of(" \t\r\n") != line.npos)
      break;
  }
  return "";
}

/// The entries that CompiledCode::later may have.
static std::set<std::string> seldomRun(const std::vector<Signature> &kernels) {
  std::set<std::string> entries;
  for (const Signature &kernel : kernels) {
    if (kernel.versionCount() == 1)
      continue;
    for (std::size_t version = 0; version != kernel.versionCount(); ++version)
      if (version != abi::Contract::Unchecked)
        entries.insert(abi::entryName(kernel.name()) + abi::versionSuffix(version));
  }
  return entries;
}

/// Lets groups of this size run an entry that has no group size, so that ptxas limits its
/// registers.
static std::string withGroupSize(std::string ptx, const std::string &entry,
                                 std::int64_t groupSize) {
  const std::size_t begin = ptx.find(".entry " + entry + "("), body = ptx.find("\n{", begin);
  if (body == ptx.npos)
    return ptx;
  const std::string_view directives = std::string_view(ptx).substr(begin, body - begin);
  if (directives.find("\n.maxntid") == ptx.npos && directives.find("\n.reqntid") == ptx.npos)
    ptx.insert(body, "\n.maxntid " + std::to_string(groupSize));
  return ptx;
}

CompiledCode splitPtx(std::string ptx, std::vector<Signature> kernels) {
  const std::string_view header = headerOf(ptx);
  if (header.empty())
    return {.bytes = std::move(ptx), .kernels = std::move(kernels)};
  const std::set<std::string> seldom = seldomRun(kernels);
  std::string_view rest = std::string_view(ptx).substr(header.data() + header.size() - ptx.data());
  CompiledCode code{.bytes = ptx.substr(0, ptx.size() - rest.size()),
                    .kernels = std::move(kernels)};
  std::map<std::string, std::string> parts; // by the names of their entries
  for (std::string *current = &code.bytes; !rest.empty();) {
    const std::string_view line = takeLine(rest);
    if (line.starts_with(abi::laterLine)) {
      const std::string_view name = line.substr(abi::laterLine.size());
      const std::string entry(name.substr(0, name.find_last_not_of(" \t\r\n") + 1));
      current =
          seldom.contains(entry) ? &parts.try_emplace(entry, header).first->second : &code.bytes;
    }
    *current += line;
  }
  for (const auto &part : parts)
    code.later.insert(part.first);
  if (!parts.empty())
    code.compileLater = [parts = std::move(parts)](const std::string &entry,
                                                   std::int64_t groupSize) {
      return withGroupSize(parts.at(entry), entry, groupSize);
    };
  return code;
}

} // namespace spl::detail
