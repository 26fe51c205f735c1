// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/ptxsim/Parser.h"

#include <charconv>
#include <cstring>

namespace ptxsim {

//===-- Cursor and numbers --===//

Token Cursor::next() {
  Token token = peek();
  if (token.kind == Token::Kind::End)
    fail("the text ends too early");
  ++at;
  return token;
}

bool Cursor::sees(std::string_view text) const {
  return peek().text == text && peek().kind != Token::Kind::String;
}

bool Cursor::accept(std::string_view text) {
  if (!sees(text))
    return false;
  ++at;
  return true;
}

void Cursor::expect(std::string_view text) {
  if (!accept(text))
    fail("expected '" + std::string(text) + "'");
}

std::string Cursor::word(const char *what) {
  if (peek().kind != Token::Kind::Word)
    fail(std::string("expected ") + what);
  return std::string(next().text);
}

Value Cursor::integer() {
  const Operand operand = number(*this);
  if (operand.kind != Operand::Kind::Integer)
    fail("expected a whole number");
  return operand.number;
}

void Cursor::skipLine() {
  for (const unsigned line = peek().line; peek().line == line && peek().kind != Token::Kind::End;)
    ++at;
}

void Cursor::fail(const std::string &text, ErrorKind kind) const {
  const Token &token = peek();
  throw Error(kind, token.line,
              "line " + std::to_string(token.line) + ": " + text + ", at '" +
                  std::string(token.text) + "'");
}

/// Parses digits of \p base to the end of \p text. A U may follow them.
static std::optional<Value> digits(std::string_view text, int base) {
  if (text.ends_with('U'))
    text.remove_suffix(1);
  Value value = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value, base);
  return error == std::errc() && end == text.data() + text.size() ? std::optional(value)
                                                                  : std::nullopt;
}

Operand number(Cursor &cursor) {
  Operand operand;
  operand.kind = Operand::Kind::Integer;
  const bool negative = cursor.accept("-");
  if (cursor.peek().kind != Token::Kind::Number)
    cursor.fail("expected a number");
  const std::string_view text = cursor.peek().text;
  const char prefix = text.size() > 2 && text[0] == '0' ? text[1] : ' ';
  std::optional<Value> value;
  if (prefix == 'f' || prefix == 'F' || prefix == 'd' || prefix == 'D') {
    operand.kind = Operand::Kind::Float;
    operand.isSingle = prefix == 'f' || prefix == 'F';
    if (text.size() == (operand.isSingle ? 10 : 18))
      value = digits(text.substr(2), 16);
    if (value && negative)
      *value ^= operand.isSingle ? Value(1) << 31 : Value(1) << 63;
  } else if (prefix == 'x' || prefix == 'X') {
    value = digits(text.substr(2), 16);
  } else if (prefix == 'b' || prefix == 'B') {
    value = digits(text.substr(2), 2);
  } else if (text.find('.') != text.npos) {
    double parsed = 0;
    operand.kind = Operand::Kind::Float;
    if (std::from_chars(text.data(), text.data() + text.size(), parsed).ec == std::errc())
      value = std::bit_cast<Value>(negative ? -parsed : parsed);
  } else {
    value = digits(text, text.size() > 1 && text[0] == '0' ? 8 : 10);
  }
  if (!value)
    cursor.fail("this is no number");
  cursor.next();
  operand.number = negative && operand.kind == Operand::Kind::Integer ? -*value : *value;
  return operand;
}

//===-- Names and variables --===//

const Scopes::Meaning *Scopes::find(const std::string &name) const {
  for (auto scope = scopes.rbegin(); scope != scopes.rend(); ++scope)
    if (auto found = scope->find(name); found != scope->end())
      return &found->second;
  return nullptr;
}

std::optional<Space> spaceOfDirective(std::string_view word) {
  static const std::map<std::string_view, Space> spaces = {{".global", Space::Global},
                                                           {".shared", Space::Shared},
                                                           {".local", Space::Local},
                                                           {".const", Space::Const},
                                                           {".param", Space::Param}};
  auto found = spaces.find(word);
  return found == spaces.end() ? std::nullopt : std::optional(found->second);
}

static Initial parseInitial(Cursor &cursor) {
  Initial initial;
  if (cursor.peek().kind == Token::Kind::Number || cursor.sees("-")) {
    const Operand operand = number(cursor);
    initial.value = operand.number;
    initial.isFloat = operand.kind == Operand::Kind::Float;
    if (operand.isSingle)
      initial.value = std::bit_cast<Value>(
          static_cast<double>(std::bit_cast<float>(static_cast<std::uint32_t>(operand.number))));
    return initial;
  }
  const bool isGeneric = cursor.accept("generic"); // the variable may be in any address space
  if (isGeneric)
    cursor.expect("(");
  initial.variable = cursor.word("a variable");
  if (isGeneric)
    cursor.expect(")");
  if (cursor.accept("+") || cursor.sees("-"))
    initial.value = cursor.integer();
  return initial;
}

static void parseInitials(Cursor &cursor, std::vector<Initial> &list) {
  if (!cursor.accept("{")) {
    list.push_back(parseInitial(cursor));
    return;
  }
  do
    parseInitials(cursor, list);
  while (cursor.accept(","));
  cursor.expect("}");
}

