// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The typed tree, which checking makes from the syntax trees and mirgen reads. Every name is
// resolved, and every literal has its type. Nodes show what the source leaves implicit: fused
// products, conversions, and places that are evaluated once. A Program exists only if there are no
// errors. Its arena owns the nodes.
#pragma once

#include "frontend/diag/Source.h"
#include "frontend/sema/Type.h"
#include "frontend/syntax/Ast.h"
#include "intrinsics/Intrinsics.h"
#include "spl/abi/Limits.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace llvm {
class raw_ostream;
}

namespace spl::sema {

using diag::SourceRange;
using llvm::ArrayRef;
using llvm::StringRef;

struct Function;
struct Expr;

/// The operations on memory. Their names are those of spl.atomic.
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

/// A const of the source. Its value is a ConstantExpr or a BuildExpr of constants.
struct Constant {
  StringRef name;
  Type type;
  SourceRange range; ///< the name where it is declared
  const Expr *value;
};

/// A parameter, a val, a var or the variable of a loop.
struct Local {
  StringRef name;
  Type type;
  SourceRange range; ///< the name in the declaration
  bool isMutable;    ///< a var
  /// A reference: a parameter &T or &mut T, or the name of a place in shared memory. Its type is a
  /// slice of one element, the place that it refers to. Uses of its name are that element.
  bool isReference = false;
  SourceRange literal = {}; ///< the literals from which it has its type; invalid without any
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
    Reference,
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

/// The base of the nodes of one kind. llvm::isa, cast and dyn_cast work on them.
template <Expr::Kind K> struct ExprOf : Expr {
  ExprOf(Type type, SourceRange range) : Expr(K, type, range) {}
  static bool classof(const Expr *expr) { return expr->kind == K; }
};

/// A constant scalar or enum: an integer or a float. A bool is an integer of 1 bit. An enum is an
/// integer of 32 bits. Constants of other types are BuildExprs.
struct ConstantExpr : ExprOf<Expr::Kind::Constant> {
  bool isFloat;
  llvm::APInt intValue;     ///< width is type.bits()
  llvm::APFloat floatValue; ///< in the type's semantics
};
struct LocalExpr : ExprOf<Expr::Kind::Local> {
  const Local *local;
};
/// The old value of the place in a compound assignment. a[i] += 1 is Assign{Index{a, i},
/// Binary{Add, PlaceValue, 1}}, so the place is evaluated once.
struct PlaceValueExpr : ExprOf<Expr::Kind::PlaceValue> {
  const Local *local; ///< if the place is one, else null
};
/// Neg, BitNot (integers) and Not (bool).
struct UnaryExpr : ExprOf<Expr::Kind::Unary> {
  syntax::UnaryOp op;
  const Expr *operand;
};
/// Arithmetic, bit operations, shifts and single comparisons. Both operands have the same type;
/// only the count of a shift may have another integer type. Comparisons have type bool. Operators
/// on vectors work lane by lane; a scalar operand beside a vector is wrapped in a BuildExpr of the
/// vector's type. Pow on floats is an IntrinsicExpr.
struct BinaryExpr : ExprOf<Expr::Kind::Binary> {
  syntax::BinaryOp op;
  const Expr *lhs, *rhs;
};
/// and, or. rhs is evaluated only if lhs does not decide the result.
struct LogicalExpr : ExprOf<Expr::Kind::Logical> {
  bool isAnd;
  const Expr *lhs, *rhs;
};
/// Two or more comparisons. Each operand is evaluated once, left to right, up to the first
/// comparison that is false.
struct CompareChainExpr : ExprOf<Expr::Kind::CompareChain> {
  ArrayRef<const Expr *> operands;
  ArrayRef<syntax::BinaryOp> ops;
};
struct ConditionalExpr : ExprOf<Expr::Kind::Conditional> {
  const Expr *condition, *then, *other;
};
/// A cast by `as`, of a scalar or of each lane of a vector. Also an implicit conversion: of an
/// integer to a wider type, of &mut [T] to &[T], and of an array to a slice. An implicit one has
/// the range of its operand.
struct CastExpr : ExprOf<Expr::Kind::Cast> {
  const Expr *operand;
};
/// A fused product and sum, rounded once: (negateProduct ? -(a*b) : a*b) + (negateAddend ? -c : c).
/// Operands are evaluated in the order of the source, so c is first if addendFirst is set.
struct FmaExpr : ExprOf<Expr::Kind::Fma> {
  const Expr *a, *b, *c;
  bool negateProduct, negateAddend, addendFirst;
};
/// base[indices]. The indices have any integer types. For a slice of rank r, r indices select an
/// element, and fewer indices select a slice of rows. An array has one index. An IndexExpr may be
/// the target of an Assign. isInside means that the indices are known to be in bounds and need no
/// check.
struct IndexExpr : ExprOf<Expr::Kind::Index> {
  const Expr *base;
  ArrayRef<const Expr *> indices;
  bool isInside = false;
};
/// base[from..to] of a slice of rank 1 or of an array. An omitted bound is null.
struct SubsliceExpr : ExprOf<Expr::Kind::Subslice> {
  const Expr *base;
  const Expr *from, *to;
};
/// The argument for a parameter that is a reference: the place as a slice of one element. If the
/// type is not mut, the place may be any value.
struct ReferenceExpr : ExprOf<Expr::Kind::Reference> {
  const Expr *place;
};
/// A field of a struct, or an element of a tuple. A place if base is one.
struct FieldExpr : ExprOf<Expr::Kind::Field> {
  const Expr *base;
  unsigned field;
};
/// One lane of a vector, v.x or v[i]. The index is an integer. A place if base is one.
struct LaneExpr : ExprOf<Expr::Kind::Lane> {
  const Expr *base;
  const Expr *index;
};
/// a.len() and a.dim(axis), of type i64. With an axis it is the extent of that axis, without one
/// the number of elements.
struct ExtentExpr : ExprOf<Expr::Kind::Extent> {
  const Expr *slice;
  std::optional<unsigned> axis;
};
/// A call of gpu.* or math.*. A field after `arguments` is set if the row's signature has such a
/// parameter. The type is Unit if there is no result.
struct IntrinsicExpr : ExprOf<Expr::Kind::Intrinsic> {
  intrinsics::Id id;
  ArrayRef<const Expr *> arguments;
  unsigned axis;
  bool isExclusive = false;
  unsigned width = unsigned(abi::warpSize); ///< the lanes of a segment
  MemoryScope scope = MemoryScope::Device;
  StringRef text = {}; ///< the message
};
/// gpu.atomic_*. place is an element, a field or an array element.
struct AtomicExpr : ExprOf<Expr::Kind::Atomic> {
  AtomicKind kind;
  const Expr *place;
  ArrayRef<const Expr *> values;
  MemoryOrder order;
  MemoryScope scope;
};
/// gpu.shared[T](extents), of a slice type. Each node is an array of its own.
struct SharedExpr : ExprOf<Expr::Kind::Shared> {
  ArrayRef<int64_t> extents;
};
/// gpu.shared_dyn[T](count, offset: bytes). An omitted argument is null. `offset` must be a
/// multiple of `alignment`, the alignment of the element.
struct SharedDynExpr : ExprOf<Expr::Kind::SharedDyn> {
  const Expr *count, *offset;
  int64_t alignment;
};
/// gpu.load(a, i, cache: c) and gpu.load_vec[V](a, i), whose value is null. gpu.store and
/// gpu.store_vec, which have a value and type Unit.
struct AccessExpr : ExprOf<Expr::Kind::Access> {
  const Expr *slice;
  const Expr *index;
  const Expr *value;
  CacheHint cache;
  bool isVector;
};
/// A call of a function of the source. `arguments` are in the order of the parameters, with
/// defaults filled in. `written` has their order in the source, which is the order of evaluation.
/// The first argument of a method is self.
struct CallExpr : ExprOf<Expr::Kind::Call> {
  const Function *callee;
  ArrayRef<const Expr *> arguments;
  ArrayRef<unsigned> written;
};
/// A vector, struct, tuple or array made of its lanes, fields or elements. If there is one part
/// instead of several, it is the value of each of them: f32x4(a), [0.0; 16]. Parts are evaluated in
/// the order of `written`, or in their own order if that is empty.
struct BuildExpr : ExprOf<Expr::Kind::Build> {
  ArrayRef<const Expr *> parts;
  ArrayRef<unsigned> written;
};
/// A const array, which is read-only memory.
struct ConstantDataExpr : ExprOf<Expr::Kind::ConstantData> {
  const Constant *constant;
};

//===-- Statements --===//

struct Stmt {
  enum class Kind : uint8_t {
    Let,
    Assign,
    Expr,
    If,
    While,
    For,
    Break,
    Continue,
    Return,
    Print,
    Assert,
  };
  Kind kind;
  SourceRange range;
  Stmt(Kind kind, SourceRange range) : kind(kind), range(range) {}
};

template <Stmt::Kind K> struct StmtOf : Stmt {
  StmtOf(SourceRange range) : Stmt(K, range) {}
  static bool classof(const Stmt *stmt) { return stmt->kind == K; }
};

/// The statements of a block, without unreachable ones. Some statements of the source become
/// simpler ones, with locals whose names start with '$':
/// - val (q, r) = e is a Let of the tuple and one of each element;
/// - match is a Let of the subject and an If;
/// - for x in slice is a For over the indices;
/// - gpu.grid_stride(n) is a For with the step gpu.global_size(0).
using Block = ArrayRef<const Stmt *>;

struct LetStmt : StmtOf<Stmt::Kind::Let> {
  const Local *local;
  const Expr *value;
};
/// `place` is a LocalExpr of a var. Or it is an IndexExpr, FieldExpr or LaneExpr; its innermost
/// base is a var or a slice.
struct AssignStmt : StmtOf<Stmt::Kind::Assign> {
  const Expr *place;
  const Expr *value;
};
struct ExprStmt : StmtOf<Stmt::Kind::Expr> {
  const Expr *value;
};
struct IfArm {
  const Expr *condition;
  Block body;
};
struct IfStmt : StmtOf<Stmt::Kind::If> {
  ArrayRef<IfArm> arms;
  Block otherwise;
};
struct WhileStmt : StmtOf<Stmt::Kind::While> {
  const Expr *condition;
  Block body;
};
/// The factor of unrolling: 0 means none, 1 means complete unrolling, and n means n rounds at a
/// time.
using UnrollFactor = uint32_t;
/// `variable` runs from `lower` to `upper` by `step`, or by 1 if that is null. All of them have the
/// variable's type and are evaluated once. The loop also ends if the next value would overflow the
/// type. A reversed range has the same values from the last to the first.
struct ForStmt : StmtOf<Stmt::Kind::For> {
  const Local *variable;
  const Expr *lower, *upper;
  bool isInclusive;
  const Expr *step;
  UnrollFactor unroll;
  Block body;
  bool isReversed = false;
};
/// A text, then a scalar value or null. The value has `precision` digits after the point; -1 means
/// as many as are needed to read the value back.
struct FormatPiece {
  StringRef text;
  const Expr *value;
  int precision;
};
struct PrintStmt : StmtOf<Stmt::Kind::Print> {
  ArrayRef<FormatPiece> format;
};
/// If the source has no message, `format` is the text of the condition.
struct AssertStmt : StmtOf<Stmt::Kind::Assert> {
  const Expr *condition;
  ArrayRef<FormatPiece> format;
};
struct BreakStmt : StmtOf<Stmt::Kind::Break> {};
struct ContinueStmt : StmtOf<Stmt::Kind::Continue> {};
struct ReturnStmt : StmtOf<Stmt::Kind::Return> {
  const Expr *value; /* or null */
};

//===-- Functions --===//

/// The attributes of a function.
struct FunctionTraits {
  /// A kernel's fixed group size, one to three extents, or empty.
  llvm::SmallVector<int64_t, 3> block;
  int64_t minBlocks = 0; ///< 0 if the function has no such attribute
  bool isInline = false, isNoinline = false, isFastMath = false, isUnchecked = false;
  llvm::SmallVector<bool, 8> aliases; ///< whether each parameter has #[alias]; empty if none has
};

/// A function, a method or one instance of a generic function.
struct Function {
  StringRef name;        ///< "scale__f32" for an instance, "Particle.weight" for a method
  StringRef writtenName; ///< as users write it: "scale[f32]", "Pair[f32].sum"
  bool isKernel;
  SourceRange range; ///< the name in the declaration
  ArrayRef<const Local *> parameters;
  Type result; ///< Unit if there is none
  Block body;  ///< set after all signatures are known
  /// The scalars and vectors among its locals to which a `&mut` argument refers.
  llvm::SmallPtrSet<const Local *, 2> referenced = {};
  FunctionTraits traits;
};

/// A checked program. Functions are in the order of the source. There is no recursion.
struct Program {
  llvm::BumpPtrAllocator arena;
  // These objects own memory that the arena would not free.
  llvm::SpecificBumpPtrAllocator<StructInfo> structStorage;
  llvm::SpecificBumpPtrAllocator<EnumInfo> enumStorage;
  llvm::SpecificBumpPtrAllocator<Function> functionStorage;
  TypeContext types;
  /// The functions of the source, and those that kernels call.
  ArrayRef<const Function *> functions;
  ArrayRef<const Constant *> constants; ///< constant arrays, which are in memory
  struct GenericKernel {
    StringRef name;
    std::string example; ///< as in "scale[f32, 16]"
  };
  /// The generic kernels of the source; their instances are in `functions`.
  std::vector<GenericKernel> genericKernels;

  /// Prints the typed tree as text. Tests read it.
  void dump(llvm::raw_ostream &os) const;
};

} // namespace spl::sema
