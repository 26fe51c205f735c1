// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Combines parameters, functions and a body into a program.
#include "test/generator/Context.h"

namespace spl::generator {

std::string Parameter::text() const {
  const std::string element = typeName.empty() ? type.name() : typeName;
  if (role == Role::Scalar)
    return name + ": " + element;
  return (mayAlias ? "#[alias] " : "") + name + ": &" + (role == Role::Input ? "" : "mut ") + "[" +
         element + (rank == 1 ? "]" : ", " + std::to_string(rank) + "]");
}

static void addSlice(Context &context, const Parameter &parameter) {
  context.program.parameters.push_back(parameter);
  if (parameter.role != Role::Own)
    context.slices.push_back({parameter.name, parameter.type, parameter.rank, parameter.role});
}

static void addScalar(Context &context, const std::string &name, Type type) {
  context.program.parameters.push_back({name, Role::Scalar, type});
  context.names.push_back({name, type, false, true});
}

//===-- Programs of indices --===//

static std::string indexKernel(Context &context) {
  addSlice(context, {"a", Role::Input, i32});
  addSlice(context, {"b", Role::Input, i64});
  addSlice(context, {"m", Role::Input, {Scalar::U32}, context.oneIn(3) ? 3u : 2u});
  addSlice(context, {"p", Role::Ones, {Scalar::U8}});
  addSlice(context, {"s", Role::Atomic, i64, 2});
  addSlice(context, {"out", Role::Atomic, i64});
  context.names.push_back({"total", i64, true});
  addScalar(context, "n0", i64);
  for (const char *name : {"n1", "n2", "n3"})
    addScalar(context, name, anyInteger(context));
  if (chooseFeature(context, Feature::EnumParameters))
    addEnumParameters(context, /*hasOwn=*/false);
  if (chooseFeature(context, Feature::Generic))
    addGenericParameters(context);
  context.boundedSlice = context.below(6);
  if (context.oneIn(4))
    context.program.block = {8, context.oneIn(2) ? 1 : 2, 1};
  Place top;
  top.mayReturn = true;
  const std::string first = block(context, top, 2);
  return "var total = 0\nvar own = [0i64; 8]\n" + first + block(context, top, 2) +
         "if gpu.global_id() < out.len(): gpu.atomic_" + context.atomicOperation +
         "(&mut out[gpu.global_id()], total + own[0])\n";
}

//===-- The others --===//

/// Statements at the end of a kernel that store the values of its variables.
static std::string finish(const Context &context) {
  std::string text;
  for (int k = 0; k != 4; ++k)
    text += "r[number * 4 + " + std::to_string(k) + "] = v" + std::to_string(k) + " as i64\n";
  return context.is(Flavour::Data) ? text + "r[number * 4] += total + own[3]\n" : text;
}

/// Replaces each line "finish" by \p steps, with the indentation of its line.
static std::string withFinish(const std::string &text, const std::string &steps) {
  std::string result;
  for (std::size_t at = 0; at != text.size();) {
    const std::size_t end = text.find('\n', at) + 1;
    const std::string line = text.substr(at, end - at);
    at = end;
    const std::size_t indent = line.find_first_not_of(' ');
    if (line.substr(indent) != "finish\n") {
      result += line;
      continue;
    }
    for (std::size_t from = 0; from != steps.size();) {
      const std::size_t to = steps.find('\n', from) + 1;
      result += std::string(indent, ' ') + steps.substr(from, to - from);
      from = to;
    }
  }
  return result;
}

static std::string groupKernel(Context &context, const Record &element) {
  const bool isData = context.is(Flavour::Data);
  addSlice(context, {"a", Role::Input, i32});
  if (isData) {
    addSlice(context, {"b", Role::Input, anyScalar(context)});
    addSlice(context, {"c", Role::Input, anyType(context)});
    addSlice(context, {"m", Role::Input, anyScalar(context),
                       context.oneOf(std::vector<unsigned>{2, 2, 3, 4})});
  }
  const Type counter =
      isData ? context.oneOf(std::vector<Type>{i32, i64, {Scalar::U32}, {Scalar::U64}, f32, f64})
             : i32;
  if (isData && chooseFeature(context, Feature::Edges))
    addEdgeParameter(context);
  addSlice(context, {"out", Role::Atomic, counter});
  context.program.parameters.push_back({"z", Role::Own, isData ? anyScalar(context) : i32, 1, 1});
  context.program.parameters.push_back({"r", Role::Own, i64, 1, 4});
  const Type own = isData ? anyType(context) : i32;
  const unsigned perItem = context.oneOf(std::vector<unsigned>{1, 2, 3, 4, 5, 8, 16});
  if (isData) {
    context.program.parameters.push_back({"o", Role::Own, own, 1, perItem});
    if (context.oneIn(3)) {
      context.program.parameters.push_back({"o2", Role::Own, own, 1, perItem});
      context.program.parameters.back().mayAlias = true;
    }
    if (!element.fields.empty()) {
      context.program.parameters.push_back({"q", Role::Own, i64, 1, 1, element.fields});
      context.program.parameters.back().typeName = element.name;
    }
  }
  addScalar(context, "n", i32);
  if (isData)
    for (const char *name : {"n1", "n2"})
      addScalar(context, name, anyType(context));
  if (!element.fields.empty() && context.oneIn(2)) {
    context.program.parameters.push_back({"by", Role::Scalar, i64, 1, 0, element.fields});
    context.program.parameters.back().typeName = element.name;
    for (std::size_t k = 0; k != element.fields.size(); ++k)
      context.names.push_back({"by.f" + std::to_string(k), element.fields[k], false, true});
  }
  if (chooseFeature(context, Feature::EnumParameters))
    addEnumParameters(context, /*hasOwn=*/true);
  if (chooseFeature(context, Feature::Generic))
    addGenericParameters(context);
  context.names.push_back({"x", i32});
  context.names.push_back({"lane", i32});
  if (isData)
    context.names.push_back({"total", i64, true});
  context.names.push_back({"u", i32, false, true});
  for (const char *name : {"v0", "v1", "v2", "v3"})
    context.names.push_back({name, i32, true});
  context.hasGridBarriers = context.hasBarriers && chooseFeature(context, Feature::GridBarriers);
  if (context.hasGridBarriers)
    context.program.parameters.push_back({"g", Role::Own, i32, 1, 1});
  Place top;
  top.isUniform = context.hasBarriers;
  top.mayReturn = !context.hasBarriers;
  context.counter = context.oneOf(std::vector<Type>{i32,
                                                    i64,
                                                    {Scalar::U32},
                                                    {Scalar::U64},
                                                    f32,
                                                    f64,
                                                    {Scalar::F16, 2},
                                                    {Scalar::BF16, 2},
                                                    {Scalar::I8},
                                                    {Scalar::U8},
                                                    {Scalar::I16},
                                                    {Scalar::U16}});
  context.program.sharedPerItem = 16;
  if (chooseFeature(context,
                    Feature::FixedGroups)) // whole warps, partial ones, and only partial ones
    context.program.block = context.oneOf(std::vector<std::array<std::int64_t, 3>>{
        {32, 1, 1}, {64, 1, 1}, {16, 4, 1}, {8, 4, 3}, {48, 1, 1}, {5, 7, 1}, {1, 1, 1}});
  std::string text = "val tile = gpu.shared[i32](128)\nval counters = gpu.shared[i32](8)\n"
                     "val cell = gpu.shared[i32]()\n"
                     "var tally = gpu.shared[Tally]()\n"
                     "val sums = gpu.shared[" +
                     context.counter.name() +
                     "](8)\n"
                     "val flat = flat_id()\nval size = group_size()\n"
                     "val dynamic = gpu.shared_dyn[i32](size)\n"
                     "val number = flat_group() * size + flat\n"
                     "val x = a[number]\nval lane = gpu.lane_id() as i32\n"
                     "tile[flat] = x\n"
                     "var v0 = x\nvar v1 = lane\nvar v2 = 3i32\nvar v3 = n\nvar u = n\nu += 1\n"
                     "v3 += u\n";
  if (isData)
    text +=
        "var total = 0\nvar own = [0i64; 8]\nval base = number * " + std::to_string(perItem) + "\n";
  text += context.constantChecks;
  if (find(context, "e"))
    text += edgeStatements(context);
  text += block(context, top, isData ? 3 : 5);
  if (isData)
    text += block(context, top, 3);
  if (context.hasGridBarriers)
    text += gridSteps(context);
  return withFinish(text + "finish\n", finish(context));
}

Program generate(std::uint64_t seed, std::optional<Flavour> flavour, Variant variant) {
  Context context(seed * 0x9e3779b97f4a7c15u + 1);
  context.variant = variant;
  Program &program = context.program;
  program.seed = seed;
  program.flavour = static_cast<Flavour>(context.below(3));
  if (flavour)
    program.flavour = *flavour;
  program.mayFault = context.is(Flavour::Indices) ? !context.oneIn(5) : context.oneIn(6);
  program.kernel = "k" + std::to_string(seed);
  context.hasBarriers = context.oneIn(2);
  context.home = {
      static_cast<Scalar>(context.below(context.is(Flavour::Data) ? scalarCount : integerCount))};
  if (context.is(Flavour::Data) && context.oneIn(4)) // half floats are emulated on many targets
    context.home = {context.oneIn(2) ? Scalar::F16 : Scalar::BF16};
  context.atomicOperation = context.oneOf({"add", "add", "add", "add", "min", "max", "or", "xor"});
  if (chooseFeature(context, Feature::OtherFiles))
    program.layout = context.oneIn(2) ? Layout::OtherFunctions : Layout::OtherKernel;
  program.prints = chooseFeature(context, Feature::Prints);
  std::string before;
  Record element; // of a slice, if it has fields
  if (context.is(Flavour::Data)) {
    before += makeRecord(context);
    if (context.oneIn(3))
      before += makeElementStruct(context, element);
  }
  for (int count = context.below(3); count != 0; --count)
    before += makeFunction(context);
  if (chooseFeature(context, Feature::Constants))
    before += makeConstants(context);
  context.budget = 9;
  std::string body =
      context.is(Flavour::Indices) ? indexKernel(context) : groupKernel(context, element);
  const std::optional<HeldParameters> held = holdParameters(context);
  std::string parameters;
  for (std::size_t k = 0; k != program.parameters.size(); ++k) {
    const bool isHeld = held && held->first <= k && k < held->last;
    if (!isHeld || k == held->first)
      parameters += (parameters.empty() ? "" : ", ") +
                    (isHeld ? held->parameter : program.parameters[k].text());
  }
  if (held) {
    before += held->declaration;
    body = held->names + body;
  }
  std::string attribute = "#[gpu]";
  if (program.block[0])
    attribute = "#[gpu(block: [" + std::to_string(program.block[0]) + ", " +
                std::to_string(program.block[1]) + ", " + std::to_string(program.block[2]) + "])]";
  const std::string generic = genericParameters(context),
                    kernel = withTypeParameter(context, withBody("(" + parameters + ")", body));
  if (program.layout != Layout::OneFile)
    before += std::string("\n") + border;
  program.text = before + "\n" + attribute + "\nfn " + program.kernel + genericParameters(context) +
                 withTypeParameter(context, kernel);
  return program;
}

} // namespace spl::generator
