# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# shellcheck shell=bash
# Functions of the scripts in this folder: packages, configuration, builds. Source it. It sets
# $root.

set -euo pipefail
exec </dev/null # no script reads stdin, so a closed or blocking stdin must not matter

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
no_install=false

# step TEXT: prints the next step and the time since the start.
step() { printf '\n== %s [%d s]\n' "$*" "$SECONDS"; }

# fail STATUS TEXT...: exits with a message.
fail() {
  local status=$1
  shift
  printf '%s: error: %s\n' "$(basename "$0")" "$*" >&2
  exit "$status"
}

# missing KIND: prints the packages of that kind in packages.txt that are not installed, on one
# line.
missing() {
  local package
  while read -r package; do
    [[ $(dpkg-query -W -f '${Status}' "$package" 2>/dev/null) == "install ok installed" ]] ||
      printf '%s ' "$package"
  done < <(awk -v kind="$1" '$1 == kind { print $2 }' "$root/scripts/packages.txt")
}

# install_packages KIND...: installs all packages of these kinds.
install_packages() {
  command -v apt-get >/dev/null ||
    fail 1 "this needs Debian 12 and its apt; on another system, see CONTRIBUTING.md for what to install"
  local kind needed=""
  for kind in "$@"; do
    needed+=$(missing "$kind")
  done
  if [[ -z $needed ]]; then
    echo "every package is there"
    return
  fi

  local -a packages as_root=() update install
  read -ra packages <<<"$needed $(missing want)"
  [[ $(id -u) -eq 0 ]] || as_root=(sudo)
  update=("${as_root[@]}" apt-get update)
  install=("${as_root[@]}" apt-get install -y --no-install-recommends "${packages[@]}")
  if $no_install; then
    fail 1 "packages are missing and --no-install was given; install them with
  ${update[*]} && ${install[*]}"
  fi
  [[ $(id -u) -eq 0 ]] || command -v sudo >/dev/null ||
    fail 1 "packages are missing and there is no sudo; as root, run
  apt-get update && apt-get install -y --no-install-recommends ${packages[*]}"

  echo "installing with apt: ${packages[*]}"
  export DEBIAN_FRONTEND=noninteractive
  "${update[@]}"
  local package
  for package in "${packages[@]}"; do
    [[ $(LC_ALL=C apt-cache policy "$package") == *"Candidate: "[^\(]* ]] ||
      fail 1 "apt knows no package '$package'; LLVM 22 comes from Debian's bookworm-security (or https://apt.llvm.org), which /etc/apt/sources.list must name"
  done
  "${install[@]}"
}

# set_sanitizer_options FOLDER: sets the sanitizer options for programs that link LLVM.
set_sanitizer_options() {
  local leaks=1 probe=$1/leak-probe.$$
  # LeakSanitizer needs ptrace. Where a container forbids it, every program would end with an error.
  echo 'int main() {}' | clang-22 -x c -fsanitize=address -o "$probe" -
  if ! "$probe" 2>/dev/null; then
    leaks=0
    echo "LeakSanitizer does not work here: leaks are not looked for"
  fi
  rm -f "$probe"
  # LLVM's headers, compiled here with ASan, poison memory of allocators. libLLVM, compiled without
  # ASan, does not unpoison it. allow_user_poisoning=0 prevents the resulting false reports.
  # Tests of full memory expect an error of the program, not of the allocator.
  export ASAN_OPTIONS=detect_leaks=$leaks:allow_user_poisoning=0:detect_stack_use_after_return=1
  ASAN_OPTIONS+=:allocator_may_return_null=1
  export UBSAN_OPTIONS=print_stacktrace=1
  export ASAN_SYMBOLIZER_PATH=/usr/lib/llvm-22/bin/llvm-symbolizer
}

# build PRESET [TARGET...]: configures build/PRESET if necessary, and builds.
build() {
  local folder=$root/build/$1
  cd "$root"
  mkdir -p build
  # Ninja configures again when a CMakeLists.txt changes, but not when the presets change.
  if [[ ! -e $folder/build.ninja || CMakePresets.json -nt $folder/build.ninja ]]; then
    cmake --preset "$1" >"$folder.configure.log" 2>&1 ||
      { cat "$folder.configure.log" >&2; fail 1 "cmake --preset $1 failed"; }
  fi
  if [[ $1 == release && ! -e $folder/simple.fdata ]]; then
    echo "to link simple for the first time takes some minutes, in which llvm-bolt makes a profile and ninja prints nothing"
  fi
  ninja -C "$folder" "${@:2}"
}
