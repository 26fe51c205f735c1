// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The syntax tree of a module: variables and functions, with names of variables and registers
// resolved. The Source owns it. Pointers into it are valid while the Source lives.
#pragma once

#include "test/ptxsim/Types.h"

#include <deque>
#include <map>
#include <string>
#include <vector>

namespace ptxsim {

/// A word of an initialiser: a number, or the address of a variable plus an offset.
struct Initial {
  Value value = 0;      ///< the number, or the offset
  std::string variable; ///< empty for a number
  bool isFloat = false; ///< value contains the bits of a double
};

struct Variable {
  std::string name;
  Space space = Space::Global;
  Type type = Type::B8;
  std::size_t alignment = 1;
  std::size_t bytes = 0;
  bool isUnsized = false; ///< dynamic shared memory
  std::vector<Initial> initial;
  unsigned line = 0;
};

struct Operand {
  /// The comment of each kind names the members of Operand that it uses.
  enum class Kind {
    Register, ///< number
    Special,  ///< name
    Integer,  ///< number
    Float,    ///< number: the bits of a double, or of a float if isSingle is true
    Variable, ///< the address of variable plus number
    Name,     ///< name, of a label or function
    Address,  ///< [parts[0] + number]
    Vector,   ///< {parts}
    Pair,     ///< parts[0] | parts[1]
    List,     ///< (parts), of a call
    Sink,     ///< _
  };
  Kind kind = Kind::Sink;
  std::string name;
  Value number = 0;
  const Variable *variable = nullptr;
  std::vector<Operand> parts;
  bool isSingle = false;
  bool isNegated = false; ///< !%p1
};

struct Instruction {
  unsigned line = 0;
  std::optional<unsigned> guard; ///< a register
  bool guardNegated = false;
  std::string opcode;
  std::vector<std::string> modifiers;
  std::vector<Operand> operands;
};

struct Function {
  std::string name;
  bool isEntry = false;
  bool hasBody = false;
  unsigned line = 0;
  std::vector<Variable *> results, parameters;
  std::vector<Type> registers;
  std::deque<Variable> variables; ///< parameters too
  std::vector<Instruction> body;
  std::map<std::string, std::size_t> labels; ///< the index in the body of each label
  std::map<std::string, std::vector<std::string>> branchTables; ///< from .branchtargets
  std::optional<std::uint32_t> maxThreads, exactThreads;
};

struct Source {
  unsigned version = 0, target = 0;
  std::deque<Variable> variables;
  std::deque<Function> functions;

  const Function *function(std::string_view name) const;
};

/// Throws Error(Syntax) or Error(Unsupported).
Source parse(std::string_view text);

} // namespace ptxsim
