// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "frontend/syntax/Ast.h"

#include "llvm/Support/ErrorHandling.h"

namespace spl::syntax {

StringRef spelling(BinaryOp op) {
  switch (op) {
#define BINARY(Id, Spelling, Token, Precedence, Family)                                            \
  case BinaryOp::Id:                                                                               \
    return Spelling;
#include "frontend/syntax/Operators.def"
  }
  llvm_unreachable("every kind is above");
}

StringRef spelling(UnaryOp op) {
  switch (op) {
#define UNARY(Id, Spelling)                                                                        \
  case UnaryOp::Id:                                                                                \
    return Spelling;
#include "frontend/syntax/Operators.def"
  }
  llvm_unreachable("every kind is above");
}

} // namespace spl::syntax
