# A Docker daemon that answers, and a client that can build with secrets. Sourced, never run.

DOCKERD_WAIT_S=60

docker_answers() { command -v docker >/dev/null && docker version --format '{{.Server.Version}}' >/dev/null 2>&1; }

# Uses the daemon of DOCKER_HOST or of the default socket; where none answers, installs and starts one.
ensure_docker() {
  if docker_answers; then
    note_docker 'already running'
    return
  fi
  if [[ $(docker version 2>&1) == *'permission denied'* ]]; then
    die "this user may not use the Docker daemon; add it to the group docker (usermod -aG docker $(id -un)) and log in again"
  fi
  [ -z "${DOCKER_HOST:-}" ] || die "no Docker daemon answers at DOCKER_HOST=$DOCKER_HOST; start it, or unset DOCKER_HOST"
  local missing=()
  command -v dockerd >/dev/null || missing+=(docker.io)
  command -v iptables >/dev/null || missing+=(iptables)
  [ ${#missing[@]} = 0 ] || apt_install 'no Docker daemon answers' "${missing[@]}"
  if ! docker_answers; then # the package may have started it
    [ "$(id -u)" = 0 ] || die 'no Docker daemon answers; start it (systemctl start docker), or run this as root'
    start_dockerd
  fi
  note_docker 'started'
}

note_docker() {
  STEP_NOTE="Docker $(docker version --format '{{.Server.Version}}'), $1"
  if [ "$(docker info --format '{{.LiveRestoreEnabled}}')" != true ]; then
    STEP_NOTE="$STEP_NOTE, no live-restore"
  fi
}

# With live-restore sandboxes outlive a daemon that is killed; without it they would all be lost.
start_dockerd() {
  local log=$DATA/logs/dockerd.log waited=0
  forget_dead_pid /var/run/docker.pid dockerd
  forget_dead_pid /var/run/docker/containerd/containerd.pid containerd
  # Descriptor 9 is the set-up's lock, which must not live on in the daemon.
  setsid nohup dockerd --live-restore >>"$log" 2>&1 </dev/null 9>&- &
  until docker_answers; do
    waited=$((waited + 1))
    if [ "$waited" -gt $((DOCKERD_WAIT_S * 5)) ]; then
      die "dockerd did not answer within $DOCKERD_WAIT_S s; see $log, or install and start Docker in this machine's usual way"
    fi
    sleep 0.2
  done
}

# forget_dead_pid FILE NAME: a daemon that was killed leaves its pid file, and the next one would refuse
# to start, or wait for ever, where that number is another program's by now, or still the dead one's:
# containerd dies with its dockerd, and is a zombie until the machine's first process gets round to it.
forget_dead_pid() {
  local file=$1 name=$2 pid
  [ -f "$file" ] || return 0
  pid=$(tr -dc 0-9 <"$file")
  if [ -n "$pid" ] && grep -qs "^Name:[[:space:]]*$name\$" "/proc/$pid/status" &&
    ! grep -qs '^State:[[:space:]]*Z' "/proc/$pid/status"; then
    return 0
  fi
  rm -f "$file"
}
