// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assigns registers and variables to a kernel and the functions that it calls, and decodes their
// bodies.
#include "test/ptxsim/Decoder.h"

#include <algorithm>
#include <set>

namespace ptxsim {
namespace {

std::uint64_t alignTo(std::uint64_t value, std::uint64_t alignment) {
  return (value + alignment - 1) / alignment * alignment;
}

class Builder {
public:
  Builder(const Source &source, const Function &entry, const Addresses &addresses)
      : source(source), entry(entry), addresses(addresses) {}

  Program run() {
    program.fresh.resize(static_cast<std::size_t>(Special::Count), freshWord);
    sink = addRow(freshWord);
    require(entry);
    findShared();
    // Decoding a function may append the functions that it calls.
    for (std::size_t i = 0; i != functions.size(); ++i)
      decode(*functions[i]);
    for (const auto &[call, callee] : callees) {
      program.calls[call].entry = layouts.at(callee).start;
      program.calls[call].returnRow = layouts.at(callee).returnRow;
    }
    refuseRecursion();
    return std::move(program);
  }

private:
  friend class BodyNames;

  struct Layout {
    std::uint32_t firstRow = 0, returnRow = noRow, start = 0;
  };

  std::uint32_t addRow(Value fresh) {
    program.fresh.push_back(fresh);
    return static_cast<std::uint32_t>(program.fresh.size() - 1);
  }

  Layout &require(const Function &function) {
    auto [found, isNew] = layouts.try_emplace(&function);
    if (!isNew)
      return found->second;
    functions.push_back(&function);
    Layout &layout = found->second;
    layout.firstRow = static_cast<std::uint32_t>(program.fresh.size());
    for (Type type : function.registers)
      addRow(freshWord & lowBits(bitsOf(type)));
    if (!function.isEntry)
      layout.returnRow = addRow(freshWord);
    if (program.fresh.size() > 100'000)
      throw Error(ErrorKind::Unsupported, function.line, function.name + " has too many registers");
    return layout;
  }

  /// Assigns addresses to shared variables. A variable has the same address in all functions of the
  /// kernel. Variables that only uncalled functions name get no space.
  void findShared() {
    std::set<const Function *> seen;
    std::vector<const Function *> pending{&entry};
    auto visit = [&](auto &&self, const Operand &operand) -> void {
      if (operand.variable && operand.variable->space == Space::Shared)
        sharedAddress(*operand.variable);
      if (operand.kind == Operand::Kind::Name)
        if (const Function *callee = source.function(operand.name))
          pending.push_back(callee);
      for (const Operand &part : operand.parts)
        self(self, part);
    };
    while (!pending.empty()) {
      const Function *function = pending.back();
      pending.pop_back();
      if (!seen.insert(function).second)
        continue;
      for (const Instruction &instruction : function->body)
        for (const Operand &operand : instruction.operands)
          visit(visit, operand);
    }
    for (const Variable *variable : dynamic)
      dynamicAlignment = std::max(dynamicAlignment, std::uint64_t(variable->alignment));
    if (!dynamic.empty())
      program.sharedBytes = alignTo(program.sharedBytes, dynamicAlignment);
    for (const Variable *variable : dynamic)
      places[variable] = {Space::Shared, program.sharedBytes};
  }

  void sharedAddress(const Variable &variable) {
    if (variable.isUnsized) {
      dynamic.insert(&variable);
    } else if (!places.contains(&variable)) {
      program.sharedBytes = alignTo(program.sharedBytes, variable.alignment);
      places[&variable] = {Space::Shared, program.sharedBytes};
      program.sharedBytes += variable.bytes;
    }
  }

  Place placeOf(const Variable &variable) {
    if (auto found = places.find(&variable); found != places.end())
      return found->second;
    if (auto found = addresses.find(&variable); found != addresses.end())
      return {variable.space, found->second};
    // All other variables are in each thread's own memory: .local, and the .param variables of
    // functions and calls.
    program.localBytes = alignTo(program.localBytes, variable.alignment);
    Place place{Space::Local, program.localBytes};
    program.localBytes = alignTo(program.localBytes + variable.bytes, 16);
    if (program.localBytes > (512 << 10))
      throw Error(ErrorKind::Unsupported, variable.line,
                  "threads have 512 KiB of local memory, too little for " + variable.name);
    return places[&variable] = place;
  }

  void decode(const Function &function);

  void refuseRecursion() {
    std::map<const Function *, int> state; // 1 while its calls are visited, 2 after that
    auto visit = [&](auto &&self, const Function *function) -> void {
      if (state[function] == 1)
        throw Error(ErrorKind::Unsupported, function->line,
                    "the function " + function->name + " calls itself");
      if (std::exchange(state[function], 1) == 2) {
        state[function] = 2;
        return;
      }
      for (const Function *callee : graph[function])
        self(self, callee);
      state[function] = 2;
    };
    visit(visit, &entry);
  }

  const Source &source;
  const Function &entry;
  const Addresses &addresses;
  Program program;
  std::uint32_t sink = 0;
  std::map<const Function *, Layout> layouts;
  std::vector<const Function *> functions;
  std::map<const Variable *, Place> places;
  std::set<const Variable *> dynamic;
  std::uint64_t dynamicAlignment = 16;
  std::map<Value, std::uint32_t> constantRows;
  std::vector<std::pair<std::size_t, const Function *>> callees;
  std::map<const Function *, std::set<const Function *>> graph;
};

/// Resolves the names in one function's body.
class BodyNames final : public Names {
public:
  BodyNames(Builder &builder, const Function &function)
      : builder(builder), function(function), layout(builder.layouts.at(&function)) {}

