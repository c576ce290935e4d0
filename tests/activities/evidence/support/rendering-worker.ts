import { renderedArtifact } from '../../../../activities/evidence/render-file';
import { FileStore } from '../../../../activities/store/file-store';

/** A process that renders one blob of a store and never ends: it says that it has begun. Arguments: store, scratch folder, digest, bytes. */
const [, , root = '', scratchDir = '', sha256 = '', bytes = '0'] = process.argv;

void renderedArtifact(
  {
    store: new FileStore(root),
    scratchDir,
    leaseTimings: { beatMs: 20, pollMs: 10, silentPolls: 1_000 },
    renderer: {
      recipe: 'slow',
      render: () => {
        process.stdout.write('rendering\n');
        return new Promise(() => setInterval(() => undefined, 1_000));
      },
    },
  },
  { file: { path: 'a.md', sha256, bytes: Number(bytes) }, format: 'markdown', scope: 'open' },
  undefined,
);
