// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "codegen/targets/nvptx/FaultSites.h"
#include "spl/fault_record.h"
#include "llvm/Support/Endian.h"
#include "llvm/Support/LEB128.h"
#include "llvm/Support/raw_ostream.h"

namespace spl::codegen {

/// The number of a text among those with numbers, which has the next one if it is new.
static uint32_t numberOf(llvm::StringRef text, llvm::StringMap<uint32_t> &numbers,
                         std::vector<std::string> &all) {
  auto [place, isNew] = numbers.try_emplace(text, all.size());
  if (isNew)
    all.push_back(text.str());
  return place->second;
}

uint32_t FaultSites::addText(llvm::StringRef text) { return numberOf(text, textNumbers, texts); }

uint32_t FaultSites::add(const FaultSite &site) {
  spl_fault_site row;
  row.kind = site.kind;
  row.isValueUnsigned = site.isValueUnsigned;
  row.line = site.line;
  row.column = site.column;
  row.file = addText(site.file);
  row.subject = addText(site.subject);
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
#define SPL_FAULT_SITE_FIELD(NAME) llvm::encodeULEB128(row.NAME, os);
#include "spl/FaultSite.def"
  return numberOf(bytes, siteNumbers, sites);
}

std::string FaultSites::table() const {
  std::string bytes;
  llvm::raw_string_ostream os(bytes);
  for (uint32_t word : {uint32_t(SPL_FAULT_TABLE_MAGIC), uint32_t(SPL_FAULT_VERSION)}) {
    char little[sizeof word];
    llvm::support::endian::write32le(little, word);
    os.write(little, sizeof little);
  }
  llvm::encodeULEB128(sites.size(), os);
  for (const std::string &site : sites)
    os << site;
  llvm::encodeULEB128(texts.size(), os);
  for (const std::string &text : texts)
    llvm::encodeULEB128(text.size(), os);
  for (const std::string &text : texts)
    os << text;
  return bytes;
}

} // namespace spl::codegen