  std::uint32_t registerRow(unsigned number) override { return layout.firstRow + number; }
  Type registerType(unsigned number) override { return function.registers[number]; }
  std::uint32_t sinkRow() override { return builder.sink; }
  std::uint32_t returnRow() override { return layout.returnRow; }

  std::uint32_t constantRow(Value value) override {
    auto [found, isNew] = builder.constantRows.try_emplace(
        value, static_cast<std::uint32_t>(builder.constantRows.size()));
    if (isNew)
      builder.program.constants.insert(builder.program.constants.end(), warpSize, value);
    return found->second | constantBit;
  }

  Place placeOf(const Variable &variable) override {
    // The parameters of an entry are those of the launch.
    if (function.isEntry)
      for (std::uint64_t offset = 0; const Variable *parameter : function.parameters) {
        offset = alignTo(offset, parameter->alignment);
        if (parameter == &variable)
          return {Space::Param, offset};
        offset += parameter->bytes;
      }
    return builder.placeOf(variable);
  }

  std::uint32_t labelTarget(const std::string &label) override {
    auto found = function.labels.find(label);
    if (found == function.labels.end())
      throw Error(ErrorKind::Syntax, function.line,
                  "there is no label " + label + " in " + function.name);
    return layout.start + static_cast<std::uint32_t>(found->second);
  }

  std::uint32_t branchTable(const std::string &name) override {
    auto found = function.branchTables.find(name);
    if (found == function.branchTables.end())
      throw Error(ErrorKind::Syntax, function.line, "there is no list of targets " + name);
    std::vector<std::uint32_t> &table = builder.program.branchTables.emplace_back();
    for (const std::string &label : found->second)
      table.push_back(labelTarget(label));
    return static_cast<std::uint32_t>(builder.program.branchTables.size() - 1);
  }

  std::uint32_t call(const std::vector<Operand> &results, const std::string &name,
                     const std::vector<Operand> &arguments) override {
    const Function *callee = builder.source.function(name);
    if (!callee || !callee->hasBody)
      return noRow;
    builder.require(*callee);
    builder.graph[&function].insert(callee);
    Call call;
    call.arguments = copies(arguments, callee->parameters, /*intoCallee=*/true);
    call.results = copies(results, callee->results, /*intoCallee=*/false);
    builder.callees.emplace_back(builder.program.calls.size(), callee);
    builder.program.calls.push_back(std::move(call));
    return static_cast<std::uint32_t>(builder.program.calls.size() - 1);
  }

private:
  std::vector<Call::Copy> copies(const std::vector<Operand> &own,
                                 const std::vector<Variable *> &theirs, bool intoCallee) {
    if (own.size() != theirs.size())
      throw Error(ErrorKind::Syntax, function.line,
                  "a call in " + function.name + " has the wrong number of arguments");
    std::vector<Call::Copy> list;
    for (std::size_t i = 0; i != own.size(); ++i) {
      if (own[i].kind != Operand::Kind::Variable)
        throw Error(ErrorKind::Unsupported, function.line,
                    "arguments of calls are variables in .param here");
      const std::uint64_t mine = builder.placeOf(*own[i].variable).address;
      const std::uint64_t other = builder.placeOf(*theirs[i]).address;
      list.push_back({intoCallee ? mine : other, intoCallee ? other : mine, theirs[i]->bytes});
    }
    return list;
  }

  Builder &builder;
  const Function &function;
  const Builder::Layout &layout;
};

void Builder::decode(const Function &function) {
  Layout &layout = layouts.at(&function);
  layout.start = static_cast<std::uint32_t>(program.code.size());
  BodyNames names(*this, function);
  for (const Instruction &instruction : function.body) {
    Decoder decoder(instruction, names);
    program.code.push_back(decoder.decode());
    program.names.push_back(decoder.name());
  }
  // A return follows the end of a body.
  Instruction end;
  end.opcode = "ret";
  end.line = function.body.empty() ? function.line : function.body.back().line;
  Decoder decoder(end, names);
  program.code.push_back(decoder.decode());
  program.names.push_back("the end of " + function.name);
}

} // namespace

Program build(const Source &source, const Function &entry, const Addresses &addresses) {
  return Builder(source, entry, addresses).run();
}

} // namespace ptxsim
