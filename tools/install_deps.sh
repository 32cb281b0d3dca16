#!/usr/bin/env bash
# Installs the Debian/Ubuntu packages that are missing. Asks for nothing that is there; sudo only if not root.
#
#   tools/install_deps.sh [run|test|ci]     what for (default: test, which holds run; ci holds both)
set -eu

packages="gcc g++ cmake ninja-build pkg-config libopenmpi-dev openmpi-bin libhwloc-dev libpng-dev"
case "${1:-test}" in
  run) ;;
  test) packages="$packages libcriterion-dev libmpfr-dev python3-dev python3-numpy python3-mpi4py libopenblas0-pthread" ;;
  ci) packages="$packages libcriterion-dev libmpfr-dev python3-dev python3-numpy python3-mpi4py libopenblas0-pthread git gfortran doxygen clang-format-14 gdb strace clang-14 libclang-rt-14-dev gcc-11 python3-pip python3-paraview" ;;
  *) sed -n '2,4s/^# *//p' "$0" >&2; exit 2 ;;
esac

missing=""
for package in $packages; do
  state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
  [ "$state" = installed ] || missing="$missing $package"
done
# pkgconf stands for pkg-config on newer releases.
if command -v pkg-config >/dev/null; then missing=${missing/ pkg-config/}; fi
[ -n "$missing" ] || exit 0

if ! command -v apt-get >/dev/null; then
  echo "$0: no apt-get here; please install:$missing" >&2
  exit 1
fi
as_root=""
if [ "$(id -u)" != 0 ]; then as_root="sudo"; fi
echo "installing:$missing"
export DEBIAN_FRONTEND=noninteractive
$as_root apt-get update -q
# shellcheck disable=SC2086  # one word per package
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -q -y --no-install-recommends $missing
