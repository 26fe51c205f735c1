// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The typed tree as text: statements indented, expressions in prefix form with their types.
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
  void dump(const Expr &expr);
  void dumpOperation(const Expr &expr);
  void dumpConstant(const ConstantExpr &constant);
  void dump(ArrayRef<FormatPiece> format);
  void list(ArrayRef<const Expr *> operands);

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
  case Stmt::Kind::Let: {
    auto &let = llvm::cast<LetStmt>(stmt);
    os << (let.local->isMutable ? "var " : "val ") << let.local->name << ": "
       << let.local->type.str() << " = ";
    dump(*let.value);
    break;
  }
  case Stmt::Kind::Assign:
    dump(*llvm::cast<AssignStmt>(stmt).place);
    os << " = ";
    dump(*llvm::cast<AssignStmt>(stmt).value);
    break;
  case Stmt::Kind::Expr:
    dump(*llvm::cast<ExprStmt>(stmt).value);
    break;
  case Stmt::Kind::If: {
    auto &branch = llvm::cast<IfStmt>(stmt);
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
    return;
  }
  case Stmt::Kind::While:
    os << "while ";
    dump(*llvm::cast<WhileStmt>(stmt).condition);
    os << "\n";
    dump(llvm::cast<WhileStmt>(stmt).body, depth + 1);
    return;
  case Stmt::Kind::For: {
    auto &loop = llvm::cast<ForStmt>(stmt);
    os << "for " << loop.variable->name << ": " << loop.variable->type.str() << " in ";
    dump(*loop.lower);
    os << (loop.isInclusive ? " ..= " : " .. ");
    dump(*loop.upper);
    if (loop.step) {
      os << " step ";
      dump(*loop.step);
    }
    if (loop.unroll)
      os << " unroll " << loop.unroll;
    os << "\n";
    dump(loop.body, depth + 1);
    return;
  }
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
    dump(*operand);
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

void Dumper::dumpOperation(const Expr &expr) {
  switch (expr.kind) {
  case Expr::Kind::Constant:
  case Expr::Kind::Local:
  case Expr::Kind::PlaceValue:
    llvm_unreachable("these have no operands");
  case Expr::Kind::Unary:
    os << syntax::spelling(llvm::cast<UnaryExpr>(expr).op);
    return list(llvm::cast<UnaryExpr>(expr).operand);
  case Expr::Kind::Binary: {
    auto &binary = llvm::cast<BinaryExpr>(expr);
    os << syntax::spelling(binary.op);
    return list({binary.lhs, binary.rhs});
  }
  case Expr::Kind::Logical: {
    auto &logical = llvm::cast<LogicalExpr>(expr);
    os << (logical.isAnd ? "and" : "or");
    return list({logical.lhs, logical.rhs});
  }
  case Expr::Kind::CompareChain: {
    auto &chain = llvm::cast<CompareChainExpr>(expr);
    os << "chain";
    for (syntax::BinaryOp op : chain.ops)
      os << " " << syntax::spelling(op);
    return list(chain.operands);
  }
  case Expr::Kind::Conditional: {
    auto &conditional = llvm::cast<ConditionalExpr>(expr);
    os << "if";
    return list({conditional.condition, conditional.then, conditional.other});
  }
  case Expr::Kind::Cast:
    os << "as";
    return list(llvm::cast<CastExpr>(expr).operand);
  case Expr::Kind::Fma: {
    auto &fma = llvm::cast<FmaExpr>(expr);
    os << "fma" << (fma.negateProduct ? " negate-product" : "")
       << (fma.negateAddend ? " negate-addend" : "") << (fma.addendFirst ? " addend-first" : "");
    return list({fma.a, fma.b, fma.c});
  }
  case Expr::Kind::Index:
    os << "index";
    list(llvm::cast<IndexExpr>(expr).base);
    return list(llvm::cast<IndexExpr>(expr).indices);
  case Expr::Kind::Subslice: {
    auto &part = llvm::cast<SubsliceExpr>(expr);
    os << "subslice";
    list(part.base);
    for (const Expr *end : {part.from, part.to}) {
      if (end)
        list(end);
      else
        os << " _";
    }
    return;
  }
  case Expr::Kind::Field:
    os << "field " << llvm::cast<FieldExpr>(expr).field;
    return list(llvm::cast<FieldExpr>(expr).base);
  case Expr::Kind::Lane:
    os << "lane";
    return list({llvm::cast<LaneExpr>(expr).base, llvm::cast<LaneExpr>(expr).index});
  case Expr::Kind::Atomic:
    os << "atomic " << unsigned(llvm::cast<AtomicExpr>(expr).kind);
    list(llvm::cast<AtomicExpr>(expr).place);
    return list(llvm::cast<AtomicExpr>(expr).values);
  case Expr::Kind::Shared:
    os << "shared";
    for (int64_t extent : llvm::cast<SharedExpr>(expr).extents)
      os << " " << extent;
    return;
  case Expr::Kind::SharedDyn: {
    auto &shared = llvm::cast<SharedDynExpr>(expr);
    os << "shared-dyn";
    for (const Expr *part : {shared.count, shared.offset}) {
      if (part)
        list(part);
      else
        os << " _";
    }
    return;
  }
  case Expr::Kind::Access: {
    auto &access = llvm::cast<AccessExpr>(expr);
    os << "access " << unsigned(access.cache);
    list({access.slice, access.index});
    if (access.value)
      list(access.value);
    return;
  }
  case Expr::Kind::Build:
    os << "build";
    return list(llvm::cast<BuildExpr>(expr).parts);
  case Expr::Kind::ConstantData:
    os << "constant-data " << llvm::cast<ConstantDataExpr>(expr).constant->name;
    return;
  case Expr::Kind::Extent:
    os << "extent";
    if (std::optional<unsigned> axis = llvm::cast<ExtentExpr>(expr).axis)
      os << " " << *axis;
    return list(llvm::cast<ExtentExpr>(expr).slice);
  case Expr::Kind::Intrinsic: {
    auto &intrinsic = llvm::cast<IntrinsicExpr>(expr);
    os << intrinsics::row(intrinsic.id).name;
    if (intrinsics::signature(intrinsic.id).hasAxis())
      os << " " << intrinsic.axis;
    return list(intrinsic.arguments);
  }
  case Expr::Kind::Call:
    os << "call " << llvm::cast<CallExpr>(expr).callee->name;
    return list(llvm::cast<CallExpr>(expr).arguments);
  }
}

} // namespace

void Program::dump(llvm::raw_ostream &os) const {
  Dumper dumper(os);
  for (const Function *function : functions)
    dumper.dump(*function);
}

} // namespace spl::sema
