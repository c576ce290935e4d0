# A temporary folder for one run of the tests. Sourced, never run; common.sh comes first.
#
# Tests make and delete tens of thousands of small files, and stores wait for the disk after each of theirs. In memory
# such tests take half the processor time and a third of the time.

TEMPORARY_MEMORY=/dev/shm
# Short: paths of sockets below it have 107 bytes.
TEMPORARY_PREFIX=sbt-
TEMPORARY_LOCK=startupbench-test.lock
# Memory is chosen unasked where so much of it is free: attempts wait below 4 GiB of free room, and the rest is many
# times what all tests hold at once.
TEMPORARY_ROOM_MIB=8192

# TMPDIR becomes a folder of this run's own, in memory or on disk as STARTUPBENCH_TEST_TMP says (auto, memory, disk).
# STARTUPBENCH_TEST_DISK is one on disk in any case, for tests that are about disks. Both go when this process and
# Jest have ended, however they ended.
open_temporary_folder() {
  local wish=${STARTUPBENCH_TEST_TMP:-auto} base=${TMPDIR:-/tmp} disk memory why=''
  case $wish in auto | memory | disk) ;; *) die "STARTUPBENCH_TEST_TMP is $wish; write auto, memory or disk" ;; esac
  remove_forgotten_folders "$base"
  disk=$(mktemp -d "$base/${TEMPORARY_PREFIX}XXXXXX")
  memory=$TEMPORARY_MEMORY/${disk##*/}
  # Whoever gets this lock knows that nobody uses the folders any more.
  exec 8>"$disk/$TEMPORARY_LOCK"
  flock 8
  setsid --fork bash -c '. "$1"; flock "$2/$TEMPORARY_LOCK" true; remove_temporary_folders "$2"' \
    remove-temporary "$ROOT/scripts/lib/temporary.sh" "$disk" 8>&- </dev/null >/dev/null 2>&1

  if [ "$wish" = disk ]; then why='as STARTUPBENCH_TEST_TMP says'; fi
  if [ "$wish" = auto ]; then why=$(too_little_memory); fi
  if [ -z "$why" ]; then why=$(memory_unfit "$memory"); fi
  if [ "$wish" = memory ] && [ -n "$why" ]; then die "the tests' files cannot be in memory: $why"; fi
  export STARTUPBENCH_TEST_DISK=$disk
  if [ -n "$why" ]; then
    export TMPDIR=$disk
    STEP_NOTE="on disk: $why"
  else
    export TMPDIR=$memory
    STEP_NOTE="in memory, $(free_memory_mib) MiB free (STARTUPBENCH_TEST_TMP)"
  fi
}

too_little_memory() {
  local free
  free=$(free_memory_mib)
  if [ "$free" -lt "$TEMPORARY_ROOM_MIB" ]; then echo "$free MiB of memory free, not $TEMPORARY_ROOM_MIB"; fi
}

# The least of: room in the memory file system, free memory, and what is left to each group this process is in.
free_memory_mib() {
  local group least limit used
  least=$(awk '$1 == "MemAvailable:" { print int($2 / 1024) }' /proc/meminfo)
  used=$(df -Pk "$TEMPORARY_MEMORY" 2>/dev/null | awk 'NR == 2 { print int($4 / 1024) }')
  if [ "${used:-0}" -lt "$least" ]; then least=${used:-0}; fi
  group=$(sed -n 's/^0:://p' /proc/self/cgroup)
  for (( ; ; )); do
    group=${group%/}
    limit=$(cat "/sys/fs/cgroup$group/memory.max" 2>/dev/null || echo max)
    if [ "$limit" != max ]; then
      used=$(cat "/sys/fs/cgroup$group/memory.current")
      limit=$(((limit - used) / 1048576))
      if [ "$limit" -lt "$least" ]; then least=$limit; fi
    fi
    if [ -z "$group" ]; then break; fi
    group=${group%/*}
  done
  echo "$least"
}

# Makes the folder in memory; says why it is of no use, or nothing.
memory_unfit() {
  local folder=$1 images
  if [ "$(stat -f -c %T "$TEMPORARY_MEMORY" 2>/dev/null)" != tmpfs ]; then
    echo "$TEMPORARY_MEMORY is not in memory here"
    return
  fi
  mkdir -m 0700 "$folder"
  printf '#!/bin/sh\n' >"$folder/probe"
  chmod 0700 "$folder/probe"
  if ! "$folder/probe" 2>/dev/null; then
    echo "programs cannot run in $TEMPORARY_MEMORY"
    return
  fi
  # A daemon elsewhere, or in a mount namespace of its own, would mount another folder than ours.
  images=$(docker images --quiet startupbench/agent 2>/dev/null || true)
  if ! docker run --rm --network none --label startupbench.kind=test --volume "$folder:/memory:ro" \
    --entrypoint test "${images%%$'\n'*}" -e /memory/probe >/dev/null 2>&1; then
    echo "Docker does not see $TEMPORARY_MEMORY"
  fi
  rm "$folder/probe"
}

# Folders of runs that were killed together with their remover.
remove_forgotten_folders() {
  local lock
  for lock in "$1/$TEMPORARY_PREFIX"*/"$TEMPORARY_LOCK"; do
    if [ -e "$lock" ] && flock --nonblock "$lock" true; then remove_temporary_folders "${lock%/*}"; fi
  done
}

# Ends what still runs for a run of the tests (its temporary folder is in the environment), then unmounts and removes.
remove_temporary_folders() {
  local folder mounted process
  for folder in "$TEMPORARY_MEMORY/${1##*/}" "$1"; do
    if [ ! -d "$folder" ]; then continue; fi
    remove_containers_of "$folder" >/dev/null 2>&1 || true
    for process in $(processes_with "TMPDIR=$folder"); do end_tree "$process"; done
    awk -v below="$folder/" 'index($2, below) == 1 { print $2 }' /proc/self/mounts | sort -r |
      while read -r mounted; do umount -l "$(printf '%b' "$mounted")"; done
    rm -rf -- "$folder"
  done
}

# Containers that have something below the folder mounted.
remove_containers_of() {
  docker ps --all --quiet |
    xargs -r docker inspect --format '{{.Id}}{{range .Mounts}} {{.Source}}{{end}}' |
    awk -v below=" $1/" 'index($0, below) { print $1 }' |
    xargs -r docker rm --force --volumes
}

processes_with() {
  grep -lzxF -- "$1" /proc/[0-9]*/environ 2>/dev/null | cut -d/ -f3
}

end_tree() {
  local child
  for child in $(cat "/proc/$1/task/$1/children" 2>/dev/null); do end_tree "$child"; done
  kill -KILL "$1" 2>/dev/null || true
}
