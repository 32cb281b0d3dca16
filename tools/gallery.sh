#!/usr/bin/env bash
# Draws the pictures of README's gallery with the examples of a build: tools/gallery.sh BUILD
set -eu
cd "$(dirname "$0")/.."
source tools/environment.sh
mkdir -p docs/pictures

draw() { # example, options...
  echo "$*"
  "$build/examples/$1" "${@:2}" --png "docs/pictures/$1.png" | tail -n 1
}

build=$1
draw stencil -n 254 -i 4000
draw cavity -n 256 --re 400
draw gray_scott
draw images --height 270 --width 480
draw black_scholes -n 256
draw heat3d -n 126 -i 2000
draw cg
draw kmeans
draw game_of_life
draw mandelbrot
draw advection
