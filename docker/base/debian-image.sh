#!/usr/bin/env bash
# Prints the name of an image with a minimal Debian bookworm, after making sure that it exists:
# debian:bookworm-slim where images can be pulled, else one made by debootstrap from this machine's
# own package mirror. The second way needs root, apt and debootstrap (installed where missing).
set -euo pipefail
. "$(dirname "${BASH_SOURCE[0]}")/../../scripts/lib/common.sh"

suite=bookworm
pulled=debian:$suite-slim
made=startupbench/debian:$suite

exists() { docker image inspect "$1" >/dev/null 2>&1; }

debootstrap_image() {
  local tree mirror
  command -v debootstrap >/dev/null || apt_install "the image $pulled cannot be pulled" debootstrap
  [ "$(id -u)" = 0 ] || die "the image $pulled cannot be pulled, and making one needs root; run this as root, or pull that image"
  mirror=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' |
    awk -v suite="$suite" '$2 == suite { print $1; exit }')
  [ -n "$mirror" ] || die "the image $pulled cannot be pulled, and apt here has no mirror of Debian $suite to make one from; pull that image"
  tree=$(mktemp -d)
  # shellcheck disable=SC2064  # the folder of now, not of later
  trap "rm -rf '$tree'" EXIT
  debootstrap --variant=minbase --include=ca-certificates "$suite" "$tree" "$mirror" >&2
  rm -rf "$tree"/var/cache/apt/archives/*.deb "$tree"/var/lib/apt/lists/* "$tree"/var/log/*.log
  : >"$tree/etc/apt/sources.list" # the mirror is this machine's, not the image's
  tar -C "$tree" --numeric-owner -c . |
    docker import -c 'CMD ["bash"]' -c 'ENV LANG=C.UTF-8' - "$made" >&2
}

if exists "$pulled"; then
  echo "$pulled"
elif exists "$made"; then
  echo "$made"
elif timeout 120 docker pull -q "$pulled" >/dev/null 2>&1; then
  echo "$pulled"
else
  debootstrap_image
  echo "$made"
fi
