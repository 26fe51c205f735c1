// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "frontend/sema/expressions/NamedWords.h"
#include "frontend/sema/DiagnosticText.h"

namespace spl::sema {

void reportNotAWord(Session &session, StringRef parameter, const syntax::Expr &expr,
                    ArrayRef<StringRef> known) {
  if (expr.kind == syntax::Expr::Kind::Error)
    return;
  std::string words;
  for (StringRef word : known)
    words += (words.empty() ? "" : word == known.back() ? " or " : ", ") + word.str();
  session.diagnostics.emit(expr.range, diag::BadWord, parameter, words, quoted(expr.range));
}

} // namespace spl::sema
