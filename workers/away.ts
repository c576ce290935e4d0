import { isGrpcServiceError } from '@temporalio/client';

/** gRPC's DEADLINE_EXCEEDED, UNAVAILABLE, and FAILED_PRECONDITION: no worker has polled the queue for a while. */
const AWAY: ReadonlySet<number> = new Set([4, 14, 9]);

/** True when a query failed since no worker, or no server, answered it. */
export function isWorkerAway(error: unknown): boolean {
  if (isGrpcServiceError(error)) return AWAY.has(error.code);
  return error instanceof Error && error.cause !== undefined && isWorkerAway(error.cause);
}
