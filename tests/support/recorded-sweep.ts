import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';

/** One recorded turn of an agent or a judge. */
export interface RecordedTurn {
  readonly text?: string;
  readonly tools?: readonly {
    readonly name: string;
    readonly arguments: Readonly<Record<string, unknown>>;
  }[];
}

export interface RecordedSweep {
  readonly sweep: string;
  /** The agent's turns by task id. */
  readonly agents: Readonly<Record<string, readonly RecordedTurn[]>>;
  readonly harness: 'minimal' | 'nanobot';
  /** Items of each rubric; a recorded judge reads the report, then finds the item's line in it. */
  readonly items: number;
  /** The sweep file's `limits`. */
  readonly limits?: Readonly<Record<string, unknown>>;
  /** Further fields of the sweep file. */
  readonly fields?: Readonly<Record<string, unknown>>;
}

/** A shell command of the agent, under the name that both harnesses give it. */
export function command(text: string): RecordedTurn {
  return { tools: [{ name: 'exec', arguments: { command: text } }] };
}

/**
 * An agent that appends a line to its report in every step, each step `seconds` long: a step that is done twice, or
 * never, shows in the deliverable.
 */
export function steadyAgent(steps: number, seconds: number): RecordedTurn[] {
  const turns = Array.from({ length: steps }, (_, index) =>
    command(`sleep ${seconds} && echo "fact ${index + 1}" >> results/report.md`),
  );
  return [...turns, { text: 'The report is finished.' }];
}

/** The report of {@link steadyAgent}. */
export function steadyReport(steps: number): string {
  return Array.from({ length: steps }, (_, index) => `fact ${index + 1}\n`).join('');
}

/** Heartbeats and retries of seconds, so that a killed worker's work is taken up soon. */
const TIMINGS = {
  heartbeatTimeout: '5s',
  heartbeatInterval: '1s',
  hostSilence: '60s',
  lease: '60s',
  warmUp: '2s',
  activityRetryInitial: '200ms',
};

/**
 * Writes tasks and recordings below `folder`, named after the sweep, and the sweep file; returns the file's path.
 * Several sweeps may share a folder: their recordings are in one `recordings/`.
 */
export async function writeRecordedSweep(folder: string, sweep: RecordedSweep): Promise<string> {
  // A set of its own: a judge is another one when anything in its recordings changes.
  const judges = `judges-of-${sweep.sweep}`;
  for (const [task, turns] of Object.entries(sweep.agents)) {
    await writeTask(taskFolder(folder, sweep.sweep, task), task, sweep.items);
    await writeYaml(join(folder, 'recordings', sweep.sweep, task, 'all.yaml'), { turns });
    for (let item = 1; item <= sweep.items; item++)
      await writeYaml(
        join(folder, 'recordings', judges, sweep.sweep, task, `item-${item}.yaml`),
        judgeTurns(item),
      );
  }
  const file = join(folder, `${sweep.sweep}.yaml`);
  await writeYaml(file, {
    sweep: sweep.sweep,
    tasks: [`${sweep.sweep}/*`],
    models: [{ id: 'recorded', provider: 'replay', recordings: sweep.sweep }],
    harnesses: [sweep.harness],
    limits: { memory: '512MiB', workspaceSize: '64MiB', ...sweep.limits },
    judge: { model: { id: 'judge', provider: 'replay', recordings: judges }, checks: 'off' },
    window: 4,
    timings: TIMINGS,
    ...sweep.fields,
  });
  return file;
}

export function taskFolder(folder: string, sweep: string, task: string): string {
  return join(folder, sweep, task);
}

/** Rubric of a task: item n asks for fact n. `wording` replaces the text of single items. */
export async function writeRubric(
  folder: string,
  items: number,
  wording: Readonly<Record<string, string>> = {},
): Promise<void> {
  const rubric = Array.from({ length: items }, (_, index) => {
    const id = `item-${index + 1}`;
    return {
      id,
      text: wording[id] ?? `The report states fact ${index + 1}.`,
      weight: 'important',
      dimension: 'information-integration',
    };
  });
  await writeYaml(join(folder, 'rubric.yaml'), rubric);
}

async function writeTask(folder: string, id: string, items: number): Promise<void> {
  await writeYaml(join(folder, 'task.yaml'), {
    id,
    title: `Report of ${id}`,
    domain: 'business',
    language: 'en',
    outputs: [{ path: 'report.md', format: 'markdown' }],
    grants: { web: [] },
  });
  await writeText(join(folder, 'workspace', 'query', 'task.md'), `Write the report of ${id}.\n`);
  await writeText(join(folder, 'reference', 'report.md'), steadyReport(items));
  await writeRubric(folder, items);
}

function judgeTurns(item: number): object {
  const citation = {
    locator: `results/report.md#lines=${item}-${item}`,
    quote: `fact ${item}`,
  };
  const read = { artifact: 'results/report.md', from: null, to: null };
  const verdict = {
    justification: `The report states fact ${item}.`,
    pass: true,
    citations: [citation],
    searched: [],
  };
  return {
    turns: [
      { tools: [{ name: 'read_text', arguments: read }] },
      { tools: [{ name: 'submit_verdict', arguments: verdict }] },
    ],
  };
}

async function writeYaml(path: string, content: unknown): Promise<void> {
  await writeText(path, stringify(content));
}

async function writeText(path: string, text: string): Promise<void> {
  await mkdir(join(path, '..'), { recursive: true });
  await writeFile(path, text);
}
