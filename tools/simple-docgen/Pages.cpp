// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/simple-docgen/Pages.h"
#include "codegen/Target.h"
#include "frontend/diag/Diagnostics.h"
#include "intrinsics/Intrinsics.h"
#include "tools/simple-docgen/Examples.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"
#include <vector>

namespace spl::docgen {
namespace {

llvm::StringRef severity(diag::Severity severity) {
  switch (severity) {
  case diag::Severity::Error:
    return "error";
  case diag::Severity::Warning:
    return "warning";
  case diag::Severity::Note:
    return "note";
  }
  llvm_unreachable("no such severity");
}

// Escapes the characters with a meaning in a table cell: bars, and the beginnings of tags and
// links.
std::string cell(llvm::StringRef text) {
  std::string escaped;
  bool isCode = false;
  for (char c : text) {
    isCode ^= c == '`';
    if (c == '|' || (!isCode && (c == '<' || c == '[')))
      escaped += '\\';
    escaped += c;
  }
  return escaped;
}

// Formats a line of source as code. A bar is escaped, because it ends the cell even in code.
std::string code(llvm::StringRef line) {
  std::string escaped;
  for (char c : line)
    escaped += (c == '|' ? "\\" : "") + std::string(1, c);
  return "`` " + escaped + " ``";
}

/// A name that a message shows in brackets, and what it means.
struct NamedMeaning {
  llvm::StringLiteral name, meaning;
};

constexpr NamedMeaning faults[] = {
#define SPL_FAULT_KIND(NAME, NUMBER, TEXT, SENTENCE) {TEXT, SENTENCE},
#include "abi/include/spl/FaultKinds.def"
};
constexpr NamedMeaning findings[] = {
#define SPL_FINDING_KIND(NAME, TEXT, MEANING) {TEXT, MEANING},
#include "runtime/include/spl/FindingKinds.def"
};
constexpr NamedMeaning errorCodes[] = {
#define SPL_ERROR_CODE(NAME, NUMBER, C_NAME, TEXT, MEANING) {TEXT, MEANING},
#include "runtime/include/spl/ErrorCodes.def"
};

void writeNames(llvm::StringRef head, llvm::StringRef column, llvm::ArrayRef<NamedMeaning> rows,
                llvm::raw_ostream &os) {
  os << "\n## " << head << "\n\n| name | " << column << " |\n| --- | --- |\n";
  for (const NamedMeaning &row : rows)
    os << "| `" << row.name << "` | " << cell(row.meaning) << " |\n";
}

} // namespace

void writeIntrinsics(llvm::raw_ostream &os) {
  os << "<!-- Made from intrinsics/Intrinsics.def by 'ninja docs'; do not edit. -->\n"
        "# Intrinsics\n\n"
        "The names of `gpu` and `math`. Letters in a signature are types. In one row, a letter is "
        "the same type everywhere.\n\n"
        "| letter | type |\n| --- | --- |\n"
        "| `F`, `N`, `I` | a float, a number, an integer; or a vector of such, lane by lane |\n"
        "| `W` | `i32` or `u32` |\n"
        "| `T` | any scalar or vector |\n"
        "| `A` | a scalar, vector or enum; or a struct, tuple or array of such |\n"
        "| `V`, `V4` | a vector of floats; one with four lanes |\n"
        "| `M` | a mask |\n"
        "| `E` | the element type of the row's vector |\n"
        "| `B` | `bool`, or a mask with as many lanes |\n"
        "| `X` | an integer of any type, or a vector of such |\n"
        "| `U` | a type of the same size |\n\n"
        "`axis` is the constant 0, 1 or 2. It is 0 if it is left out. `width` is a constant "
        "2, 4, 8, 16 or 32, given by name. It is 32 if it is left out.\n\n"
        "| name | signature | meaning";
  for (const codegen::Target *target : codegen::allTargets())
    os << " | " << target->title();
  os << " |\n| --- | --- | ---";
  for (size_t i = 0; i != codegen::allTargets().size(); ++i)
    os << " | ---";
  os << " |\n";
  for (const intrinsics::Row &row : intrinsics::all())
    if (!row.name.starts_with("op.")) {
      os << "| `" << row.name << "` | `" << row.signature << "` | " << cell(row.doc);
      for (const codegen::Target *target : codegen::allTargets())
        os << " | " << target->lowering(row.id).doc;
      os << " |\n";
    }
  os << "\n## Memory\n\n"
        "The arguments are places, types in brackets and words.\n\n"
        "| name | signature | meaning |\n| --- | --- | --- |\n";
  for (const intrinsics::MemoryRow &row : intrinsics::allMemory())
    os << "| `" << row.name << "` | `" << row.signature << "` | " << cell(row.doc) << " |\n";
}

void writeTargets(llvm::raw_ostream &os) {
  os << "<!-- Made from codegen/targets by 'ninja docs'; do not edit. -->\n"
        "# Targets\n\n"
        "What `simple compile` generates code for. The output in bold is the default of "
        "`--emit`.\n\n"
        "| target | `--target` | `--emit` | options of its own |\n| --- | --- | --- | --- |\n";
  for (const codegen::Target *target : codegen::allTargets()) {
    os << "| " << target->title() << " | " << target->wordsInShort() << " | ";
    llvm::StringRef separator;
    for (const codegen::Output &output : target->outputs()) {
      if (output.is(codegen::Output::Hidden))
        continue;
      const llvm::StringRef mark = output.is(codegen::Output::Default) ? "**" : "";
      os << separator << mark << '`' << output.name << '`' << mark;
      separator = ", ";
    }
    os << " | ";
    separator = "";
    for (const codegen::TargetOption &option : target->options()) {
      os << separator << "`--" << option.name << (option.word.empty() ? "" : " ") << option.word
         << '`';
      separator = ", ";
    }
    os << " |\n";
  }
  os << "\n[cli.md](cli.md#simple-compile) says what each output and option is.\n";
}

void writeMath(llvm::raw_ostream &os) {
  struct Row {
    llvm::StringLiteral target, function, type;
    double distance, ulps;
    llvm::StringLiteral x, y;
    uint64_t values;
  };
  static constexpr Row rows[] = {
#define MEASURED(Library, Function, Type, Distance, Ulps, X, Y, Values)                            \
  {Library, Function, Type, Distance, Ulps, X, Y, Values},
#include "intrinsics/Measured.def"
  };
  os << "<!-- Made from intrinsics/Measured.def by 'ninja docs'; do not edit. -->\n"
        "# Errors of math functions\n\n"
        "The largest measured errors, in units in the last place (ulp) of the correctly rounded "
        "result.\n\n"
        "- `distance` is measured from that result. `error` is measured from the exact result, "
        "which differs by at most half a unit.\n"
        "- The target `every` has the project's own functions. They return the same bits on "
        "every target.\n"
        "- Infinity counts as the number after the largest one.\n"
        "- 4294967296 values are all values of `f32`. Otherwise the values are special ones, "
        "random bits and numbers of usual size.\n"
        "- [language.md](language.md#6-math) has the errors that the language allows.\n"
        "- `measure-math` measures; see [CONTRIBUTING.md](../CONTRIBUTING.md).\n\n"
        "| function | type | target | distance | error | at | values |\n"
        "| --- | --- | --- | --- | --- | --- | --- |\n";
  for (const Row &row : rows) {
    os << "| `" << row.function << "` | " << row.type << " | " << row.target << " | "
       << llvm::format("%.0f | %.2f", row.distance, row.ulps) << " | ";
    if (row.distance == 0)
      os << "nowhere";
    else
      os << row.x << (row.y == "0x0p+0" ? "" : ", ") << (row.y == "0x0p+0" ? "" : row.y);
    os << " | " << row.values << " |\n";
  }
}

bool writeDiagnostics(llvm::StringRef tests, llvm::raw_ostream &os) {
  os << "<!-- Made from frontend/diag/*.def, FaultKinds.def, FindingKinds.def, ErrorCodes.def and "
        "the tests by 'ninja docs'; do not edit. -->\n"
        "# Diagnostics\n\n"
        "Each message has a name, which is shown in brackets after it. This page lists the names "
        "of the [compiler](#the-compiler),\n"
        "of [faults](#faults), of [findings](#findings) and of "
        "[errors of the runtime](#errors-of-the-runtime).\n"
        "Words in braces, such as `{0}` and `{value}`, are arguments of the message.\n\n"
        "## The compiler\n\n"
        "The example is a line for which a test expects the message. Where there is no such line, "
        "or where the whole text is `{0}`,\n"
        "it is a message that a test expects.\n\n"
        "| name | severity | text | example |\n| --- | --- | --- | --- |\n";
  const Examples examples(tests);
  std::vector<diag::Info> rows;
  for (unsigned kind = 0; kind != diag::count(); ++kind)
    rows.push_back(diag::info(diag::Kind(kind)));
  llvm::sort(rows, [](const diag::Info &a, const diag::Info &b) { return a.name < b.name; });
  for (const diag::Info &row : rows) {
    os << "| `" << row.name << "` | " << severity(row.severity) << " | " << cell(row.format)
       << " | ";
    const std::string example = examples.of(row);
    if (example.empty()) {
      llvm::errs() << "no test shows an example of [" << row.name << "]\n";
      return false;
    }
    os << code(example) << " |\n";
  }
  writeNames("Faults", "message", faults, os);
  // The last kind of finding is a fault, which has its own name.
  writeNames("Findings", "meaning", llvm::ArrayRef(findings).drop_back(), os);
  writeNames("Errors of the runtime", "meaning", errorCodes, os);
  return true;
}

} // namespace spl::docgen
