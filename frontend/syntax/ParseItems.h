// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Items: functions, structs, enums, constants and uses; names and docstrings.
#pragma once

#include "frontend/syntax/ParserContext.h"

namespace spl::syntax {

void parseFile(Parser &parser);

/// Structs and enums: ParseRecords.cpp.
void parseStruct(Parser &parser);
void parseEnum(Parser &parser);

/// Functions: ParseFunctions.cpp, ParseAttributes.cpp. Returns null if not even the name could be
/// parsed.
FunctionItem *parseFunction(Parser &parser, const FunctionAttributes &attributes, bool isMethod);
/// Parses [T: Num, const N: i64] if it is there. `otherwise` is what the error about a '<' expects.
bool parseGenerics(Parser &parser, StringRef otherwise, ArrayRef<GenericParameter> &generics);
void parseAttribute(Parser &parser, FunctionAttributes &attributes);
bool parseAliasAttribute(Parser &parser);
/// Accepts an attribute without its '#', and reports it.
bool acceptBareAttribute(Parser &parser);

std::optional<Identifier> parseName(Parser &parser, StringRef what);
StringRef parseDocstring(Parser &parser);

/// Skips to the next item after an error.
void skipLinesToItem(Parser &parser);
/// Stores the names in the text that was skipped after an error, so that no use of them is
/// reported.
void skipNames(Parser &parser, const char *begin);

} // namespace spl::syntax
