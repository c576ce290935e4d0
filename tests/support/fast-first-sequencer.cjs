const { basename } = require('node:path');
const Sequencer = require('@jest/test-sequencer').default;

const PROJECTS = ['unit', 'integration', 'e2e'];

/** Begun first among their kind, longest first, so that no long file is alone at the end. */
const LONG = [
  'keep-alive.integration.test.ts',
  'conformance.integration.test.ts',
  'launches-at-once.e2e.test.ts',
  'sandboxed-sweep.e2e.test.ts',
  'ready-sweeps.e2e.test.ts',
  'sandboxed-steering.e2e.test.ts',
  'judge-outage.e2e.test.ts',
  'simulated-sweep.e2e.test.ts',
  'simulated-control.e2e.test.ts',
  'docker-daemon.e2e.test.ts',
  'outage.e2e.test.ts',
  'two-workers-s3.e2e.test.ts',
  'renamed-model.e2e.test.ts',
];

/** Unit tests, then integration tests, then the whole stack. */
class FastFirstSequencer extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    return PROJECTS.flatMap((project) =>
      sorted
        .filter(({ context }) => context.config.displayName.name === project)
        .sort((left, right) => place(left) - place(right)),
    );
  }
}

function place({ path }) {
  const at = LONG.indexOf(basename(path));
  return at === -1 ? LONG.length : at;
}
module.exports = FastFirstSequencer;
