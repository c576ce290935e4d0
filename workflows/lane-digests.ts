import { condition, getExternalWorkflowHandle, patched, workflowInfo } from '@temporalio/workflow';
import { type LaneState } from './lane-state';
import { laneDigestSignal, type LaneProgress } from './messages';

/** A digest goes to the sweep after this many ends, or this long after an end that was not told yet. */
const DIGEST_ENDS = 10;
const DIGEST_MS = 60_000;
/** Digests that may be sent because of time; later ones wait ten times as long, so that histories stay bounded. */
const QUICK_DIGESTS = 50;
/**
 * What the sweep is told. A lane that is about to start runs is not blocked yet: the sweep would give to others what
 * those runs are about to spend.
 */
export function digestOf(state: LaneState, nowMs: number): LaneProgress {
  const progress = state.progress(nowMs);
  const { blockedBy: _blockedBy, reason: _reason, ...going } = progress;
  return state.choose(nowMs).start.length > 0 ? going : progress;
}

/** Tells the sweep how the lane stands; a sweep that is gone is no trouble of the lane's. */
export function sendDigests(state: LaneState): { stop(): Promise<void> } {
  const { parent } = workflowInfo();
  if (parent === undefined) return { stop: async () => undefined };
  const sweep = getExternalWorkflowHandle(parent.workflowId);
  let stopped = false;
  let told = { ends: -1, block: '' };
  let quick = 0;
  const block = () => {
    const { blockedBy, running, holding, allotmentMicroUsd = '' } = state.progress(Date.now());
    const held = holding === undefined ? '' : `holding ${holding.type} ${holding.runs === running}`;
    if (blockedBy === undefined) return held;
    return `${blockedBy} ${running === 0} ${allotmentMicroUsd}${held}`;
  };
  const ends = () => state.progress(Date.now()).ends - told.ends;
  const urgent = () => stopped || told.ends < 0 || block() !== told.block || ends() >= DIGEST_ENDS;
  const loop = async () => {
    while (!stopped) {
      await condition(() => urgent() || ends() > 0);
      const waitMs = quick++ < QUICK_DIGESTS ? DIGEST_MS : 10 * DIGEST_MS;
      if (!urgent()) await condition(urgent, waitMs);
      const digest = digestOf(state, Date.now());
      // One that was about to start is told once more, blocked or not, when it has started.
      const isHalf = state.progress(Date.now()).blockedBy !== digest.blockedBy;
      told = { ends: digest.ends, block: isHalf && patched('digest-after-start') ? '' : block() };
      await sweep.signal(laneDigestSignal, digest).catch(() => undefined);
    }
  };
  const running = loop().catch(() => undefined);
  return {
    stop: () => {
      stopped = true;
      return running;
    },
  };
}
