# Shared by every script here: where things are, and how a step is announced.
# Sourced, never run. Callers have `set -euo pipefail` on.

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd -P)
DATA=${STARTUPBENCH_DATA:-$ROOT/.startupbench}
case $DATA in /*) ;; *) DATA=$PWD/$DATA ;; esac
export STARTUPBENCH_DATA=$DATA
export PATH=$PATH:/usr/sbin:/sbin # dockerd, iptables and debootstrap are there, and not on everyone's PATH

# One sentence on stderr, then exit 1.
die() {
  printf 'startupbench: %s\n' "$*" >&2
  exit 1
}

# Milliseconds since the epoch.
now_ms() { date +%s%3N; }

# Seconds with one decimal since a `now_ms` value.
seconds_since() {
  local ms=$(($(now_ms) - $1))
  printf '%d.%d' $((ms / 1000)) $((ms % 1000 / 100))
}

# step NAME FUNCTION [ARG...]: runs it, prints one line with what it left in STEP_NOTE and how long it took.
step() {
  local name=$1 started
  shift
  started=$(now_ms)
  STEP_NOTE=''
  "$@"
  printf '  %-12s %-52s %6s s\n' "$name" "$STEP_NOTE" "$(seconds_since "$started")" >&2
}

# Makes the data folder: private to its owner, since it holds tokens and agents' files.
ensure_data_folder() {
  mkdir -p "$DATA/logs"
  chmod 0700 "$DATA"
  STEP_NOTE=$DATA
}

# apt_install WHY PACKAGE...: installs Debian packages, or stops with what to install.
apt_install() {
  local why=$1 log=$DATA/logs/apt.log
  shift
  local advice="$why; install $* (Debian: apt-get install $*) and run this again"
  [ "$(id -u)" = 0 ] || die "$advice, or run it as root"
  command -v apt-get >/dev/null || die "$advice"
  {
    apt-get update -q
    DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@"
  } >>"$log" 2>&1 || die "$advice; apt-get failed here, see $log"
}
