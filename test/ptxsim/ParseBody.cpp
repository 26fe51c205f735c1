// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/ptxsim/Parser.h"

namespace ptxsim {
namespace {

class BodyParser {
public:
  BodyParser(Cursor &cursor, Function &function, Scopes &scopes)
      : cursor(cursor), function(function), scopes(scopes) {}

  void run() {
    const std::size_t outside = scopes.depth();
    open();
    while (scopes.depth() != outside)
      parseStatement();
  }

private:
  void parseStatement() {
    if (cursor.accept(";"))
      return;
    if (cursor.accept("{"))
      return open();
    if (cursor.accept("}"))
      return close();
    if (cursor.peek(1).text == ":" && cursor.peek().kind == Token::Kind::Word)
      return parseLabel();
    if (cursor.peek().text.starts_with('.'))
      return parseDirective();
    parseInstruction();
  }

  /// A block in braces. Its labels are not known outside of it.
  struct Block {
    std::size_t begin; ///< the index of its first instruction
    std::map<std::string, std::size_t> labels;
  };

  void open() {
    scopes.open();
    blocks.push_back({function.body.size(), {}});
  }

  /// Gives each label of the block a name that no other one in the function has.
  void close() {
    scopes.close();
    const Block block = std::move(blocks.back());
    blocks.pop_back();
    const std::string suffix = blocks.empty() ? "" : "@" + std::to_string(function.labels.size());
    for (const auto &[name, place] : block.labels) {
      function.labels.emplace(name + suffix, place);
      for (std::size_t i = block.begin; i != function.body.size(); ++i)
        for (Operand &operand : function.body[i].operands)
          if (operand.kind == Operand::Kind::Name && operand.name == name)
            operand.name += suffix;
    }
  }

  void parseLabel() {
    const std::string name(cursor.next().text);
    cursor.expect(":");
    if (!cursor.accept(".branchtargets")) {
      if (!blocks.back().labels.emplace(name, function.body.size()).second)
        cursor.fail("the label " + name + " appears twice");
      return;
    }
    do
      function.branchTables[name].push_back(cursor.word("a label"));
    while (cursor.accept(","));
    cursor.expect(";");
  }

  void parseDirective() {
    const std::string word = cursor.word("a directive");
    if (word == ".loc" || word == ".file")
      return cursor.skipLine();
    if (word == ".reg") {
      parseRegisters();
    } else if (word == ".pragma") {
      cursor.next();
    } else if (std::optional<Space> space = spaceOfDirective(word)) {
      parseVariables(cursor, *space, function.variables, scopes);
    } else {
      cursor.fail("unknown directive " + word, ErrorKind::Unsupported);
    }
    cursor.expect(";");
  }

  void parseRegisters() {
    const std::string text = cursor.word("a type");
    const std::optional<Type> type = typeNamed(std::string_view(text).substr(1));
    if (!type)
      cursor.fail("unknown type " + text, ErrorKind::Unsupported);
    do {
      const std::string name = cursor.word("a register");
      if (!cursor.accept("<")) {
        declareRegister(name, *type);
        continue;
      }
      const Value count = cursor.integer();
      if (count > 1'000'000)
        cursor.fail("too many registers");
      for (Value i = 0; i != count; ++i)
        declareRegister(name + std::to_string(i), *type);
      cursor.expect(">");
    } while (cursor.accept(","));
  }

  void declareRegister(const std::string &name, Type type) {
    scopes.declare(name, {static_cast<unsigned>(function.registers.size()), nullptr});
    function.registers.push_back(type);
  }

  void parseInstruction() {
    Instruction instruction;
    if (cursor.accept("@")) {
      instruction.guardNegated = cursor.accept("!");
      const std::string name = cursor.word("a predicate");
      const Scopes::Meaning *meaning = scopes.find(name);
      if (!meaning || !meaning->reg || function.registers[*meaning->reg] != Type::Pred)
        cursor.fail(name + " is no predicate");
      instruction.guard = *meaning->reg;
    }
    instruction.line = cursor.peek().line;
    const std::string whole = cursor.word("an instruction");
    for (std::size_t start = 0, end; start <= whole.size(); start = end + 1) {
      end = std::min(whole.find('.', start), whole.size());
      std::string part = whole.substr(start, end - start);
      if (instruction.opcode.empty())
        instruction.opcode = std::move(part);
      else
        instruction.modifiers.push_back(std::move(part));
    }
    while (!cursor.accept(";")) {
      instruction.operands.push_back(parseOperand());
      if (!cursor.sees(";"))
        cursor.expect(",");
    }
    function.body.push_back(std::move(instruction));
  }

  Operand parseOperand() {
    Operand operand = parsePart();
    if (!cursor.accept("|"))
      return operand;
    Operand pair;
    pair.kind = Operand::Kind::Pair;
    pair.parts = {std::move(operand), parsePart()};
    return pair;
  }

  Operand parsePart() {
    if (cursor.accept("["))
      return parseAddress();
    if (cursor.accept("{"))
      return parseList(Operand::Kind::Vector, "}");
    if (cursor.accept("("))
      return parseList(Operand::Kind::List, ")");
    if (cursor.peek().kind == Token::Kind::Number || cursor.sees("-"))
      return number(cursor);
    const bool isNegated = cursor.accept("!");
    Operand operand = named(cursor.word("an operand"));
    operand.isNegated = isNegated;
    if (operand.kind == Operand::Kind::Variable && cursor.accept("+"))
      operand.number = cursor.integer();
    return operand;
  }

  Operand parseAddress() {
    Operand address;
    address.kind = Operand::Kind::Address;
    if (cursor.peek().kind == Token::Kind::Number)
      address.parts.push_back(number(cursor));
    else
      address.parts.push_back(named(cursor.word("an address")));
    if (cursor.accept("+"))
      address.number = cursor.integer();
    cursor.expect("]");
    return address;
  }

  Operand parseList(Operand::Kind kind, std::string_view end) {
    Operand list;
    list.kind = kind;
    while (!cursor.accept(end)) {
      list.parts.push_back(parsePart());
      if (!cursor.sees(end))
        cursor.expect(",");
    }
    return list;
  }

  Operand named(const std::string &name) {
    Operand operand;
    operand.name = name;
    if (name == "_") {
      operand.kind = Operand::Kind::Sink;
    } else if (name == "WARP_SZ") {
      operand.kind = Operand::Kind::Integer;
      operand.number = warpSize;
    } else if (const Scopes::Meaning *meaning = scopes.find(name)) {
      operand.kind = meaning->reg ? Operand::Kind::Register : Operand::Kind::Variable;
      operand.number = meaning->reg.value_or(0);
      operand.variable = meaning->variable;
    } else if (name.starts_with('%')) {
      operand.kind = Operand::Kind::Special;
    } else {
      operand.kind = Operand::Kind::Name;
    }
    return operand;
  }

  Cursor &cursor;
  Function &function;
  Scopes &scopes;
  std::vector<Block> blocks;
};

} // namespace

void parseBody(Cursor &cursor, Function &function, Scopes &scopes) {
  BodyParser(cursor, function, scopes).run();
}

} // namespace ptxsim
