import { Failure } from '../../core/failure';
import { type ModelReply } from '../models/port';
import { type EndedFrame } from './journal-frames';

export function repliedFrame(
  e: number,
  at: string,
  reply: ModelReply,
  waitedMs: number,
): EndedFrame {
  return {
    t: 'ended',
    e,
    at,
    outcome: 'reply',
    durationMs: reply.durationMs,
    waitedMs,
    failedTries: reply.failedTries,
    startedAt: reply.startedAt,
    completion: reply.completion,
    ...(reply.usage === undefined ? {} : { usage: reply.usage }),
    ...(reply.costMicroUsd === undefined ? {} : { costMicroUsd: reply.costMicroUsd }),
    ...(reply.dropped === undefined ? {} : { dropped: reply.dropped }),
    ...(reply.reportedModel === undefined ? {} : { reportedModel: reply.reportedModel }),
  };
}

/** The attempt was closed before the reply came. */
export function abortedFrame(e: number, at: string, waitedMs: number): EndedFrame {
  return {
    t: 'ended',
    e,
    at,
    outcome: 'aborted',
    durationMs: 0,
    waitedMs,
    failedTries: 0,
    status: 402,
    message: 'This attempt has ended.',
    contentRefused: false,
  };
}

/**
 * A call without a reply: refused by the provider, which is the agent's result (bad request, context overflow,
 * content filter), or trouble, which is infrastructure.
 */
export function failedFrame(e: number, at: string, error: unknown, waitedMs: number): EndedFrame {
  const message = error instanceof Error ? error.message : String(error);
  const cause = (error instanceof Failure ? (error.options.cause ?? {}) : {}) as {
    status?: number;
    contentRefused?: boolean;
    tries?: number;
  };
  const facts = {
    t: 'ended',
    e,
    at,
    durationMs: 0,
    waitedMs,
    failedTries: cause.tries ?? 0,
  } as const;
  if (!(error instanceof Failure) || error.type !== 'InvalidInput')
    return {
      ...facts,
      outcome: 'trouble',
      type: error instanceof Failure ? error.type : 'ProviderUnavailable',
      message,
    };
  const status = cause.status ?? 400;
  return {
    ...facts,
    outcome: 'refused',
    // 401 to 404 and 429 would make a harness look for a fault of its own, or try again.
    status: status >= 405 && status !== 429 && status < 500 ? status : 400,
    message,
    contentRefused: cause.contentRefused === true,
  };
}
