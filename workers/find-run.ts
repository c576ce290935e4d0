import { Failure } from '../core/failure';
import { plannedRuns, type SweepPlan } from '../core/sweep';
import { identifyRun, type IdentifiedRun } from '../activities/run-state';

/** The planned run with this id, or the only one with these last parts (`task/r1`). Throws `Failure('InvalidInput')`. */
export function findRun(plan: SweepPlan, id: string): IdentifiedRun {
  const matching: IdentifiedRun[] = [];
  for (const lane of plan.lanes)
    for (const position of plannedRuns(plan)) {
      const task = plan.tasks[position.taskIndex];
      const candidate = `${lane.id}/${task?.id ?? ''}/r${position.repetition}`;
      if (candidate === id) return identifyRun(plan, lane.id, position);
      if (candidate.endsWith(`/${id}`)) matching.push(identifyRun(plan, lane.id, position));
    }
  const [only] = matching;
  if (only !== undefined && matching.length === 1) return only;
  throw new Failure(
    'InvalidInput',
    only === undefined
      ? `sweep ${plan.sweep} plans no run ${id}`
      : `${id} fits ${matching.length} runs of sweep ${plan.sweep}, among them ${only.runId}: give more of the id`,
  );
}
