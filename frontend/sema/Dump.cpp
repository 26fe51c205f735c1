// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prints the typed tree. Statements are indented. Expressions are in prefix form with their types.
#include "frontend/sema/Program.h"
#include "llvm/ADT/SmallString.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Casting.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Support/raw_ostream.h"

namespace spl::sema {
namespace {

class Dumper {
public:
  explicit Dumper(llvm::raw_ostream &os) : os(os) {}
  void dump(const Function &function);

private:
  void dump(Block block, unsigned depth);
  void dump(const Stmt &stmt, unsigned depth);
  void dump(const LetStmt &let);
  void dump(const IfStmt &branch, unsigned depth);
  void dump(const ForStmt &loop, unsigned depth);
  void dump(const Expr &expr);
  void dumpOperation(const Expr &expr);
  void dumpConstant(const ConstantExpr &constant);
  void dump(ArrayRef<FormatPiece> format);
  /// Prints operands. A null operand is omitted in the source.
  void list(ArrayRef<const Expr *> operands);

  void show(const UnaryExpr &expr);
  void show(const BinaryExpr &expr);
  void show(const LogicalExpr &expr);
  void show(const CompareChainExpr &expr);
  void show(const ConditionalExpr &expr);
  void show(const CastExpr &expr);
  void show(const FmaExpr &expr);
  void show(const IndexExpr &expr);
  void show(const SubsliceExpr &expr);
  void show(const ReferenceExpr &expr);
  void show(const FieldExpr &expr);
  void show(const LaneExpr &expr);
  void show(const AtomicExpr &expr);
  void show(const SharedExpr &expr);
  void show(const SharedDynExpr &expr);
  void show(const AccessExpr &expr);
  void show(const BuildExpr &expr);
  void show(const ConstantDataExpr &expr);
  void show(const ExtentExpr &expr);
  void show(const IntrinsicExpr &expr);
  void show(const CallExpr &expr);

