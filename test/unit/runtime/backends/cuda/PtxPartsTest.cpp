// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tests how PTX is split into what is loaded with a module and what is loaded later.
#include "runtime/backends/cuda/PtxParts.h"

#include <gtest/gtest.h>

using namespace spl;

namespace {

const std::string header = ".version 7.0\n.target sm_80\n.address_size 64\n";

std::vector<Signature> kernels(const std::vector<std::string> &names) {
  std::vector<Signature> result;
  for (const std::string &name : names)
    result.emplace_back(name + "(n: i64) unchecked if n <= 9");
  return result;
}

std::string entry(const std::string &name, const std::string &limit = "") {
  return ".visible .entry " + name + "(\n\t.param .u64 n\n)\n" + limit + "{\n\tret;\n}\n";
}

std::string later(const std::string &name) { return "// spl.later " + name + "\n"; }

/// What is loaded for the entry \p name, whose text in the file is \p text.
std::string loadedFor(const std::string &name, const std::string &text) {
  const CompiledCode code =
      detail::splitPtx(header + entry(name + "$unchecked") + later(name) + text, kernels({name}));
  EXPECT_EQ(code.later, std::set<std::string>{name});
  return code.compileLater(name, 96);
}

} // namespace

TEST(PtxParts, HaveTheHeaderOfTheText) {
  // A signature may have the words of the header.
  const std::string signature =
      "// spl.kernel a(t.version: i64, t.entry: i64, t.address_size: i64)\n";
  const std::string first = signature + "\n" + header + entry("a$unchecked");
  const CompiledCode code = detail::splitPtx(first + later("a") + entry("a"), kernels({"a"}));
  EXPECT_EQ(code.bytes, first);
  EXPECT_EQ(code.compileLater("a", 8), header + later("a") + entry("a", ".maxntid 8\n"));
}

TEST(PtxParts, AreFoundByTheirWholeNames) {
  const std::string first = header + entry("a$unchecked") + entry("ab$unchecked");
  const std::string text = first + later("ab") + entry("ab") + later("a") + entry("a");
  const CompiledCode code = detail::splitPtx(text, kernels({"a", "ab"}));
  EXPECT_EQ(code.bytes, first);
  for (const char *name : {"a", "ab"})
    EXPECT_EQ(code.compileLater(name, 8), header + later(name) + entry(name, ".maxntid 8\n"));
  // The entry of a kernel whose signature is not given stays.
  EXPECT_EQ(detail::splitPtx(text, kernels({"a"})).bytes, first + later("ab") + entry("ab"));
}

TEST(PtxParts, TakeTheLimitOfGroupsUnlessTheyHaveOne) {
  EXPECT_EQ(loadedFor("parentid", entry("parentid")),
            header + later("parentid") + entry("parentid", ".maxntid 96\n"));
  for (const char *limit : {".maxntid 64\n", ".reqntid 8, 4, 1\n"})
    EXPECT_EQ(loadedFor("a", entry("a", limit)), header + later("a") + entry("a", limit));
  // Without the entry, and without a newline at the end.
  EXPECT_EQ(loadedFor("a", ".global .b32 x;"), header + later("a") + ".global .b32 x;");
}

TEST(PtxParts, AreNoneWithoutAHeader) {
  for (const std::string &text :
       {std::string(), later("a") + entry("a"), entry("b") + header + later("a") + entry("a")}) {
    const CompiledCode code = detail::splitPtx(text, kernels({"a"}));
    EXPECT_EQ(code.bytes, text);
    EXPECT_TRUE(code.later.empty());
  }
}
