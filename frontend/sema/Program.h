// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What sema makes of the syntax trees: a typed tree in which every name is resolved, every literal
// has its type, every implicit rule (literal inference, fusing of products, evaluation of places)
// is explicit. It holds only correct programs: sema gives none out when it reported an error. Nodes
// live in the Program's arena. mirgen reads it.
#pragma once

#include "frontend/diag/Source.h"
#include "frontend/sema/Type.h"
#include "frontend/syntax/Ast.h"
#include "intrinsics/Intrinsics.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"

namespace llvm {
class raw_ostream;
}

namespace spl::sema {

using diag::SourceRange;
using llvm::ArrayRef;
using llvm::StringRef;

struct Function;
struct Expr;

/// What an atomic does; the names are spl.atomic's.
enum class AtomicKind : uint8_t {
#define ATOMIC(Name) Name,
#include "frontend/sema/MemoryWords.def"
};
enum class MemoryOrder : uint8_t {
#define ORDER(Name, Word) Name,
#include "frontend/sema/MemoryWords.def"
};
enum class MemoryScope : uint8_t {
#define SCOPE(Name, Word) Name,
#include "frontend/sema/MemoryWords.def"
};
enum class CacheHint : uint8_t {
  None,
#define CACHE(Name, Word) Name,
#include "frontend/sema/MemoryWords.def"
};

/// A `const` of the source with the value that was computed: a ConstantExpr, or a BuildExpr of
/// such.
struct Constant {
  StringRef name;
  Type type;
  SourceRange range; ///< the name where it is declared
  const Expr *value;
};

/// A parameter, a val, a var or a loop's variable.
struct Local {
  StringRef name;
  Type type;
  SourceRange range;  ///< the name where it is declared
  bool isMutable;     ///< a var
};

//===-- Expressions --===//

struct Expr {
  enum class Kind : uint8_t {
    Constant,
    Local,
    PlaceValue,
    Unary,
    Binary,
    Logical,
    CompareChain,
    Conditional,
    Cast,
    Fma,
    Index,
    Subslice,
    Field,
    Lane,
    Extent,
    Intrinsic,
    Atomic,
    Shared,
    SharedDyn,
    Access,
    Call,
    Build,
    ConstantData,
  };
  Kind kind;
  Type type;
  SourceRange range;
  Expr(Kind kind, Type type, SourceRange range) : kind(kind), type(type), range(range) {}
};

/// The base of the nodes of one kind; llvm::isa, cast and dyn_cast work on them.
template <Expr::Kind K> struct ExprOf : Expr {
  ExprOf(Type type, SourceRange range) : Expr(K, type, range) {}
  static bool classof(const Expr *expr) { return expr->kind == K; }
};

/// A literal or a constant that was computed, already in its type: integers (bool as one bit, an
/// enum as 32) or a float's value. Scalars and enums only; others are a BuildExpr of constants.
struct ConstantExpr : ExprOf<Expr::Kind::Constant> {
  bool isFloat;
  llvm::APInt intValue;     ///< width is type.bits()
  llvm::APFloat floatValue; ///< in the semantics of the type
};
struct LocalExpr : ExprOf<Expr::Kind::Local> { const Local *local; };
/// The value that the place of the enclosing compound assignment had: a[i] += 1 is
/// Assign{Index{a, i}, Binary{Add, PlaceValue, 1}}. The place itself is evaluated once.
struct PlaceValueExpr : ExprOf<Expr::Kind::PlaceValue> {};
/// Neg, BitNot (integers), Not (bool).
struct UnaryExpr : ExprOf<Expr::Kind::Unary> { syntax::UnaryOp op; const Expr *operand; };
/// Arithmetic, bit operations, shifts and one comparison. Operands have one type (a shift's count
/// may have another integer type); comparisons give bool. Pow on floats is an IntrinsicExpr.
/// Operators on vectors go lane by lane; a scalar beside a vector was made one by a BuildExpr.
struct BinaryExpr : ExprOf<Expr::Kind::Binary> { syntax::BinaryOp op; const Expr *lhs, *rhs; };
/// and, or: rhs is evaluated only where it is needed.
struct LogicalExpr : ExprOf<Expr::Kind::Logical> { bool isAnd; const Expr *lhs, *rhs; };
/// Two comparisons or more; each operand once, left to right, stopping at the first false.
struct CompareChainExpr : ExprOf<Expr::Kind::CompareChain> {
  ArrayRef<const Expr *> operands;
  ArrayRef<syntax::BinaryOp> ops;
};
struct ConditionalExpr : ExprOf<Expr::Kind::Conditional> { const Expr *condition, *then, *other; };
/// An explicit `as`, of scalars or lane by lane; also &mut [T] given where &[T] is wanted.
struct CastExpr : ExprOf<Expr::Kind::Cast> { const Expr *operand; };
/// A fused product: (negateProduct ? -(a*b) : a*b) + (negateAddend ? -c : c), rounded once.
/// Operands are evaluated in the order of the source: c first where addendFirst.
struct FmaExpr : ExprOf<Expr::Kind::Fma> {
  const Expr *a, *b, *c;
  bool negateProduct, negateAddend, addendFirst;
};
/// base[indices], each of any integer type. base is a slice of rank r: r indices give the element,
/// fewer the slice of the rows; or a local array or an array inside a place: one index. As the
/// target of an Assign an element is a place. isInside: the indices are known to be inside, nothing
/// has to be checked.
struct IndexExpr : ExprOf<Expr::Kind::Index> {
  const Expr *base;
  ArrayRef<const Expr *> indices;
  bool isInside = false;
};
/// base[from..to] of a slice of rank 1 or an array; a side left out is null.
struct SubsliceExpr : ExprOf<Expr::Kind::Subslice> { const Expr *base; const Expr *from, *to; };
/// base.field of a struct, or element `field` of a tuple. A place where base is one.
struct FieldExpr : ExprOf<Expr::Kind::Field> { const Expr *base; unsigned field; };
/// One lane of a vector, v.x or v[i]; the index is an integer. A place where base is one.
struct LaneExpr : ExprOf<Expr::Kind::Lane> { const Expr *base; const Expr *index; };
/// a.len() and a.dim(axis), i64.
/// The extent of an axis, or without one the count of elements.
struct ExtentExpr : ExprOf<Expr::Kind::Extent> { const Expr *slice; std::optional<unsigned> axis; };
/// A call of gpu.* or math.*. What follows the arguments is set where the row's signature has it;
/// type is Unit where it answers nothing.
struct IntrinsicExpr : ExprOf<Expr::Kind::Intrinsic> {
  intrinsics::Id id;
  ArrayRef<const Expr *> arguments;
  unsigned axis;
  bool isExclusive = false;
  MemoryScope scope = MemoryScope::Device;
  StringRef text = {}; ///< a message
};
/// gpu.atomic_*: place is an element, field or array element; values as the row has them.
struct AtomicExpr : ExprOf<Expr::Kind::Atomic> {
  AtomicKind kind;
  const Expr *place;
  ArrayRef<const Expr *> values;
  MemoryOrder order;
  MemoryScope scope;
};
/// gpu.shared[T](extents): the slice; each node is one array.
struct SharedExpr : ExprOf<Expr::Kind::Shared> { ArrayRef<int64_t> extents; };
/// gpu.shared_dyn[T](count, offset: bytes); a missing one is null.
/// alignment is the element's, of which the offset must be a multiple.
struct SharedDynExpr : ExprOf<Expr::Kind::SharedDyn> {
  const Expr *count, *offset;
  int64_t alignment;
};
/// gpu.load(a, i, cache: c), gpu.load_vec[V](a, i) (type is V), gpu.store and gpu.store_vec (value
/// set, type Unit).
struct AccessExpr : ExprOf<Expr::Kind::Access> {
  const Expr *slice;
  const Expr *index;
  const Expr *value;
  CacheHint cache;
  bool isVector;
};
/// Arguments stand in the order of the parameters, defaults filled in; written tells the order in
/// which the source gave them, which is the order of evaluation. A method's first argument is self.
struct CallExpr : ExprOf<Expr::Kind::Call> {
  const Function *callee;
  ArrayRef<const Expr *> arguments;
  ArrayRef<unsigned> written;
};
/// A vector, struct, tuple or array of its parts: lanes, fields, elements. One part for a vector or
/// an array of more: each of them is that value (f32x4(a), [0.0; 16]). Evaluated in the order of
/// `written`, empty where that is the order of the parts.
struct BuildExpr : ExprOf<Expr::Kind::Build> {
  ArrayRef<const Expr *> parts;
  ArrayRef<unsigned> written;
};
/// A const array: memory that is only read.
struct ConstantDataExpr : ExprOf<Expr::Kind::ConstantData> { const Constant *constant; };

//===-- Statements --===//

struct Stmt {
  enum class Kind : uint8_t {
    Let, Assign, Expr, If, While, For, Break, Continue, Return, Print, Assert,
  };
  Kind kind;
  SourceRange range;
  Stmt(Kind kind, SourceRange range) : kind(kind), range(range) {}
};

template <Stmt::Kind K> struct StmtOf : Stmt {
  StmtOf(SourceRange range) : Stmt(K, range) {}
  static bool classof(const Stmt *stmt) { return stmt->kind == K; }
};

/// What cannot be reached (after a return, a break, an endless loop) is not in it. What is a
/// shorter way to write other statements is those, with locals whose names start with '$': val (q,
/// r) = e is a Let of the tuple and one of each element; match is a Let of the subject and an If;
/// for x in slice a For over the indices; gpu.grid_stride(n) a For by gpu.global_size(0).
using Block = ArrayRef<const Stmt *>;

struct LetStmt : StmtOf<Stmt::Kind::Let> { const Local *local; const Expr *value; };
/// place is a LocalExpr (a var), or an IndexExpr, FieldExpr or LaneExpr that ends in one or in a
/// slice.
struct AssignStmt : StmtOf<Stmt::Kind::Assign> { const Expr *place; const Expr *value; };
struct ExprStmt : StmtOf<Stmt::Kind::Expr> { const Expr *value; };
struct IfArm { const Expr *condition; Block body; };
struct IfStmt : StmtOf<Stmt::Kind::If> { ArrayRef<IfArm> arms; Block otherwise; };
struct WhileStmt : StmtOf<Stmt::Kind::While> { const Expr *condition; Block body; };
/// What unrolling the source asks for: 0 nothing, 1 all rounds, else so many rounds at a time.
using UnrollFactor = uint32_t;
/// variable runs from lower to upper, by step (null: 1); all of its type, evaluated once. A range
/// ends where its next value would leave the type.
struct ForStmt : StmtOf<Stmt::Kind::For> {
  const Local *variable;
  const Expr *lower, *upper;
  bool isInclusive;
  const Expr *step;
  UnrollFactor unroll;
  Block body;
};
/// Text, then a scalar's value (null at the end) with so many digits after the point (-1: as many
/// as read back).
struct FormatPiece { StringRef text; const Expr *value; int precision; };
struct PrintStmt : StmtOf<Stmt::Kind::Print> { ArrayRef<FormatPiece> format; };
/// The format is never empty: without one it is the condition's text.
struct AssertStmt : StmtOf<Stmt::Kind::Assert> {
  const Expr *condition;
  ArrayRef<FormatPiece> format;
};
struct BreakStmt : StmtOf<Stmt::Kind::Break> {};
struct ContinueStmt : StmtOf<Stmt::Kind::Continue> {};
struct ReturnStmt : StmtOf<Stmt::Kind::Return> { const Expr *value; /* or null */ };

//===-- Functions --===//

/// What the attributes of a function say.
struct FunctionTraits {
  llvm::SmallVector<int64_t, 3>
      block; ///< a kernel's fixed block size, one to three extents, or empty
  int64_t minBlocks = 0;               ///< or 0
  bool isInline = false, isNoinline = false, isFastMath = false, isUnchecked = false;
  llvm::SmallVector<bool, 8> aliases;  ///< by parameter: #[alias]; or empty
};

/// A function, a method or one instance of a generic.
struct Function {
  StringRef name; ///< of an instance scale__f32, of a method Particle.weight
  bool isKernel;
  SourceRange range; ///< the name where it is declared
  ArrayRef<const Local *> parameters;
  Type result;       ///< Unit where there is none
  Block body;        ///< filled after all signatures are known
  FunctionTraits traits;
};

/// A checked program. Functions stand in the order of the source; there is no recursion.
struct Program {
  llvm::BumpPtrAllocator arena;
  // Those own memory, which the arena would not free.
  llvm::SpecificBumpPtrAllocator<StructInfo> structStorage;
  llvm::SpecificBumpPtrAllocator<EnumInfo> enumStorage;
  llvm::SpecificBumpPtrAllocator<Function> functionStorage;
  TypeContext types;
  ArrayRef<const Function *> functions; ///< what kernels reach, and functions of the source
  ArrayRef<const Constant *> constants; ///< those in memory: arrays
  struct GenericKernel {
    StringRef name;
    std::string example; ///< an instance of it: "scale[f32, 16]"
  };
  std::vector<GenericKernel> genericKernels; ///< those of the source; their instances are functions

  /// The typed tree as text, every implicit rule spelled out; what tests read.
  void dump(llvm::raw_ostream &os) const;
};

} // namespace spl::sema
