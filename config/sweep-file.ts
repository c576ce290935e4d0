import { dirname, resolve } from 'node:path';
import { ID_PART } from '../core/ids';
import { type AttemptLimits, type Timings } from '../core/limits';
import { type MicroUsd } from '../core/money';
import { type HarnessName, type JudgeLimits, type JudgeMode, type Simulation } from '../core/sweep';
import { type ConfigurationFault, parseLocatedYaml } from './located-yaml';
import { readText } from './read-text';
import { toJudgeLimits, toLimits, toTimings } from './sweep-defaults';
import { type GivenSweep, modelSchema, sweepSchemaFor, tasksSchema } from './sweep-schema';
import { resolveTaskPatterns } from './task-patterns';

/** A model as the sweep file names it; the catalog and the operator's accounts say the rest. */
export type GivenModel =
  | {
      readonly kind: 'named';
      readonly id: string;
      readonly model: string;
      readonly account: string | undefined;
      readonly parameters: Readonly<Record<string, unknown>>;
      readonly revision: string | undefined;
      readonly line: number | undefined;
    }
  | {
      readonly kind: 'replay';
      readonly id: string;
      readonly recordings: string;
      readonly line: number | undefined;
    }
  | {
      readonly kind: 'simulated';
      readonly id: string;
      readonly simulation: Simulation;
      readonly line: number | undefined;
    };

/** A sweep file, read and checked; folders are absolute, defaults filled in. */
export interface SweepFile {
  readonly file: string;
  readonly sweep: string;
  readonly cohort: string;
  /** Task folders in order of their paths, each once. */
  readonly taskFolders: readonly string[];
  readonly models: readonly GivenModel[];
  readonly harnesses: readonly HarnessName[];
  /** Imported submissions, a lane each. */
  readonly submissions: readonly { readonly id: string; readonly line: number | undefined }[];
  /** Whether agents find the text of attachments in `_parsed/`. */
  readonly parsed: boolean;
  readonly repetitions: number;
  readonly limits: AttemptLimits;
  readonly judge: {
    readonly model: GivenModel;
    readonly mode: JudgeMode;
    readonly votes: number;
    readonly checks: boolean;
    readonly limits: JudgeLimits;
  };
  readonly window: number;
  readonly budgetMicroUsd: MicroUsd | undefined;
  /** Where the file states the budget. */
  readonly budgetLine: number | undefined;
  readonly timings: Timings;
}

/** What a sweep file with faults says all the same, so that the faults behind it can be told at once. */
export interface PartialSweepFile {
  readonly file: string;
  readonly taskFolders: readonly string[];
  /** The judge's included. */
  readonly models: readonly GivenModel[];
}

export type ReadSweepFile =
  | { readonly value: SweepFile }
  | { readonly faults: readonly ConfigurationFault[]; readonly partial?: PartialSweepFile };

/** What a command wants otherwise than the file says; folders of tasks are absolute. */
export type SweepFields = Partial<Pick<GivenSweep, 'sweep' | 'cohort' | 'tasks' | 'repetitions'>>;

/** All lanes of a sweep are open at once, and its history has to hold what they report. */
const MAX_LANES = 200;

/** Reads a sweep file; every fault at once. Task folders are found, not yet read. */
export function readSweepFile(file: string, instead: SweepFields = {}): ReadSweepFile {
  const path = resolve(file);
  const read = readText(path);
  if ('problem' in read)
    return { faults: [{ file: path, line: undefined, message: read.problem }] };
  const parsed = parseLocatedYaml(path, read.text, sweepSchemaFor, instead);
  if ('faults' in parsed) return withPartial(path, parsed);
  const { value: given, lineOf } = parsed;
  const faults: ConfigurationFault[] = [];
  const fault = (at: readonly PropertyKey[], message: string): void =>
    void faults.push({ file: path, line: lineOf(at), message });
  const models = given.models.map((model, index) => toModel(model, lineOf(['models', index])));
  const judgeModel = toModel(given.judge.model, lineOf(['judge', 'model']));
  models.forEach((model, index) => {
    if (models.findIndex((other) => other.id === model.id) < index)
      fault(['models', index], `models: ${model.id} is used twice; give one of them another id`);
    if (!ID_PART.test(model.id))
      fault(
        ['models', index],
        `models: ${model.id} cannot be an id (a-z, 0-9, dot, dash, underscore); add \`id:\``,
      );
  });
  given.harnesses.forEach((harness, index) => {
    if (given.harnesses.indexOf(harness) < index)
      fault(['harnesses', index], `harnesses: ${harness} is named twice`);
    for (const model of models)
      if (harness === 'simulated' && model.kind !== 'simulated')
        fault(
          ['harnesses', index],
          `harnesses: simulated works only with simulated models, not with ${model.id}`,
        );
  });
  given.submissions.forEach((id, index) => {
    if (given.submissions.indexOf(id) < index)
      fault(['submissions', index], `submissions: ${id} is named twice`);
  });
  const lanes = models.length * given.harnesses.length + given.submissions.length;
  if (lanes > MAX_LANES)
    fault(
      ['models'],
      `models x harnesses and submissions make ${lanes} lanes, more than ${MAX_LANES}: split them over several sweeps`,
    );
  const taskFolders = resolveTaskPatterns(dirname(path), given.tasks, (index, message) =>
    fault(['tasks', index], message),
  );
  if (faults.length > 0)
    return { faults, partial: { file: path, taskFolders, models: [...models, judgeModel] } };
  return { value: toSweepFile({ file: path, models, judgeModel, taskFolders, lineOf }, given) };
}

