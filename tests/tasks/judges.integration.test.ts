import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { runCheck } from '../../activities/checks/run-check';
import { type EvidenceReader } from '../../activities/evidence/port';
import { type Inspector, type JudgeOutcome } from '../../activities/judge/port';
import { projectRoot } from '../../activities/sandbox/image-recipe';
import { parseLocator } from '../../core/locator';
import { scoreOf } from '../../core/score';
import { type RubricItem } from '../../core/rubric';
import { addLine, alterAt } from './support/altered-evidence';
import { EvidenceBench, readTask } from './support/evidence-bench';
import {
  judgedSubjects,
  type JudgeRecording,
  readJudgeRecordings,
} from './support/judge-recordings';
import {
  type JudgedSubject,
  judgeRecorded,
  recordingsOf,
  resultsOf,
  submittedLast,
} from './support/recorded-judge';

jest.setTimeout(600_000);

const TASK_IDS = readdirSync(join(projectRoot(), 'tasks'));
const SUBJECTS = TASK_IDS.flatMap((task) =>
  judgedSubjects(task).map((judged) => ({
    task,
    judged,
    name: `${task}, ${[judged.subject, judged.repetition ?? []].flat().join(' ')}`,
  })),
);
/** For judgements in which a program's output plays no part. */
const silentInspector: Inspector = {
  recipe: 'silent',
  open: async () => ({
    run: async () => SILENCE,
    runDelivered: async () => SILENCE,
    close: async () => undefined,
  }),
};
const SILENCE = { output: '', timedOut: false, exitCode: 0, durationMs: 0 };

let bench: EvidenceBench;
let all: readonly JudgeRecording[];
const readers = new Map<string, Promise<EvidenceReader>>();

beforeAll(async () => {
  bench = await EvidenceBench.open();
  all = await readJudgeRecordings();
});
afterAll(() => bench.close());

function evidenceOf(task: string, judged: JudgedSubject): Promise<EvidenceReader> {
  const key = [task, judged.subject, judged.repetition].join(' ');
  const known = readers.get(key);
  if (known !== undefined) return known;
  const folder = readTask(task);
  const made = resultsOf(bench, folder, judged).then((results) => bench.evidence(folder, results));
  readers.set(key, made);
  return made;
}

function judgedItems(task: string): readonly RubricItem[] {
  return readTask(task).rubric.items.filter((item) => item.check === undefined);
}

async function judge(
  task: string,
  judged: JudgedSubject,
  evidence: EvidenceReader,
  items: readonly RubricItem[],
  inspector = silentInspector,
): Promise<ReadonlyMap<string, JudgeOutcome>> {
  const recordings = recordingsOf(all, task, judged);
  return judgeRecorded({ task: readTask(task), items, recordings, evidence, inspector });
}

function reasonOf(outcome: JudgeOutcome | undefined): string {
  return outcome?.outcome === 'unjudged' ? outcome.reason : '';
}

describe.each(SUBJECTS)('recorded judges of $name', ({ task, judged }) => {
  it('come to the verdicts they submit, with evidence that holds', async () => {
    const evidence = await evidenceOf(task, judged);
    const outcomes = await judge(task, judged, evidence, judgedItems(task), bench.inspector);
    const refused = [...outcomes].filter(([, outcome]) => outcome.outcome !== 'verdict');
    expect(refused.map(([id, outcome]) => `${id}: ${reasonOf(outcome)}`)).toEqual([]);
    for (const [id, recording] of recordingsOf(all, task, judged)) {
      const outcome = outcomes.get(id);
      if (outcome?.outcome !== 'verdict') throw new Error(id);
      expect([id, outcome.verdict.met]).toEqual([id, submittedLast(recording).pass]);
      const isRepaired = judged.subject === 'strong' && id === 'pdf-recount';
      expect([id, outcome.verdict.firstSubmission !== undefined]).toEqual([id, isRepaired]);
    }
  });

  it('are refused when the cited words or cell are others', async () => {
    const evidence = await evidenceOf(task, judged);
    const accepted: string[] = [];
    for (const item of judgedItems(task)) {
      const recording = recordingsOf(all, task, judged).get(item.id);
      if (recording === undefined) throw new Error(item.id);
      for (const { locator, quote } of submittedLast(recording).citations) {
        const cited = parseLocator(locator);
        if (cited === undefined) throw new Error(locator);
        // A page without a quote is the image itself; its words are cited beside it.
        if (quote === null) continue;
        const outcomes = await judge(task, judged, alterAt(evidence, cited), [item]);
        if (outcomes.get(item.id)?.outcome === 'verdict')
          accepted.push(`${item.id}: ${locator} ${quote}`);
      }
    }
    expect(accepted).toEqual([]);
  });

  it('are refused when what was searched for in vain is there', async () => {
    const evidence = await evidenceOf(task, judged);
    const accepted: string[] = [];
    for (const item of judgedItems(task)) {
      const recording = recordingsOf(all, task, judged).get(item.id);
      if (recording === undefined) throw new Error(item.id);
      const { citations, searched } = submittedLast(recording);
      if (citations.length > 0) continue;
      // A required file that is missing is a proof of its own: there is nothing to add to.
      const first = evidence.view.entries.find(({ artifact }) =>
        searched.some((one) => one.artifact === artifact || one.artifact === 'results/*'),
      );
      if (first === undefined) continue;
      for (const { query } of searched) {
        const altered = addLine(evidence, first.artifact, `There is ${query} in it.`);
        const outcomes = await judge(task, judged, altered, [item]);
        if (outcomes.get(item.id)?.outcome === 'verdict') accepted.push(`${item.id}: ${query}`);
      }
    }
    expect(accepted).toEqual([]);
  });
});

