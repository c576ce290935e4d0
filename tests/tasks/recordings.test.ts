import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { EVIDENCE_TOOLS, SUBMIT_VERDICT } from '../../activities/judge/tools/index';
import { submissionSchema } from '../../activities/judge/grounding/submission';
import { type ProviderTurn } from '../../activities/models/provider-reply';
import { readRecording } from '../../activities/models/recordings';
import { projectRoot } from '../../activities/sandbox/image-recipe';
import { readTaskFolder } from '../../config/task-folder';
import {
  judgedSubjects,
  type JudgeRecording,
  readJudgeRecordings,
  RECORDINGS,
} from './support/judge-recordings';

const TASK_IDS = readdirSync(join(projectRoot(), 'tasks'));
const AGENT_TOOLS = ['exec', 'write_file', 'read_file', 'list_dir'];

function calls(turns: readonly ProviderTurn[]) {
  return turns.flatMap((turn) => turn.tools);
}

describe('recorded agents', () => {
  const paths = ['strong', 'weak'].flatMap((set) =>
    readdirSync(join(RECORDINGS, set), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.yaml'))
      .map((name) => join(set, name)),
  );

  it.each(paths)('%s takes several turns and calls only tools that nanobot has', async (path) => {
    const recording = await readRecording(
      join(RECORDINGS, path),
      join(RECORDINGS, path.split('/')[0] ?? ''),
    );
    expect(recording.turns.length).toBeGreaterThan(3);
    for (const call of calls(recording.turns)) expect(AGENT_TOOLS).toContain(call.name);
    // A run that ends by itself ends in words.
    if (!recording.loop) expect(recording.turns.at(-1)?.tools).toEqual([]);
  });

  it('loops in exactly one run, the one that meets the step cap', async () => {
    const loops = [];
    for (const path of paths)
      if (
        (await readRecording(join(RECORDINGS, path), join(RECORDINGS, path.split('/')[0] ?? '')))
          .loop
      )
        loops.push(path);
    expect(loops).toEqual(['weak/contract-memo/r1.yaml']);
  });

  it('differ between repetitions on two tasks of the weak lane', () => {
    const differing = TASK_IDS.filter((task) =>
      readdirSync(join(RECORDINGS, 'weak', task)).includes('r2.yaml'),
    );
    expect(differing).toEqual(['clinic-report-zh', 'contract-memo']);
  });
});

describe('recorded judges', () => {
  let recordings: JudgeRecording[];
  beforeAll(async () => {
    recordings = await readJudgeRecordings();
  });

  it.each(TASK_IDS)('cover every item of %s without a check, and no other', (id) => {
    const items = readTaskFolder(join(projectRoot(), 'tasks', id)).task?.rubric.items ?? [];
    const wanted = judgedSubjects(id).flatMap(({ subject, repetition }) =>
      items
        .filter((item) => item.check === undefined)
        .map((item) => [subject, repetition ?? '', item.id].join('/')),
    );
    const found = recordings
      .filter(({ task }) => task === id)
      .map(({ subject, repetition, item }) => [subject, repetition ?? '', item].join('/'));
    expect(found.sort()).toEqual(wanted.sort());
  });

  it('look with at least two different tools before they submit a verdict', () => {
    for (const { recording } of recordings) {
      const names = calls(recording.turns).map(({ name }) => name);
      const looks = new Set(names.slice(0, names.indexOf(SUBMIT_VERDICT)));
      if (looks.size < 2) throw new Error(`${recording.path}: only ${[...looks].join(', ')}`);
      expect(names.at(-1)).toBe(SUBMIT_VERDICT);
    }
  });

  it('use every tool at least once, with arguments that its schema takes', () => {
    const used = new Set<string>();
    for (const { recording } of recordings)
      for (const { name, arguments: given } of calls(recording.turns)) {
        used.add(name);
        const schema =
          name === SUBMIT_VERDICT
            ? submissionSchema
            : EVIDENCE_TOOLS.find((tool) => tool.name === name)?.parameters;
        const problem = schema === undefined ? 'no such tool' : schema.safeParse(given).error;
        if (problem !== undefined)
          throw new Error(`${recording.path}: ${name}: ${JSON.stringify(problem)}`);
      }
    const all = [...EVIDENCE_TOOLS.map(({ name }) => name), SUBMIT_VERDICT];
    expect([...used].sort()).toEqual(all.sort());
  });

  it('submit once, but for one session whose first verdict is sent back', () => {
    const twice = recordings.filter(
      ({ recording }) =>
        calls(recording.turns).filter(({ name }) => name === SUBMIT_VERDICT).length > 1,
    );
    expect(twice.map(({ subject, task, item }) => [subject, task, item])).toEqual([
      ['strong', 'inventory-summary', 'pdf-recount'],
    ]);
  });

  it('find every item of the reference met', () => {
    for (const { subject, recording } of recordings)
      if (subject === 'reference')
        expect([recording.path, calls(recording.turns).at(-1)?.arguments]).toEqual([
          recording.path,
          expect.objectContaining({ pass: true }),
        ]);
  });
});
