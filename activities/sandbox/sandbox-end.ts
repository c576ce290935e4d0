import { type ContainerInspectInfo } from 'dockerode';
import { Failure } from '../../core/failure';
import { attemptPaths } from './attempt-paths';
import { AttemptState } from './attempt-state';
import { exitRecord, readEndRecord, type StoppedContainer } from './end-record';
import { type SandboxEnd, type SandboxSpecification } from './port';

const KILLED_EXIT_CODE = 137;

/**
 * Decides whose end it was. An exit is the agent's only with the supervisor's record, or with an intent that we wrote
 * first, or when the kernel took the main process for want of memory. A daemon that dies stops containers with codes
 * that look like ends, and asks the supervisor to stop before it does: that is `Failure('SandboxLost')`.
 *
 * @param container as it stopped; `undefined` when it is gone
 */
export async function sandboxEnd(
  specification: SandboxSpecification,
  container: ContainerInspectInfo | undefined,
): Promise<SandboxEnd> {
  const paths = attemptPaths(specification.attemptDir);
  const state = new AttemptState(paths.control);
  const [record, intent, started] = await Promise.all([
    readEndRecord(paths),
    state.readIntent(),
    state.read('started'),
  ]);
  const stopped = container && stoppedFacts(container);
  const endedByItself = record !== undefined && !record.stopRequested;
  const outOfMemory =
    record === undefined && stopped?.outOfMemory === true && stopped.exitCode === KILLED_EXIT_CODE;
  const ours = endedByItself || outOfMemory ? undefined : intent;
  if (!endedByItself && !outOfMemory && ours === undefined)
    throw lost(
      specification,
      container === undefined
        ? 'its container was removed by others'
        : `its container was stopped by others (exit code ${container.State.ExitCode})`,
    );
  return {
    exit: await exitRecord(paths, record, stopped, ours),
    intent: ours,
    imageDigest: started?.imageDigest ?? container?.Image ?? '',
  };
}

function stoppedFacts(container: ContainerInspectInfo): StoppedContainer {
  return {
    exitCode: container.State.ExitCode,
    outOfMemory: container.State.OOMKilled,
    startedAt: container.State.StartedAt,
    finishedAt: container.State.FinishedAt,
  };
}

/** The sandbox of this attempt will never end by itself any more. */
export function lost(specification: SandboxSpecification, why: string): Failure {
  const { runId, attempt } = specification.labels;
  return new Failure('SandboxLost', `attempt ${attempt} of ${runId} is lost: ${why}`);
}