  llvm::raw_ostream &os;
};

void Dumper::dump(const Function &function) {
  os << (function.isKernel ? "kernel " : "fn ") << function.name << "(";
  llvm::ListSeparator separator;
  for (const Local *parameter : function.parameters)
    os << separator << parameter->name << ": " << parameter->type.str();
  os << ") -> " << function.result.str() << "\n";
  dump(function.body, 1);
}

void Dumper::dump(Block block, unsigned depth) {
  for (const Stmt *stmt : block) {
    os.indent(depth * 2);
    dump(*stmt, depth);
  }
}

void Dumper::dump(const Stmt &stmt, unsigned depth) {
  switch (stmt.kind) {
  case Stmt::Kind::Let:
    dump(llvm::cast<LetStmt>(stmt));
    break;
  case Stmt::Kind::Assign:
    dump(*llvm::cast<AssignStmt>(stmt).place);
    os << " = ";
    dump(*llvm::cast<AssignStmt>(stmt).value);
    break;
  case Stmt::Kind::Expr:
    dump(*llvm::cast<ExprStmt>(stmt).value);
    break;
  case Stmt::Kind::If:
    return dump(llvm::cast<IfStmt>(stmt), depth);
  case Stmt::Kind::While:
    os << "while ";
    dump(*llvm::cast<WhileStmt>(stmt).condition);
    os << "\n";
    dump(llvm::cast<WhileStmt>(stmt).body, depth + 1);
    return;
  case Stmt::Kind::For:
    return dump(llvm::cast<ForStmt>(stmt), depth);
  case Stmt::Kind::Print:
    os << "print";
    dump(llvm::cast<PrintStmt>(stmt).format);
    break;
  case Stmt::Kind::Assert:
    os << "assert ";
    dump(*llvm::cast<AssertStmt>(stmt).condition);
    dump(llvm::cast<AssertStmt>(stmt).format);
    break;
  case Stmt::Kind::Break:
    os << "break";
    break;
  case Stmt::Kind::Continue:
    os << "continue";
    break;
  case Stmt::Kind::Return:
    os << "return";
    if (const Expr *value = llvm::cast<ReturnStmt>(stmt).value) {
      os << " ";
      dump(*value);
    }
    break;
  }
  os << "\n";
}

void Dumper::dump(const LetStmt &let) {
  os << (let.local->isMutable ? "var " : "val ") << let.local->name << ": " << let.local->type.str()
     << " = ";
  dump(*let.value);
}

void Dumper::dump(const IfStmt &branch, unsigned depth) {
  for (const IfArm &arm : branch.arms) {
    if (&arm != branch.arms.begin())
      os.indent(depth * 2);
    os << (&arm == branch.arms.begin() ? "if " : "elif ");
    dump(*arm.condition);
    os << "\n";
    dump(arm.body, depth + 1);
  }
  if (!branch.otherwise.empty())
    os.indent(depth * 2) << "else\n";
  dump(branch.otherwise, depth + 1);
}

void Dumper::dump(const ForStmt &loop, unsigned depth) {
  os << "for " << loop.variable->name << ": " << loop.variable->type.str() << " in ";
  dump(*loop.lower);
  os << (loop.isInclusive ? " ..= " : " .. ");
  dump(*loop.upper);
  if (loop.step) {
    os << " step ";
    dump(*loop.step);
  }
  if (loop.isReversed)
    os << " reversed";
  if (loop.unroll)
    os << " unroll " << loop.unroll;
  os << "\n";
  dump(loop.body, depth + 1);
}

//===-- Expressions --===//

void Dumper::dumpConstant(const ConstantExpr &constant) {
  llvm::SmallString<32> text;
  if (constant.isFloat)
    constant.floatValue.toString(text);
  else if (constant.type.isBool())
    text = constant.intValue.isOne() ? "true" : "false";
  else
    constant.intValue.toString(text, 10, constant.type.isSignedInt());
  os << text;
  if (!constant.type.isBool())
    os << ":" << constant.type.str();
}

void Dumper::dump(ArrayRef<FormatPiece> format) {
  for (const FormatPiece &piece : format) {
    os << " \"" << piece.text << "\"";
    if (piece.value)
      list(piece.value);
    if (piece.precision >= 0)
      os << ":." << piece.precision;
  }
}

void Dumper::list(ArrayRef<const Expr *> operands) {
  for (const Expr *operand : operands) {
    os << " ";
    if (operand)
      dump(*operand);
    else
      os << "_";
  }
}

void Dumper::dump(const Expr &expr) {
  if (auto *constant = llvm::dyn_cast<ConstantExpr>(&expr)) {
    dumpConstant(*constant);
  } else if (auto *local = llvm::dyn_cast<LocalExpr>(&expr)) {
    os << local->local->name;
  } else if (llvm::isa<PlaceValueExpr>(expr)) {
    os << "place";
  } else {
    os << "(";
    dumpOperation(expr);
    os << "):" << expr.type.str();
  }
}

void Dumper::show(const UnaryExpr &expr) {
  os << syntax::spelling(expr.op);
  list(expr.operand);
}
void Dumper::show(const BinaryExpr &expr) {
  os << syntax::spelling(expr.op);
  list({expr.lhs, expr.rhs});
}
void Dumper::show(const LogicalExpr &expr) {
  os << (expr.isAnd ? "and" : "or");
  list({expr.lhs, expr.rhs});
}
void Dumper::show(const CompareChainExpr &expr) {
  os << "chain";
  for (syntax::BinaryOp op : expr.ops)
    os << " " << syntax::spelling(op);
  list(expr.operands);
}
void Dumper::show(const ConditionalExpr &expr) {
  os << "if";
  list({expr.condition, expr.then, expr.other});
}
void Dumper::show(const CastExpr &expr) {
  os << "as";
  list(expr.operand);
}
void Dumper::show(const FmaExpr &expr) {
  os << "fma" << (expr.negateProduct ? " negate-product" : "")
     << (expr.negateAddend ? " negate-addend" : "") << (expr.addendFirst ? " addend-first" : "");
  list({expr.a, expr.b, expr.c});
}

void Dumper::show(const IndexExpr &expr) {
  os << "index";
  list(expr.base);
  list(expr.indices);
}
void Dumper::show(const SubsliceExpr &expr) {
  os << "subslice";
  list({expr.base, expr.from, expr.to});
}
void Dumper::show(const ReferenceExpr &expr) {
  os << "reference";
  list(expr.place);
}
void Dumper::show(const FieldExpr &expr) {
  os << "field " << expr.field;
  list(expr.base);
}
void Dumper::show(const LaneExpr &expr) {
  os << "lane";
  list({expr.base, expr.index});
}
void Dumper::show(const ExtentExpr &expr) {
  os << "extent";
  if (expr.axis)
    os << " " << *expr.axis;
  list(expr.slice);
}
void Dumper::show(const AtomicExpr &expr) {
  os << "atomic " << unsigned(expr.kind);
  list(expr.place);
  list(expr.values);
}
void Dumper::show(const SharedExpr &expr) {
  os << "shared";
  for (int64_t extent : expr.extents)
    os << " " << extent;
}
void Dumper::show(const SharedDynExpr &expr) {
  os << "shared-dyn";
  list({expr.count, expr.offset});
}
void Dumper::show(const AccessExpr &expr) {
  os << "access " << unsigned(expr.cache);
  list({expr.slice, expr.index});
  if (expr.value)
    list(expr.value);
}

void Dumper::show(const BuildExpr &expr) {
  os << "build";
  list(expr.parts);
}
void Dumper::show(const ConstantDataExpr &expr) { os << "constant-data " << expr.constant->name; }
void Dumper::show(const IntrinsicExpr &expr) {
  os << intrinsics::row(expr.id).name;
  if (intrinsics::signature(expr.id).hasAxis())
    os << " " << expr.axis;
  list(expr.arguments);
}
void Dumper::show(const CallExpr &expr) {
  os << "call " << expr.callee->name;
  list(expr.arguments);
}

void Dumper::dumpOperation(const Expr &expr) {
  switch (expr.kind) {
  case Expr::Kind::Constant:
  case Expr::Kind::Local:
  case Expr::Kind::PlaceValue:
    llvm_unreachable("these have no operands");
#define SHOW(Name)                                                                                 \
  case Expr::Kind::Name:                                                                           \
    return show(llvm::cast<Name##Expr>(expr));
    SHOW(Unary)
    SHOW(Binary)
    SHOW(Logical)
    SHOW(CompareChain)
    SHOW(Conditional)
    SHOW(Cast)
    SHOW(Fma)
    SHOW(Index)
    SHOW(Subslice)
    SHOW(Reference)
    SHOW(Field)
    SHOW(Lane)
    SHOW(Atomic)
    SHOW(Shared)
    SHOW(SharedDyn)
    SHOW(Access)
    SHOW(Build)
    SHOW(ConstantData)
    SHOW(Extent)
    SHOW(Intrinsic)
    SHOW(Call)
#undef SHOW
  }
}

} // namespace

void Program::dump(llvm::raw_ostream &os) const {
  Dumper dumper(os);
  for (const Function *function : functions)
    dumper.dump(*function);
}

} // namespace spl::sema
