#!/usr/bin/env bash
# Builds Tessera and runs the main job, from a fresh Debian or Ubuntu machine on: the stencil on all cores, then on two
# ranks; then the lid-driven cavity against its published table. Pictures: pictures/*.png.
set -eu
cd "$(dirname "$0")"
source tools/environment.sh

tools/install_deps.sh run
build=build-demo # without tests: `build` stays as it is
cmake -S . -B $build -G Ninja -DTESSERA_TESTS=OFF -DTESSERA_BENCH=OFF >build.log 2>&1 || { cat build.log; rm -f build.log; exit 1; }
rm -f build.log
ninja -C $build -j "$(n_jobs)"
mkdir -p pictures

run() {
  echo
  echo "\$ $*"
  "$@"
}
run $build/examples/stencil -n 1000 -i 1000 -w 5 --png pictures/stencil.png
run mpirun -n 2 $build/examples/stencil -n 1000 -i 1000 -w 5 --png pictures/stencil-2-ranks.png
run $build/examples/cavity --re 100 -n 128 --png pictures/cavity.png

echo
cmp pictures/stencil.png pictures/stencil-2-ranks.png && echo "one rank and two drew the same stencil, bit for bit"
echo "pictures: pictures/stencil.png, pictures/stencil-2-ranks.png, pictures/cavity.png"
