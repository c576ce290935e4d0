# Node and the npm packages. Sourced, never run.

ensure_node() {
  command -v node >/dev/null || die 'Node is missing; install Node 20 (20.19 or newer)'
  command -v npm >/dev/null || die 'npm is missing; install it beside Node 20'
  STEP_NOTE=$(node --version)
  node -e 'const [major, minor] = process.versions.node.split(".").map(Number);
    process.exit((major === 20 && minor >= 19) || (major === 22 && minor >= 13) || major >= 24 ? 0 : 1)' ||
    die "Node $STEP_NOTE is not supported; install Node 20 (20.19 or newer), 22 (22.13 or newer) or 24"
}

ensure_npm_packages() {
  local log=$DATA/logs/npm.log
  if node "$ROOT/scripts/lib/packages-match.cjs" "$ROOT"; then
    STEP_NOTE='npm packages, present'
    return
  fi
  echo '  installing npm packages: takes a minute or more' >&2
  (cd "$ROOT" && npm ci --ignore-scripts --no-audit --no-fund) >"$log" 2>&1 ||
    die "npm ci failed; see $log, and check that npm reaches its registry"
  STEP_NOTE='npm packages, installed'
}
