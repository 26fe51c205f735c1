// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/random/Launches.h"

#include <algorithm>
#include <cstring>

namespace spl::random {
namespace {

using generator::Flavour;
using generator::Parameter;
using generator::Program;
using generator::Role;
using generator::Type;

class Maker {
public:
  Maker(const Program &program, std::mt19937_64 &random)
      : program(program), random(random), hasExtremeValues(program.mayFault && oneIn(3)),
        hasLargeExtents(oneIn(2)) {}

  reference::Launch make() {
    chooseGeometry();
    for (const Parameter &parameter : program.parameters)
      if (parameter.mayAlias && oneIn(2))
        launch.arguments.push_back(reference::Argument(launch.arguments.back()));
      else
        launch.arguments.push_back(isSlice(parameter) ? slice(parameter) : number(parameter));
    launch.sharedBytes =
        launch.local[0] * launch.local[1] * launch.local[2] * program.sharedPerItem;
    return std::move(launch);
  }

private:
  std::int64_t oneOf(std::initializer_list<std::int64_t> choices) {
    return choices.begin()[random() % choices.size()];
  }
  bool oneIn(unsigned count) { return random() % count == 0; }
  std::int64_t size(unsigned axis) const { return launch.groups[axis] * launch.local[axis]; }
  std::int64_t itemCount() const { return size(0) * size(1) * size(2); }

  void chooseGeometry() {
    if (program.flavour == Flavour::Indices) {
      launch.groups = {1 + static_cast<std::int64_t>(random() % 4), oneIn(4) ? 2 : 1,
                       oneIn(4) ? 2 : 1};
      launch.local = {oneOf({1, 3, 8, 17, 40, 67}), oneIn(4) ? 2 : 1, oneIn(4) ? 2 : 1};
      if (program.block[0])
        launch.local = program.block;
      return;
    }
    launch.groups = {1 + static_cast<std::int64_t>(random() % 3), oneIn(3) ? 2 : 1, 1};
    if (program.block[0]) {
      launch.local = program.block;
      return;
    }
    // One work-item, slightly less and more than a warp, several warps, and sizes of which no axis
    // is a multiple of a warp.
    constexpr std::array<std::int64_t, 3> shapes[] = {{1, 1, 1},  {31, 1, 1}, {33, 1, 1},
                                                      {48, 1, 1}, {96, 1, 1}, {5, 7, 3},
                                                      {3, 1, 11}, {128, 1, 1}, {4, 1, 1},
                                                      {3, 2, 1},  {2, 1, 3}};
    launch.local = shapes[random() % std::size(shapes)];
    // Up to 16 small groups run side by side on the CPU.
    if (launch.local[0] * launch.local[1] * launch.local[2] <= 8 && oneIn(2))
      launch.groups[0] = oneOf({7, 16, 19});
  }

  std::int64_t extent(const Parameter &parameter, unsigned axis) {
    if (parameter.role == Role::Own)
      return itemCount() * parameter.perItem;
    const std::int64_t items = size(0);
    if (program.flavour != Flavour::Indices) {
      if (parameter.name == "a") // every work-item reads one element
        return itemCount();
      return parameter.rank != 1 ? oneOf({1, 3, 8}) : oneOf({1, 2, 7, items, items + 5});
    }
    std::int64_t extent = oneOf({items, items, items + 1, items - 1, 2 * items, 4 * items + 3});
    if (hasLargeExtents)
      extent = oneOf({2 * items, 4 * items, 2 * items + 9, 100, 130, 256, 300});
    if (hasExtremeValues && oneIn(3))
      extent = oneOf({0, 1, 2, 7, items / 2});
    if (!program.mayFault)
      extent = std::max<std::int64_t>(extent, 1);
    if (parameter.rank == 3)
      return std::min<std::int64_t>(extent, axis == 2 ? 130 : 20);
    return parameter.rank == 2 ? std::min<std::int64_t>(extent, axis == 0 ? 120 : 270) : extent;
  }

  reference::Argument slice(const Parameter &parameter) {
    reference::Argument argument;
    std::size_t count = 1;
    for (unsigned axis = 0; axis != parameter.rank; ++axis) {
      argument.extents[axis] = extent(parameter, axis);
      count *= static_cast<std::size_t>(argument.extents[axis]);
    }
    const std::size_t bytes = elementBytes(parameter);
    const std::vector<Part> parts = partsOf(parameter);
    argument.bytes = std::make_shared<reference::Memory>(count * bytes);
    for (std::size_t at = 0; at != count * bytes; at += bytes)
      for (const Part &part : parts)
        if (parameter.isEnum())
          fillEnum(argument.bytes->data() + at);
        else
          fill(part.type, argument.bytes->data() + at + part.offset);
    return argument;
  }

