// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "tools/driver/OutputFile.h"
#include "tools/driver/Failure.h"
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <unistd.h>

namespace spl::driver {

namespace fs = std::filesystem;

void writeFile(const std::string &path, std::initializer_list<std::string_view> parts) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const bool isReplaced = !fs::exists(status) || fs::is_regular_file(status);
  const fs::path target = isReplaced ? fs::weakly_canonical(path, error) : fs::path(path);
  const fs::path written =
      isReplaced ? fs::path(target.string() + ".tmp" + std::to_string(getpid())) : target;

  errno = 0;
  error.clear();
  std::ofstream file(written, std::ios::binary | std::ios::trunc);
  for (std::string_view part : parts)
    file.write(part.data(), static_cast<std::streamsize>(part.size()));
  file.close();
  const int cause = errno;
  if (file && isReplaced)
    fs::rename(written, target, error);
  if (file && !error)
    return;
  const std::string why = error ? error.message() : std::strerror(cause);
  if (isReplaced)
    fs::remove(written, error);
  throw Failure(Failed, "cannot write '" + path + "': " + why);
}

} // namespace spl::driver
