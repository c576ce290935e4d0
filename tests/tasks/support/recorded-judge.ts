import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { type EvidenceReader } from '../../../activities/evidence/port';
import { type Inspector, type JudgeOutcome } from '../../../activities/judge/port';
import { tryJudge } from '../../../activities/judge/try-judge';
import { type TaskFolder } from '../../../config/task-folder';
import { type RubricItem } from '../../../core/rubric';
import {
  BOUNDARY_KEY,
  judgeConfiguration,
  scriptedClient,
} from '../../activities/judge/scripted-judge';
import { type EvidenceBench, requestOf } from './evidence-bench';
import { type JudgeRecording, RECORDINGS } from './judge-recordings';
import { playRecording } from './play-recording';

/** What is judged: a subject's deliverables of one task, with its recorded judges. */
export interface JudgedSubject {
  readonly subject: string;
  readonly repetition?: string;
}

/** Folder with the subject's deliverables; recorded agents are played for it, the reference is there already. */
export async function resultsOf(
  bench: EvidenceBench,
  task: TaskFolder,
  { subject, repetition }: JudgedSubject,
): Promise<string> {
  if (subject === 'reference') return join(task.folder, 'reference');
  const name = repetition ?? 'all';
  const workspace = join(bench.folder, 'played', subject, task.id, name);
  if (!existsSync(workspace))
    await playRecording({
      recording: join(RECORDINGS, subject, task.id, `${name}.yaml`),
      taskWorkspace: join(task.folder, 'workspace'),
      workspace,
    });
  return join(workspace, 'results');
}

export function recordingsOf(
  all: readonly JudgeRecording[],
  task: string,
  { subject, repetition }: JudgedSubject,
): ReadonlyMap<string, JudgeRecording> {
  const mine = all.filter(
    (one) => one.subject === subject && one.task === task && one.repetition === repetition,
  );
  return new Map(mine.map((one) => [one.item, one]));
}

/** Judges items with their recordings over the evidence, in one session each. Item id to outcome. */
export async function judgeRecorded(options: {
  readonly task: TaskFolder;
  readonly items: readonly RubricItem[];
  readonly recordings: ReadonlyMap<string, JudgeRecording>;
  readonly evidence: EvidenceReader;
  readonly inspector: Inspector;
}): Promise<ReadonlyMap<string, JudgeOutcome>> {
  const models = scriptedClient((call, turn) => {
    const turns = options.recordings.get(call.context.itemId ?? '')?.recording.turns ?? [];
    const recorded = turns[turn];
    if (recorded === undefined) return { text: '(the recording has no further turn)' };
    const tools = recorded.tools.map((tool) => ({
      name: tool.name,
      arguments: tool.arguments as object,
    }));
    return { ...(recorded.text === undefined ? {} : { text: recorded.text }), tools };
  });
  const tried = await tryJudge(
    {
      models,
      inspector: options.inspector,
      runCheck: async () => ({ outcome: 'not-applicable', explanation: '', citations: [] }),
    },
    {
      judge: judgeConfiguration({ maxSessions: 1 }),
      items: options.items,
      taskText: requestOf(options.task.id),
      evidence: options.evidence,
      boundaryKey: BOUNDARY_KEY,
      context: { taskId: options.task.id, repetition: 1 },
      concurrency: 2,
      signal: new AbortController().signal,
    },
  );
  return new Map(tried.map(({ item, result }) => [item.id, result]));
}

/** The verdict that a recording ends with. */
export function submittedLast({ recording }: JudgeRecording): {
  readonly pass: boolean;
  readonly citations: readonly { readonly locator: string; readonly quote: string | null }[];
  readonly searched: readonly { readonly artifact: string; readonly query: string }[];
} {
  return recording.turns.at(-1)?.tools.at(-1)?.arguments as ReturnType<typeof submittedLast>;
}