  void fill(Type type, std::byte *to) {
    std::uint64_t bits = type.isFloat() ? floatBits(type) : integer(type);
    std::memcpy(to, &bits, type.bits() / 8);
  }

  /// A member, or a number that is none.
  void fillEnum(std::byte *to) {
    const std::int32_t none[] = {1, -4, 12, INT32_MIN, INT32_MAX};
    const std::int32_t value = oneIn(6) ? none[random() % std::size(none)]
                                        : generator::levels[random() % generator::levels.size()];
    std::memcpy(to, &value, sizeof value);
  }

  std::uint64_t integer(Type type) {
    const std::int64_t items = size(0);
    std::int64_t value = oneOf({0, 1, 2, 3, 5, items - 1, items / 2});
    if (program.flavour == Flavour::Groups)
      value = static_cast<std::int64_t>(random() % 97) - 50;
    const bool isSpecial =
        program.flavour == Flavour::Indices ? oneIn(hasExtremeValues ? 3 : 40) : oneIn(4);
    if (!isSpecial)
      return static_cast<std::uint64_t>(value);
    const std::uint64_t most = ~std::uint64_t{0} >> (64 - type.bits() + type.isSigned());
    const std::uint64_t choices[] = {~std::uint64_t{0},
                                     static_cast<std::uint64_t>(items),
                                     most + 1,
                                     most,
                                     most / 2 + 1,
                                     most - 1,
                                     random(),
                                     257 + 2 * (random() % 128),
                                     2049 + 2 * (random() % 1024)};
    return choices[random() % std::size(choices)];
  }

  /// The bits of a float near 1, with that many bits for the fraction, that is halfway between two
  /// floats with fewer bits, or next to it. Others have few bits, so that their sums are halfway.
  std::uint64_t tie(unsigned fraction) {
    const unsigned kept = fraction == 7                ? 3
                          : fraction < 23              ? 7
                          : fraction == 23 || oneIn(2) ? (oneIn(2) ? 7 : 10)
                                                       : 23;
    const std::uint64_t half = std::uint64_t{1} << (fraction - kept - 1);
    const std::uint64_t upper = random() << (fraction - kept);
    return upper + half + (oneIn(2) ? 0 : random() % 3 - 1);
  }

  /// Zeros of both signs, infinities, NaN, subnormals, and random bits.
  std::uint64_t floatBits(Type type) {
    const unsigned bits = type.bits();
    const unsigned fraction = type.scalar == generator::Scalar::F16    ? 10
                              : type.scalar == generator::Scalar::BF16 ? 7
                              : bits == 32                             ? 23
                                                                       : 52;
    const std::uint64_t sign = std::uint64_t{1} << (bits - 1), unit = std::uint64_t{1} << fraction;
    const std::uint64_t infinity = (sign - 1) / unit * unit;
    const std::uint64_t one = infinity / 2 / unit * unit;
    const std::uint64_t choices[] = {0,
                                     sign,
                                     one,
                                     one | sign,
                                     infinity,
                                     infinity | sign,
                                     infinity | unit / 2,
                                     sign | infinity | unit / 2,
                                     infinity | 1,
                                     1,
                                     unit - 1,
                                     unit,
                                     infinity - 1};
    if (oneIn(3))
      return choices[random() % std::size(choices)];
    if (oneIn(4))
      return random();
    const std::uint64_t near = (one / unit + random() % 5 - 2) * unit; // near 1
    const std::uint64_t bitsOfFraction = oneIn(2) ? tie(fraction) : random();
    return near | (bitsOfFraction & (unit - 1)) | (oneIn(2) ? sign : 0);
  }

