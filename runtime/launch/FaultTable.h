// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The meaning of the fault records of an image: its table of checks and texts (fault_record.h). The
// bytes of the table may be damaged. A table is immutable. The image's module and the launches that
// may still report a fault share it.
#ifndef SPL_RUNTIME_LAUNCH_FAULTTABLE_H
#define SPL_RUNTIME_LAUNCH_FAULTTABLE_H

#include "runtime/backends/BackendStream.h"
#include "spl/Error.h"
#include "spl/fault_record.h"

#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace spl::detail {

class FaultTable {
public:
  /// No checks.
  FaultTable() = default;
  /// Reads the table of an image. Throws InvalidImage if it is damaged or of another version.
  explicit FaultTable(std::string_view bytes);

  /// The error of the fault that \p record reports, in a launch of \p kernel on \p device. If the
  /// record is damaged or of another version, the error says so.
  Error errorOf(const spl_fault_record &record, const Geometry &geometry, const std::string &kernel,
                const std::string &device) const;

private:
  /// Returns the fault, or what is wrong with the record.
  std::variant<Fault, std::string> read(const spl_fault_record &record,
                                        const Geometry &geometry) const;

  std::vector<spl_fault_site> sites;
  std::vector<std::string> texts;
};

} // namespace spl::detail

#endif
