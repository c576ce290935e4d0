import { ownEntry } from '../../core/own-entry';
import { createHash } from 'node:crypto';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type GatewayAttempt } from '../gateway/port';
import { webFiles, type WebOrders } from '../web/web-files';
import { replaceFile } from '../sandbox/durable-file';
import { type AttemptContext } from './attempt-context';

/** Writes `control/gateway.json`: all the gateway needs to serve the attempt, and its transcript to be made. */
export async function writeGatewayOrders(context: AttemptContext, token: string): Promise<void> {
  const { lane, plan, task, reference } = context;
  const { holdAfterMs, holdForMs, holdProbeMs } = plan.timings;
  const orders: GatewayAttempt = {
    v: 1,
    attemptId: context.attemptId,
    runId: reference.run.runId,
    tokenSha256: createHash('sha256').update(token).digest('hex'),
    model: lane.model,
    prices: ownEntry(plan.prices, lane.model.id),
    limits: plan.limits,
    context: { purpose: 'agent', taskId: task.id, repetition: reference.run.repetition },
    harness: { name: lane.harness.name, version: lane.harness.version },
    leaseMs: plan.timings.leaseMs,
    ...(holdAfterMs !== undefined && { retryForMs: holdAfterMs }),
    ...(holdForMs !== undefined && { holdForMs }),
    ...(holdProbeMs !== undefined && { probeMs: holdProbeMs }),
  };
  await mkdir(context.paths.control, { recursive: true, mode: 0o700 });
  await replaceFile(join(context.paths.control, 'gateway.json'), JSON.stringify(orders));
}

/** Writes `control/web.json` for a task that grants access to hosts. */
export async function writeWebOrders({ task, paths }: AttemptContext): Promise<void> {
  if (task.grants.web.length === 0) return;
  const orders: WebOrders = { v: 1, grants: task.grants.web };
  await replaceFile(webFiles(paths.control).orders, JSON.stringify(orders));
}