function withPartial(
  file: string,
  parsed: Extract<ReturnType<typeof parseLocatedYaml>, { readonly faults: unknown }>,
): ReadSweepFile {
  const { content, lineOf } = parsed;
  if (typeof content !== 'object' || content === null || lineOf === undefined)
    return { faults: parsed.faults };
  const { tasks, models, judge } = content as Readonly<Record<string, unknown>>;
  const faults = [...parsed.faults];
  const patterns = tasksSchema.safeParse(tasks);
  const taskFolders = resolveTaskPatterns(dirname(file), patterns.data ?? [], (index, message) =>
    faults.push({ file, line: lineOf(['tasks', index]), message }),
  );
  const judgeModel = (judge as { readonly model?: unknown } | null | undefined)?.model;
  const given = [
    ...(Array.isArray(models) ? models : []).map((model: unknown, index) => ({
      model,
      at: ['models', index],
    })),
    { model: judgeModel, at: ['judge', 'model'] },
  ];
  const readable = given.flatMap(({ model, at }) => {
    const { data } = modelSchema.safeParse(model);
    return data === undefined ? [] : [toModel(data, lineOf(at))];
  });
  return { faults, partial: { file, taskFolders, models: readable } };
}

function toModel(given: GivenSweep['models'][number], line: number | undefined): GivenModel {
  if ('model' in given)
    return {
      kind: 'named',
      id: ('id' in given ? given.id : undefined) ?? given.model,
      model: given.model,
      account: 'account' in given ? given.account : undefined,
      parameters: ('parameters' in given ? given.parameters : undefined) ?? {},
      revision: 'revision' in given ? given.revision : undefined,
      line,
    };
  if (given.provider === 'replay')
    return { kind: 'replay', id: given.id, recordings: given.recordings, line };
  const { id: modelId, provider: _provider, ...simulation } = given;
  return { kind: 'simulated', id: modelId, simulation, line };
}

/** What was found out about a sweep file beside what its schema gives. */
interface FoundInFile extends Pick<SweepFile, 'file' | 'models' | 'taskFolders'> {
  readonly judgeModel: GivenModel;
  readonly lineOf: (path: readonly PropertyKey[]) => number | undefined;
}

function toSweepFile(
  { file, models, judgeModel, taskFolders, lineOf }: FoundInFile,
  given: GivenSweep,
): SweepFile {
  const { judge } = given;
  return {
    file,
    sweep: given.sweep,
    cohort: given.cohort ?? given.sweep,
    taskFolders,
    models,
    harnesses: given.harnesses,
    submissions: given.submissions.map((id, index) => ({
      id,
      line: lineOf(['submissions', index]),
    })),
    parsed: given.parsed,
    repetitions: given.repetitions,
    limits: toLimits(given.limits),
    judge: {
      model: judgeModel,
      mode: judge.mode,
      votes: judge.votes,
      checks: judge.checks,
      limits: toJudgeLimits(judge.limits),
    },
    window: given.window,
    budgetMicroUsd: given.budget?.maxCostUsd,
    budgetLine: given.budget === undefined ? undefined : lineOf(['budget']),
    timings: toTimings(given.timings),
  };
}
