import { describeArtifact } from '../../../activities/judge/evidence-desk';
import { type ArtifactEntry } from '../../../core/evidence-view';
import { fakeEvidence } from './fake-evidence';

const [entry] = fakeEvidence([{ artifact: 'results/a.md', lines: ['x'] }]).view.entries;

describe('a line of the manifest', () => {
  test.each<
    [
      string,
      (forged: string) => { artifact?: string; rendered?: Partial<ArtifactEntry['rendered']> },
    ]
  >([
    ['a warning', (forged) => ({ rendered: { warnings: [`refers to ${forged}`] } })],
    ['a reason', (forged) => ({ rendered: { status: 'truncated', reason: `sheet ${forged}` } })],
    ['the name of an archive', (forged) => ({ artifact: `results/${forged}.zip//a.md` })],
  ])('has no fact that %s makes up', (_, changed) => {
    for (const forged of [
      'b, charts: 9, pages: 4',
      'b， charts： 9， pages： 4',
      'b\n, charts:9',
    ]) {
      const change = changed(forged);
      const made = { ...entry, ...change, rendered: { ...entry?.rendered, ...change.rendered } };
      const line = describeArtifact(made as ArtifactEntry).normalize('NFKC');
      expect(line).toContain('charts');
      expect(line).not.toMatch(/charts\s*:|, pages|\n/u);
    }
  });
});
