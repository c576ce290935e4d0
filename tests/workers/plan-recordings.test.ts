import { missingRecording } from '../../activities/models/recordings';
import { type RubricItem } from '../../core/rubric';
import { type HarnessName, type ModelIdentity } from '../../core/sweep';
import { recordingFaults } from '../../workers/plan-recordings';
import { testIngredients } from '../support/stored-sweep';
import { newFolder, type TestFolder } from '../support/task-folder';

function replay(id: string): ModelIdentity {
  const recordings = { name: id, digest: 'd' };
  return { id, provider: 'replay', name: id, parameters: {}, account: 'replay', recordings };
}
const item = (id: string): RubricItem => ({
  id,
  text: id,
  weight: 1,
  dimension: 'calculation-precision',
});
const CHECKED: RubricItem = { ...item('c'), check: { kind: 'file-exists', file: 'r.md' } };

describe('recordingFaults', () => {
  let folder: TestFolder;
  beforeEach(() => {
    folder = newFolder();
  });
  afterEach(() => folder.remove());

  async function faults(harness: HarnessName, checks = true): Promise<string[]> {
    const ingredients = testIngredients({
      missingRecording: (request) => missingRecording(folder.path, request),
    });
    const lane = {
      id: `strong@${harness}`,
      model: replay('strong'),
      harness: ingredients.harness(harness),
    };
    const found = await recordingFaults(ingredients, {
      tasks: [{ id: 'new', rubric: { items: [item('a'), item('b'), CHECKED] } }],
      lanes: [lane],
      repetitions: 2,
      judge: { file: 'sweep.yaml', line: 9, model: replay('judge') },
      checks,
      place: () => ({ file: 'sweep.yaml', line: 3 }),
    });
    return found.map(({ line, message }) =>
      `${line}: ${message}`.replaceAll(`${folder.path}/`, ''),
    );
  }

  it('names what agent and judge would look for, and the way out', async () => {
    folder.write('strong/new/r2.yaml', '');
    folder.write('judge/strong/new/a.yaml', '');
    const found = await faults('nanobot');
    expect(found).toEqual([
      expect.stringContaining(
        '3: model strong: no recording of task new: neither strong/new/r1.yaml nor strong/new/all.yaml exists',
      ),
      expect.stringContaining(
        '9: judge judge: no recording of task new, subject strong, for b (the first would be judge/strong/new/b.yaml)',
      ),
    ]);
    for (const message of found) expect(message).toContain('--sweep FILE');
  });

  it('asks for the checked items where checks are off', async () => {
    const [, judge] = await faults('nanobot', false);
    expect(judge).toContain('for a, b, c ');
  });

  it('asks the oracle for the judge alone, of the reference, and nop for nothing', async () => {
    expect(await faults('oracle')).toEqual([
      expect.stringContaining('subject reference, for a, b'),
    ]);
    expect(await faults('nop')).toEqual([]);
  });

  it('has nothing to say where all is recorded', async () => {
    folder.write('strong/new/all.yaml', '');
    for (const id of ['a', 'b']) folder.write(`judge/strong/new/${id}.yaml`, '');
    expect(await faults('nanobot')).toEqual([]);
  });
});