  reference::Argument number(const Parameter &parameter) {
    reference::Argument argument;
    argument.bytes = std::make_shared<reference::Memory>(elementBytes(parameter));
    if (parameter.isEnum()) {
      fillEnum(argument.bytes->data());
      return argument;
    }
    if (const std::vector<Part> parts = partsOf(parameter); parts.size() != 1) {
      for (const Part &part : parts)
        fill(part.type, argument.bytes->data() + part.offset);
      return argument;
    }
    if (program.flavour != Flavour::Indices) {
      std::uint64_t few = random() % 7;
      if (parameter.type.isFloat() || oneIn(4))
        return fill(parameter.type, argument.bytes->data()), argument;
      std::memcpy(argument.bytes->data(), &few, argument.bytes->size());
      return argument;
    }
    const std::int64_t items = size(0);
    const std::uint64_t most =
        ~std::uint64_t{0} >> (64 - parameter.type.bits() + parameter.type.isSigned());
    const auto limit = static_cast<std::int64_t>(most);
    std::int64_t value =
        oneOf({1, 2, 3, 4, items, items - 1, 8, 0, launch.arguments[0].extents[0]});
    if (hasExtremeValues && oneIn(2))
      value = oneOf({0, -1, -2, -8, static_cast<std::int64_t>(most + 1),
                     static_cast<std::int64_t>(most + 2), limit, limit - 1, limit / 2,
                     limit / 2 + 1, std::int64_t{1} << 31, (std::int64_t{1} << 31) - 1,
                     std::int64_t{1} << 32, std::int64_t{1} << 61, items * 100});
    std::memcpy(argument.bytes->data(), &value, argument.bytes->size());
    return argument;
  }

  const Program &program;
  std::mt19937_64 &random;
  bool hasExtremeValues, hasLargeExtents;
  reference::Launch launch;
};

} // namespace

std::vector<Part> partsOf(const Parameter &parameter) {
  std::vector<Part> parts;
  std::size_t at = 0;
  for (const Type &field : parameter.fields) {
    const std::size_t size = field.bits() / 8;
    at = (at + size - 1) / size * size;
    parts.push_back({at, field});
    at += size;
  }
  if (parameter.fields.empty())
    for (unsigned lane = 0; lane != parameter.type.lanes; ++lane)
      parts.push_back({lane * parameter.type.bits() / 8, parameter.type.lane()});
  return parts;
}

std::size_t elementBytes(const Parameter &parameter) {
  if (parameter.fields.empty())
    return parameter.type.bits() / 8 * parameter.type.lanes;
  const Part last = partsOf(parameter).back();
  std::size_t alignment = 1;
  for (const Type &field : parameter.fields)
    alignment = std::max<std::size_t>(alignment, field.bits() / 8);
  return (last.offset + last.type.bits() / 8 + alignment - 1) / alignment * alignment;
}

std::size_t ownerOf(const reference::Launch &launch, std::size_t k) {
  std::size_t owner = 0;
  while (launch.arguments[owner].bytes != launch.arguments[k].bytes)
    ++owner;
  return owner;
}

reference::Launch makeLaunch(const Program &program, std::mt19937_64 &random) {
  return Maker(program, random).make();
}

reference::Launch copyOf(const reference::Launch &launch) {
  reference::Launch copy = launch;
  for (std::size_t k = 0; k != copy.arguments.size(); ++k) {
    const std::size_t owner = ownerOf(launch, k);
    copy.arguments[k].bytes = owner == k
                                  ? std::make_shared<reference::Memory>(*launch.arguments[k].bytes)
                                  : copy.arguments[owner].bytes;
  }
  return copy;
}

std::string shown(const Program &program, const reference::Launch &launch) {
  std::string text;
  for (std::size_t axis = 0; axis != 3; ++axis)
    text += std::to_string(launch.groups[axis]) + "x" + std::to_string(launch.local[axis]) + " ";
  for (std::size_t k = 0; k != program.parameters.size(); ++k) {
    const Parameter &parameter = program.parameters[k];
    const reference::Argument &argument = launch.arguments[k];
    std::int64_t bits = 0;
    if (!isSlice(parameter))
      std::memcpy(&bits, argument.bytes->data(),
                  std::min(argument.bytes->size(), sizeof bits)); // the start of a struct
    text += parameter.name;
    if (!isSlice(parameter)) {
      text += "=" + std::to_string(bits) + " ";
      continue;
    }
    for (unsigned axis = 0; axis != parameter.rank; ++axis)
      text += (axis ? "," : "[") + std::to_string(argument.extents[axis]);
    const std::size_t owner = ownerOf(launch, k);
    text += owner == k ? "] " : "]=" + program.parameters[owner].name + " ";
  }
  return text;
}

} // namespace spl::random