std::vector<Variable *> parseVariables(Cursor &cursor, Space space, std::deque<Variable> &list,
                                       Scopes &scopes) {
  std::size_t alignment = 0;
  std::optional<Type> type;
  std::size_t lanes = 1;
  bool isPointer = false;
  while (cursor.peek().text.starts_with('.')) {
    const std::string word = cursor.word("a type");
    if (word == ".align") {
      const Value bytes = cursor.integer();
      if (!isPointer) // otherwise the alignment is that of the pointer's target
        alignment = bytes;
    } else if (word == ".v2" || word == ".v4") {
      lanes = word == ".v2" ? 2 : 4;
    } else if (word == ".ptr") {
      isPointer = true;
    } else if (!isPointer || !spaceOfDirective(word)) {
      type = typeNamed(std::string_view(word).substr(1));
      if (!type || type == Type::Pred)
        cursor.fail("a variable cannot be " + word, ErrorKind::Unsupported);
    }
  }
  if (!type)
    cursor.fail("expected a type");
  std::vector<Variable *> added;
  do {
    Variable variable;
    variable.line = cursor.peek().line;
    variable.name = cursor.word("a variable's name");
    variable.space = space;
    variable.type = *type;
    variable.bytes = lanes * bytesOf(*type);
    variable.alignment = alignment ? alignment : variable.bytes;
    while (cursor.accept("[")) {
      variable.isUnsized |= cursor.sees("]");
      variable.bytes *= cursor.sees("]") ? 0 : cursor.integer();
      cursor.expect("]");
    }
    if (cursor.accept("="))
      parseInitials(cursor, variable.initial);
    list.push_back(std::move(variable));
    added.push_back(&list.back());
    scopes.declare(list.back().name, {std::nullopt, &list.back()});
  } while (space != Space::Param && cursor.accept(","));
  return added;
}

//===-- The top --===//

const Function *Source::function(std::string_view name) const {
  const Function *declared = nullptr;
  for (const Function &each : functions)
    if (each.name == name && (each.hasBody || !declared))
      declared = &each;
  return declared;
}

namespace {

class ModuleParser {
public:
  explicit ModuleParser(std::string_view text) : cursor(tokenize(text)) { scopes.open(); }

  Source run() {
    while (cursor.peek().kind != Token::Kind::End)
      parseTop();
    return std::move(source);
  }

private:
  void parseTop() {
    const std::string word = cursor.word("a directive");
    if (word == ".version") {
      const std::string text(cursor.next().text);
      const std::size_t point = std::min(text.find('.'), text.size());
      source.version = 10 * std::atoi(text.c_str()) + std::atoi(text.c_str() + point + 1);
    } else if (word == ".target") {
      const std::string name = cursor.word("a target");
      if (!name.starts_with("sm_"))
        cursor.fail("unknown target " + name, ErrorKind::Unsupported);
      source.target = std::atoi(name.c_str() + 3);
      while (cursor.accept(",")) // .debug and the like
        cursor.next();
    } else if (word == ".address_size") {
      if (cursor.integer() != 64)
        cursor.fail("addresses have 64 bits", ErrorKind::Unsupported);
    } else if (word == ".file") {
      cursor.skipLine();
    } else if (word == ".section") {
      skipSection();
    } else if (word == ".entry" || word == ".func") {
      parseFunction(word == ".entry");
    } else if (std::optional<Space> space = spaceOfDirective(word)) {
      parseVariables(cursor, *space, source.variables, scopes);
      cursor.expect(";");
    } else if (word == ".pragma") {
      cursor.next();
      cursor.expect(";");
    } else if (word != ".visible" && word != ".extern" && word != ".weak" && word != ".common") {
      cursor.fail("unknown directive " + word, ErrorKind::Unsupported);
    }
  }

  void skipSection() {
    while (!cursor.accept("{"))
      cursor.next();
    while (!cursor.accept("}"))
      cursor.next();
  }

  void parseFunction(bool isEntry) {
    Function &function = source.functions.emplace_back();
    function.isEntry = isEntry;
    function.line = cursor.peek().line;
    scopes.open();
    if (!isEntry && cursor.sees("("))
      function.results = parseParameters(function);
    function.name = cursor.word("a function's name");
    if (cursor.sees("("))
      function.parameters = parseParameters(function);
    while (cursor.peek().text.starts_with('.'))
      parseLimit(function);
    if (cursor.accept("{")) {
      function.hasBody = true;
      parseBody(cursor, function, scopes);
    } else {
      cursor.expect(";");
    }
    scopes.close();
  }

  std::vector<Variable *> parseParameters(Function &function) {
    std::vector<Variable *> list;
    cursor.expect("(");
    while (!cursor.accept(")")) {
      if (!cursor.accept(".param"))
        cursor.fail("parameters are variables in .param here", ErrorKind::Unsupported);
      for (Variable *each : parseVariables(cursor, Space::Param, function.variables, scopes))
        list.push_back(each);
      if (!cursor.sees(")"))
        cursor.expect(",");
    }
    return list;
  }

  /// Parses a directive between a function's head and its body.
  void parseLimit(Function &function) {
    const std::string word = cursor.word("a directive");
    if (word == ".maxntid" || word == ".reqntid") {
      std::uint32_t threads = 1;
      do
        threads *= static_cast<std::uint32_t>(cursor.integer());
      while (cursor.accept(","));
      (word == ".maxntid" ? function.maxThreads : function.exactThreads) = threads;
    } else if (word == ".minnctapersm" || word == ".maxnreg" || word == ".maxnctapersm") {
      cursor.integer();
    } else if (word != ".noreturn") {
      cursor.fail("unknown directive " + word, ErrorKind::Unsupported);
    }
  }

  Cursor cursor;
  Source source;
  Scopes scopes;
};

} // namespace

Source parse(std::string_view text) { return ModuleParser(text).run(); }

} // namespace ptxsim
