// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "test/ptxsim/ops/Print.h"

#include "test/ptxsim/ops/Lanes.h"

#include <cstdio>

namespace ptxsim {
namespace {

/// Reads the arguments of vprintf from a thread's memory.
class Reader {
public:
  Reader(Warp &warp, const Inst &inst, unsigned lane) : warp(warp), inst(inst), lane(lane) {}

  Value read(std::uint64_t address, std::size_t bytes) {
    Value value = 0;
    std::memcpy(&value, warp.access(inst, lane, address, bytes, bytes, false), bytes);
    return value;
  }

  std::string text(std::uint64_t address) {
    std::string result;
    while (char c = static_cast<char>(read(address++, 1)))
      result += c;
    return result;
  }

  /// The next argument. Arguments are consecutive, and each is aligned to its size.
  Value next(std::uint64_t &address, std::size_t bytes) {
    address = (address + bytes - 1) / bytes * bytes;
    const Value value = read(address, bytes);
    address += bytes;
    return value;
  }

private:
  Warp &warp;
  const Inst &inst;
  unsigned lane;
};

/// Formats one conversion, such as "%-8.3f" or "%lld", with its argument.
std::string format(const std::string &spec, Reader &reader, std::uint64_t &arguments) {
  std::string kept; // without the length modifier, which may mean another size on the host
  for (char c : spec)
    if (c != 'l' && c != 'h' && c != 'z')
      kept += c;
  const char kind = kept.back();
  const bool isLong = spec.find('l') != spec.npos || spec.find('z') != spec.npos;
  char text[512];
  int length = 0;
  switch (kind) {
  case 'd':
  case 'i': {
    const Value value = reader.next(arguments, isLong ? 8 : 4);
    kept.insert(kept.size() - 1, "ll");
    length = std::snprintf(text, sizeof text, kept.c_str(),
                           isLong ? static_cast<long long>(value)
                                  : static_cast<long long>(static_cast<std::int32_t>(value)));
    break;
  }
  case 'u':
  case 'x':
  case 'X':
  case 'o':
    kept.insert(kept.size() - 1, "ll");
    length = std::snprintf(text, sizeof text, kept.c_str(),
                           static_cast<unsigned long long>(reader.next(arguments, isLong ? 8 : 4)));
    break;
  case 'c':
    length =
        std::snprintf(text, sizeof text, kept.c_str(), static_cast<int>(reader.next(arguments, 4)));
    break;
  case 'p':
    length = std::snprintf(text, sizeof text, "0x%llx",
                           static_cast<unsigned long long>(reader.next(arguments, 8)));
    break;
  case 's':
    return reader.text(reader.next(arguments, 8));
  default:
    length = std::snprintf(text, sizeof text, kept.c_str(),
                           std::bit_cast<double>(reader.next(arguments, 8)));
  }
  return {text, static_cast<std::size_t>(std::min<int>(length, sizeof text - 1))};
}

std::string formatAll(const std::string &text, Reader &reader, std::uint64_t arguments) {
  std::string result;
  for (std::size_t at = 0; at < text.size();) {
    if (text[at] != '%') {
      result += text[at++];
    } else if (text.compare(at, 2, "%%") == 0) {
      result += '%';
      at += 2;
    } else {
      const std::size_t end =
          std::min(text.find_first_of("diuxXocpseEfFgGaA", at + 1), text.size() - 1);
      result += format(text.substr(at, end + 1 - at), reader, arguments);
      at = end + 1;
    }
  }
  return result;
}

/// immediate and target are the offsets of the arguments in local memory. rows[0] is the result.
void print(Warp &warp, const Inst &inst, Lanes lanes) {
  forLanes(lanes, [&](unsigned lane) {
    std::byte *memory = warp.localMemory(lane);
    std::uint64_t text, arguments;
    std::memcpy(&text, memory + inst.immediate, sizeof text);
    std::memcpy(&arguments, memory + inst.target, sizeof arguments);
    Reader reader(warp, inst, lane);
    const std::string line = formatAll(reader.text(text), reader, arguments);
    if (warp.grid.options.print)
      warp.grid.options.print(line);
    else
      std::fputs(line.c_str(), stdout);
    const auto length = static_cast<std::uint32_t>(line.size());
    std::memcpy(memory + inst.rows[0], &length, sizeof length);
  });
}

} // namespace

void decodePrint(Decoder &decoder, const std::vector<Operand> &results, const std::string &callee,
                 const std::vector<Operand> &arguments) {
  if (callee != "vprintf")
    decoder.unknown("there is no function " + callee);
  if (results.size() != 1 || arguments.size() != 2 || !arguments[0].variable ||
      !arguments[1].variable || !results[0].variable)
    decoder.unknown("vprintf takes two addresses");
  decoder.inst.immediate = decoder.names.placeOf(*arguments[0].variable).address;
  decoder.inst.target =
      static_cast<std::uint32_t>(decoder.names.placeOf(*arguments[1].variable).address);
  decoder.inst.rows[0] =
      static_cast<std::uint32_t>(decoder.names.placeOf(*results[0].variable).address);
  decoder.inst.run = print;
}

} // namespace ptxsim
