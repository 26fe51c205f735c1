// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arguments that are structs or arrays with slices. A kernel has a parameter for each of their
// parts, whose name is the path to it: "grid.cells", "rows[0]".
#ifndef SPL_ARGUMENTPARTS_H
#define SPL_ARGUMENTPARTS_H

#include "spl/Launch.h"
#include "spl/Signature.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace spl::detail {

/// Whether the argument consists of others.
inline bool hasParts(const Argument &argument) {
  return std::holds_alternative<std::vector<Argument>>(argument.value);
}
/// Whether the parameter is a part of one in the source.
bool isPartOfWhole(const Parameter &parameter);
/// The names of the parameters in the source: "grid" for all parts of it.
std::vector<std::string> wholeNames(std::span<const Parameter> parameters);

/// Finds the parameters of the parts of arguments, by name. Refers to parameters and arguments.
class ArgumentParts {
public:
  using Named = std::pair<std::string, const Argument *>;

  explicit ArgumentParts(std::span<const Parameter> parameters) : parameters(parameters) {}

  /// Adds the argument, or the parts of it, under the name of its parameter.
  void add(const std::string &name, const Argument &argument);
  /// Adds it for the next parameter, or for those that are parts of the next one in the source.
  /// Returns false if there is none.
  bool addNext(const Argument &argument);
  bool areAllTaken() const { return next == parameters.size(); }
  const std::vector<Named> &all() const { return named; }

private:
  std::span<const Parameter> parameters;
  std::size_t next = 0;
  std::vector<Named> named;
};

} // namespace spl::detail

#endif
