// Exits 0 when node_modules holds what package-lock.json says, 1 when not. By content, not by time: a git
// checkout changes times, and an install that was cut short leaves no record at all.
// usage: node packages-match.cjs ROOT
const { readFileSync } = require('node:fs');
const { join } = require('node:path');

const root = process.argv[2];
const packagesOf = (path) => JSON.parse(readFileSync(join(root, path), 'utf8')).packages;

try {
  const wanted = packagesOf('package-lock.json');
  const installed = packagesOf('node_modules/.package-lock.json');
  const matches = Object.entries(wanted).every(([path, entry]) => {
    if (path === '') return true;
    const found = installed[path];
    return found
      ? found.version === entry.version && found.integrity === entry.integrity
      : entry.optional;
  });
  process.exitCode = matches ? 0 : 1;
} catch {
  process.exitCode = 1;
}
