// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cli/OutputFile.h"
#include "cli/Failure.h"
#include "codegen/LockedFile.h"
#include "driver/Compilation.h"
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <optional>
#include <sys/stat.h>
#include <unistd.h>

namespace spl::cli {
namespace {

namespace fs = std::filesystem;

/// The prefix of the name of a file until it is complete.
constexpr llvm::StringLiteral temporaryPrefix = ".simple-gpu-output-";

using Parts = std::initializer_list<std::string_view>;

// The functions below return 0, or errno after an error.

int writeAll(int file, Parts parts) {
  for (std::string_view part : parts)
    while (!part.empty()) {
      const ssize_t written = ::write(file, part.data(), part.size());
      if (written >= 0)
        part.remove_prefix(static_cast<std::size_t>(written));
      else if (errno != EINTR)
        return errno;
    }
  return 0;
}

int writeInPlace(const fs::path &target, Parts parts) {
  const int file = ::open(target.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0)
    return errno;
  const int cause = writeAll(file, parts);
  return ::close(file) != 0 && cause == 0 ? errno : cause;
}

// Follows links, because rename would replace the link itself. The file need not exist.
int followLinks(fs::path &path) {
  std::error_code error;
  for (int steps = 0; fs::is_symlink(fs::symlink_status(path, error)); ++steps) {
    if (steps == 40) // as the kernel does
      return ELOOP;
    path = path.parent_path() / fs::read_symlink(path, error);
    if (error)
      return error.value();
  }
  return 0;
}

mode_t modeOfNewFiles() {
  const mode_t mask = ::umask(0); // umask cannot be read without setting it
  ::umask(mask);
  return 0666 & ~mask;
}

int replace(fs::path target, Parts parts) {
  if (const int cause = followLinks(target))
    return cause;
  struct stat old;
  const bool isThere = ::stat(target.c_str(), &old) == 0;
  // rename checks only whether the folder is writable.
  if (isThere && ::access(target.c_str(), W_OK) != 0)
    return errno;
  const std::string folder = target.has_parent_path() ? target.parent_path().string() : ".";
  codegen::removeAbandoned(folder, temporaryPrefix, "");
  std::optional<codegen::LockedFile> temporary =
      codegen::LockedFile::create(folder, temporaryPrefix, "");
  if (!temporary)
    return errno;
  const int file = temporary->descriptor();
  int cause = writeAll(file, parts);
  // A file system without modes may reject this. The temporary file's own mode 0600 excludes other
  // users.
  (void)!::fchmod(file, isThere ? old.st_mode & 0777 : modeOfNewFiles());
  // A network file system may report an error only now. Closing a copy of the descriptor keeps the
  // lock, which must be held until the file has its name. Without it, another process would
  // consider the file abandoned.
  if (::close(::dup(file)) != 0 && cause == 0)
    cause = errno;
  if (cause == 0 && ::rename(temporary->path().c_str(), target.c_str()) != 0)
    cause = errno;
  if (cause != 0)
    ::unlink(temporary->path().c_str());
  return cause;
}

// Whether the paths name the same file, which need not exist. Devices and pipes are not replaced,
// so they count as different.
bool areSame(const fs::path &a, const fs::path &b) {
  std::error_code error;
  if (fs::exists(a, error) || fs::exists(b, error))
    return fs::is_regular_file(a, error) && fs::equivalent(a, b, error);
  const auto real = [&](fs::path path) {
    followLinks(path);
    return fs::weakly_canonical(fs::absolute(path, error), error);
  };
  return real(a) == real(b);
}

} // namespace

std::vector<InputFile> inputsOf(const driver::Compilation &compilation) {
  std::vector<InputFile> inputs;
  for (const std::string &path : compilation.findFiles())
    inputs.push_back(
        {path, inputs.empty() ? "the source itself" : "a file that the program uses", ""});
  return inputs;
}

void requireOther(std::span<const OutputFile> outputs, std::span<const InputFile> inputs) {
  for (auto output = outputs.begin(); output != outputs.end(); ++output) {
    for (const InputFile &input : inputs)
      if (areSame(output->path, input.path) &&
          (input.array.empty() || input.array != output->array))
        throw Failure(WrongUsage, "the output '" + output->path + "' is " + input.what +
                                      "; name another file for the output");
    for (const OutputFile &other : outputs.first(output - outputs.begin()))
      if (areSame(output->path, other.path))
        throw Failure(WrongUsage, "'" + other.array + "' and '" + output->array +
                                      "' are both saved to '" + output->path +
                                      "'; name a file for each");
  }
}

void writeFile(const std::string &path, Parts parts) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  const bool isReplaced = !fs::exists(status) || fs::is_regular_file(status);
  if (const int cause = isReplaced ? replace(path, parts) : writeInPlace(path, parts))
    throw Failure(Failed, "cannot write '" + path + "': " + std::strerror(cause));
}

} // namespace spl::cli
