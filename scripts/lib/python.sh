# A Python environment of our own in the data folder: Debian's Python takes no packages from pip.
# Sourced, never run.

VENV=$DATA/venv

# Prints the first Python that can make an environment with pip in it.
python_with_venv() {
  local python
  for python in python3 /usr/bin/python3 /usr/local/bin/python3; do
    if command -v "$python" >/dev/null && "$python" -c 'import ensurepip, venv' 2>/dev/null; then
      command -v "$python"
      return
    fi
  done
  return 1
}

# An environment whose Python is gone or was removed half way is made again.
ensure_venv() {
  if "$VENV/bin/python" -m pip --version >/dev/null 2>&1; then
    STEP_NOTE="$("$VENV/bin/python" --version) environment, present"
    return
  fi
  local python
  python=$(python_with_venv) || {
    apt_install 'no Python here can make a virtual environment' python3-venv
    python=$(python_with_venv) || die 'Python 3 with its venv module is missing; install python3-venv'
  }
  rm -rf "$VENV"
  "$python" -m venv "$VENV" >"$DATA/logs/venv.log" 2>&1 ||
    die "$python could not make a virtual environment; see $DATA/logs/venv.log, or install python3-venv"
  STEP_NOTE="$("$VENV/bin/python" --version) environment, made"
}

# ensure_python_packages FILE: installs the pins of a requirements file, unless that very file was installed.
ensure_python_packages() {
  local requirements=$1 name stamp
  name=$(basename "$requirements" .txt)
  stamp=$VENV/installed-$name.txt
  STEP_NOTE=$(grep -vE '^(#|$)' "$requirements" | paste -sd ' ')
  if cmp -s "$requirements" "$stamp"; then
    STEP_NOTE="$STEP_NOTE, present"
    return
  fi
  "$VENV/bin/python" -m pip install -q --disable-pip-version-check -r "$requirements" \
    >"$DATA/logs/$name.log" 2>&1 ||
    die "pip could not install $(basename "$requirements"); see $DATA/logs/$name.log"
  cp "$requirements" "$stamp"
  STEP_NOTE="$STEP_NOTE, installed"
}