/** Score of a subject from its checks and the verdicts its recorded judges end with. */
async function scored(task: string, judged: JudgedSubject): Promise<number> {
  const evidence = await evidenceOf(task, judged);
  const recordings = recordingsOf(all, task, judged);
  const outcomes = [];
  for (const { id, weight, check } of readTask(task).rubric.items) {
    const recording = recordings.get(id);
    const isMet =
      check === undefined
        ? recording !== undefined && submittedLast(recording).pass
        : (await runCheck(check, evidence)).outcome === 'met';
    outcomes.push({ weight, outcome: isMet ? ('met' as const) : ('unmet' as const) });
  }
  return scoreOf(outcomes).score ?? NaN;
}

describe.each(SUBJECTS)('the score of $name', ({ task, judged }) => {
  it('lies where its lane should be', async () => {
    const score = await scored(task, judged);
    if (judged.subject === 'reference') expect(score).toBe(100);
    else if (judged.subject === 'strong') expect(score).toBeGreaterThanOrEqual(90);
    else expect(score).toBeLessThan(80); // visibly lower, with every failure mode
  });
});

/** Whether the quoted words stand anywhere in the artifact, by a test of its own: white space left out. */
async function holds(evidence: EvidenceReader, locator: string, quote: string): Promise<boolean> {
  const cited = parseLocator(locator);
  if (cited === undefined) return false;
  const bare = (text: string) => text.normalize('NFKC').replace(/[\s“”"]/gu, '');
  if (cited.kind !== 'cells') {
    const segments = await evidence.segments(cited.artifact);
    return bare(segments.map(({ text }) => text).join('')).includes(bare(quote));
  }
  const cells = (await evidence.resolve(cited))?.cells ?? [];
  return cells.some(({ value, shown, cached, recalculated }) =>
    [value, shown, cached, recalculated].some(
      (one) => one !== undefined && bare(String(one)) === bare(quote),
    ),
  );
}

const SWAPS = TASK_IDS.flatMap((task) => {
  const strong = judgedSubjects(task).filter(({ subject }) => subject === 'strong');
  const weak = judgedSubjects(task).filter(({ subject }) => subject === 'weak');
  return strong.flatMap((one) =>
    weak.flatMap((other) => [
      { task, judged: one, over: other },
      { task, judged: other, over: one },
    ]),
  );
});

describe.each(SWAPS)(
  'recorded judges of $task, $judged.subject over the deliverables of $over.subject $over.repetition',
  ({ task, judged, over }) => {
    it('get no verdict accepted whose cited content is not there', async () => {
      const evidence = await evidenceOf(task, over);
      const outcomes = await judge(task, judged, evidence, judgedItems(task));
      let refused = 0;
      for (const [id, recording] of recordingsOf(all, task, judged)) {
        const missing = [];
        for (const { locator, quote } of submittedLast(recording).citations)
          if (quote !== null && !(await holds(evidence, locator, quote))) missing.push(locator);
        const isAccepted = outcomes.get(id)?.outcome === 'verdict';
        if (missing.length > 0) expect([id, isAccepted, missing]).toEqual([id, false, missing]);
        if (!isAccepted) refused++;
      }
      expect(refused).toBeGreaterThan(0);
    });
  },
);
