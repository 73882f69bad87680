# ensure_setup: what tools/apt-packages.txt, tools/requirements.txt, viewer and tools/gltf-validator declare is there, or
# gets installed.
# Silent and quick when nothing is missing. Sourced by ./dev.
# shellcheck shell=bash

readonly minimum_compiler=12 minimum_cmake=3.25
setup_stamp=$root/build/.setup

declared_packages() { sed 's/#.*//' "$root/tools/apt-packages.txt" | xargs -n 1; }

missing_packages() {
  local -A installed=()
  local status name
  while read -r status name; do
    if [[ $status == installed ]]; then installed[$name]=1; fi
  done < <(declared_packages | xargs dpkg-query -W -f '${db:Status-Status} ${Package}\n' 2>/dev/null)
  while read -r name; do
    if [[ -z ${installed[$name]:-} ]] && ! comes_with_another "$name"; then printf '%s\n' "$name"; fi
  done < <(declared_packages)
}

# The nodejs packages that are not Debian's own bring npm along, and cannot stand beside Debian's npm.
comes_with_another() { [[ $1 == npm ]] && command -v npm >/dev/null; }

install_packages() {
  local as_root=()
  if [[ $EUID != 0 ]]; then
    command -v sudo >/dev/null ||
      die "these Debian packages are missing, and installing them needs root or sudo: $*
     Ask an administrator to run: apt-get install --no-install-recommends $*"
    as_root=(sudo)
  fi
  say "Installing $# Debian packages with all that they need, which takes minutes: $*"
  export DEBIAN_FRONTEND=noninteractive
  "${as_root[@]}" apt-get update -qq || die "apt-get update failed; is there a network?"
  "${as_root[@]}" apt-get install -y -qq --no-install-recommends -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 "$@" >&2 ||
    die "apt-get install failed; its own message is above"
}

# version_at_least FOUND WANTED
version_at_least() { [[ $(printf '%s\n' "$2" "$1" | sort -V | head -n 1) == "$2" ]]; }

check_tools() {
  local compiler cmake
  compiler=$("${CXX:-c++}" -dumpfullversion -dumpversion) || die "no C++ compiler found; set CXX or install g++-12"
  cmake=$(cmake --version | sed -n 's/^cmake version //p')
  version_at_least "$compiler" "$minimum_compiler" ||
    die "${CXX:-c++} is version $compiler; Gelenk needs g++ $minimum_compiler or newer (set CXX)"
  version_at_least "$cmake" "$minimum_cmake" || die "cmake is version $cmake; Gelenk needs $minimum_cmake or newer"
  tool_report="C++ compiler $compiler, cmake $cmake, ninja $(ninja --version)"
}

install_python_environment() {
  local python=/usr/bin/python3
  if [[ ! -x $python ]]; then python=python3; fi
  say "Installing Python packages of tools/requirements.txt into .venv"
  "$python" -m venv "$root/.venv" || die "python3 -m venv failed; is python3-venv installed?"
  "$root/.venv/bin/python3" -m pip install --quiet --disable-pip-version-check -r "$root/tools/requirements.txt" >&2 ||
    die "pip install failed; its own message is above"
}

readonly node_folders=(viewer tools/gltf-validator)

# Packages of Node.js in the folder, exactly those of its lock file.
install_node_packages() {
  say "Installing the packages of $1/package-lock.json"
  npm --prefix "$root/$1" ci --silent >&2 || die "npm ci failed in $1; is there a network?"
}

has_node_packages() {
  local folder
  for folder in "${node_folders[@]}"; do
    if [[ ! -d $root/$folder/node_modules ]]; then return 1; fi
  done
}

ensure_setup() {
  local wanted folder missing=()
  if command -v dpkg-query >/dev/null; then
    mapfile -t missing < <(missing_packages)
    if ((${#missing[@]})); then install_packages "${missing[@]}"; fi
  fi
  check_tools
  wanted=$(cat "$root/tools/"{apt-packages.txt,requirements.txt,gltf-validator/package-lock.json} "$root/viewer/package-lock.json" | sha256sum)
  if [[ ! -x $root/.venv/bin/python3 || ! -f $setup_stamp || $(<"$setup_stamp") != "$wanted" ]] || ! has_node_packages; then
    if ! command -v dpkg-query >/dev/null; then
      say "This is not a Debian system: the packages of tools/apt-packages.txt are yours to install."
    fi
    install_python_environment
    for folder in "${node_folders[@]}"; do install_node_packages "$folder"; done
    mkdir -p "$root/build"
    printf '%s\n' "$wanted" >"$setup_stamp"
  fi
}
