# Programs of servers that others of our commands start: Temporal, and an S3 server for tests.
# Sourced, never run; needs python.sh.

# A server that is already there is used; else a `temporal` on PATH; else the one in our environment.
ensure_temporal() {
  if [ -n "${TEMPORAL_ADDRESS:-}" ]; then
    STEP_NOTE="Temporal at $TEMPORAL_ADDRESS"
  elif command -v temporal >/dev/null; then
    STEP_NOTE="$(command -v temporal)"
  else
    ensure_venv
    ensure_python_packages "$ROOT/scripts/requirements-temporal.txt"
  fi
}

ensure_s3_server() {
  ensure_venv
  ensure_python_packages "$ROOT/scripts/requirements-s3.txt"
}

ensure_task_libraries() {
  ensure_venv
  ensure_python_packages "$ROOT/scripts/requirements-tasks.txt"
}

ensure_corpus_libraries() {
  ensure_venv
  ensure_python_packages "$ROOT/scripts/requirements-corpus.txt"
}

# Of Harbor only the model of a transcript is used: without the rest of its dependencies, and with Python 3.11, which
# that part runs on as well.
ensure_harbor_model() {
  ensure_venv
  PIP_NO_DEPS=1 PIP_IGNORE_REQUIRES_PYTHON=1 ensure_python_packages "$ROOT/scripts/requirements-harbor.txt"
}
