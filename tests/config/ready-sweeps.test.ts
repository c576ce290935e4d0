import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { MODEL_CATALOG } from '../../config/catalog';
import { readSweepFile, type SweepFile } from '../../config/sweep-file';

const FOLDER = join(__dirname, '..', '..', 'sweeps');

function read(name: string): SweepFile {
  const result = readSweepFile(join(FOLDER, name));
  if ('faults' in result) throw new Error(JSON.stringify(result.faults));
  return result.value;
}

describe('the sweep files that come along', () => {
  it.each(readdirSync(FOLDER))('%s has no fault', (name) => {
    expect(read(name).taskFolders.length).toBeGreaterThan(0);
  });

  it('paper.yaml is the protocol that docs/paper-fidelity.md describes', () => {
    const paper = read('paper.yaml');
    expect(paper.harnesses).toEqual(['nanobot-paper']);
    expect(paper.repetitions).toBe(3);
    expect(paper.limits).toMatchObject({
      maxSteps: 200,
      workingTimeMs: undefined,
      maxCostMicroUsd: undefined,
      maxTotalTokens: undefined,
    });
    expect(paper.judge).toMatchObject({ votes: 1, checks: false, model: { model: 'gpt-5.5' } });
    const models = paper.models.map((model) => (model.kind === 'named' ? model.model : model.id));
    expect(models).toHaveLength(9);
    const known = MODEL_CATALOG.map(({ id }) => id);
    expect(models.filter((model) => !known.includes(model))).toEqual([]);
  });
});
