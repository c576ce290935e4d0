import { type ConfigurationFault } from '../config/located-yaml';
import { type TaskFolder } from '../config/task-folder';
import { type RubricItem } from '../core/rubric';
import { asksModel, type ModelIdentity, type PlannedLane } from '../core/sweep';
import { replaySubject } from '../activities/judged-run';
import { type PlanIngredients } from './plan-ingredients';

const HOW = 'record it, or name models that answer (task try and judge try: --sweep FILE)';

interface Recorded {
  /** Where the sweep file names the model. */
  readonly file: string;
  readonly line: number | undefined;
  readonly model: ModelIdentity;
}

export interface NeededRecordings {
  readonly tasks: readonly Pick<TaskFolder, 'id' | 'rubric'>[];
  readonly lanes: readonly PlannedLane[];
  readonly repetitions: number;
  readonly judge: Recorded;
  /** False: the judge decides the items that have a check, too. */
  readonly checks: boolean;
  /** Where the sweep file names a lane's model. */
  place(model: ModelIdentity): Pick<Recorded, 'file' | 'line'>;
}

/**
 * Faults for recordings that replayed models would look for and not find: each lane's for each task and repetition, and
 * the judge's for each item that no check decides. Whether checks decide the others cannot be known before.
 */
export async function recordingFaults(
  ingredients: Pick<PlanIngredients, 'missingRecording'>,
  needed: NeededRecordings,
): Promise<ConfigurationFault[]> {
  const faults: ConfigurationFault[] = [];
  for (const lane of needed.lanes) {
    const { name } = lane.harness;
    // Nothing delivered needs no judge.
    if (name === 'nop') continue;
    const agent: Recorded = { ...needed.place(lane.model), model: lane.model };
    for (const task of needed.tasks)
      for (let repetition = 1; repetition <= needed.repetitions; repetition++) {
        if (asksModel(lane.harness))
          faults.push(...(await agentFaults(ingredients, agent, task.id, repetition)));
        const items = task.rubric.items.filter(({ check }) => !needed.checks || !check);
        const judged = { taskId: task.id, repetition, subject: replaySubject(lane), items };
        faults.push(...(await judgeRecordingFaults(ingredients, needed.judge, judged)));
      }
  }
  return distinct(faults);
}

async function agentFaults(
  ingredients: Pick<PlanIngredients, 'missingRecording'>,
  { file, line, model }: Recorded,
  taskId: string,
  repetition: number,
): Promise<ConfigurationFault[]> {
  const recordings = model.recordings?.name;
  if (recordings === undefined) return [];
  const request = { recordings, taskId, repetition, itemId: undefined, subject: undefined };
  const places = await ingredients.missingRecording(request);
  if (places.length === 0) return [];
  const message = `model ${model.id}: no recording of task ${taskId}: neither ${places.join(' nor ')} exists; ${HOW}`;
  return [{ file, line, message }];
}

/** One fault for all items of one subject that a replayed judge has no recording for. */
export async function judgeRecordingFaults(
  ingredients: Pick<PlanIngredients, 'missingRecording'>,
  { file, line, model }: Recorded,
  judged: {
    readonly taskId: string;
    readonly repetition: number;
    readonly subject: string;
    readonly items: readonly RubricItem[];
  },
): Promise<ConfigurationFault[]> {
  const recordings = model.recordings?.name;
  if (recordings === undefined) return [];
  const { taskId, repetition, subject } = judged;
  const missing: { readonly id: string; readonly places: readonly string[] }[] = [];
  for (const { id } of judged.items) {
    const request = { recordings, taskId, repetition, itemId: id, subject };
    const places = await ingredients.missingRecording(request);
    if (places.length > 0) missing.push({ id, places });
  }
  if (missing.length === 0) return [];
  const ids = missing.map(({ id }) => id).join(', ');
  const message =
    `judge ${model.id}: no recording of task ${taskId}, subject ${subject}, for ${ids} ` +
    `(the first would be ${missing[0]?.places.at(-1) ?? ''}); ${HOW}`;
  return [{ file, line, message }];
}

/** Repetitions and lanes look for the same files. */
function distinct(faults: readonly ConfigurationFault[]): ConfigurationFault[] {
  const seen = new Set<string>();
  return faults.filter(({ file, line, message }) => {
    const key = JSON.stringify([file, line, message]);
    return seen.has(key) ? false : (seen.add(key), true);
  });
}
