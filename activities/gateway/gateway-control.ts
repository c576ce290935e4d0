import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { z } from 'zod';
import { type Logger, SILENT_LOGGER } from '../../core/logger';
import { attemptFiles, processFiles } from './attempt-files';
import { readAttemptSettings } from './attempt-settings';
import { applyFrame, emptyState, toGatewayLog } from './attempt-state';
import { controlRequest, GatewayAbsent } from './control-request';
import { spawnGateway } from './gateway-spawn';
import { type GatewayVersion, gatewayVersion, replaces } from './gateway-version';
import { readJournal, readJournalBytes } from './journal-file';
import { raiseLease } from './lease';
import { isHeld, readHolding, writePause } from './hold-files';
import { type GatewayControl, type GatewayLog } from './port';
import { writeTranscript } from './transcript-files';

export interface GatewayControlOptions {
  readonly dataDir: string;
  /** Environment of a gateway process that has to be started (its keys among it). @default process.env */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly logger?: Logger;
  /** How long a starting process may take, an older one's handing over included. @default 150000 */
  readonly startTimeoutMs?: number;
}

const CALL_TIMEOUT_MS = 15_000;
const POLL_MS = 100;
const START_TIMEOUT_MS = 150_000;
const versionSchema = z.object({ digest: z.string(), modifiedMs: z.number() });

/** Control of the one gateway process of a data folder; starts it when it is not there. */
export function createGatewayControl(options: GatewayControlOptions): GatewayControl {
  const dataDir = resolve(options.dataDir);
  const { controlSocket } = processFiles(dataDir);
  const logger = options.logger ?? SILENT_LOGGER;
  let version: GatewayVersion | undefined;
  let ensuring: Promise<void> | undefined;

  /** Undefined when no process answers. */
  async function runningVersion(): Promise<GatewayVersion | undefined> {
    try {
      return versionSchema.parse(
        await controlRequest(controlSocket, 'GET', '/version', undefined, CALL_TIMEOUT_MS),
      );
    } catch (error) {
      if (error instanceof GatewayAbsent) return undefined;
      throw error;
    }
  }

  async function start(): Promise<void> {
    version ??= gatewayVersion();
    const running = await runningVersion();
    if (running !== undefined && !replaces(version, running)) return;
    if (running !== undefined) {
      logger.info({ running: running.digest, ours: version.digest }, 'an older gateway hands over');
      await unlessAbsent(controlSocket, '/drain');
    }
    await startAndWait(running);
  }

  async function startAndWait(replaced: GatewayVersion | undefined): Promise<void> {
    // Two workers may both start one: the lock leaves one process, the other ends by itself with code 0.
    const child = spawnGateway(dataDir, options.environment ?? process.env);
    let failure: string | undefined;
    child.on('error', (error) => (failure = error.message));
    child.on('exit', (code) => {
      if (code !== 0) failure = `it ended with code ${String(code)}`;
    });
    const timeoutMs = options.startTimeoutMs ?? START_TIMEOUT_MS;
    const giveUpMs = Date.now() + timeoutMs;
    for (;;) {
      const running = await runningVersion();
      if (running !== undefined && running.digest !== replaced?.digest) return;
      if (Date.now() > giveUpMs) failure ??= `nothing answers after ${timeoutMs} ms`;
      if (failure !== undefined)
        throw new Error(`the gateway did not start: ${failure}; see ${processFiles(dataDir).log}`);
      await new Promise((wait) => setTimeout(wait, POLL_MS));
    }
  }

  function ensureRunning(): Promise<void> {
    ensuring ??= start().finally(() => {
      ensuring = undefined;
    });
    return ensuring;
  }

  /** Starts the process when it is absent, then asks again: it may also have died between two calls. */
  async function ask(path: string, body: object, timeoutMs = CALL_TIMEOUT_MS): Promise<void> {
    for (let tries = 1; ; tries++) {
      try {
        await controlRequest(controlSocket, 'POST', path, body, timeoutMs);
        return;
      } catch (error) {
        if (!(error instanceof GatewayAbsent) || tries >= 5) throw error;
        await ensureRunning();
      }
    }
  }

  return {
    ensureRunning,
    open: async (attemptDir) => ask('/open', { attemptDir: resolve(refuseDamaged(attemptDir)) }),
    // The file is the truth, so this works while no gateway runs.
    renewLease: (attemptDir) => raiseLease(attemptFiles(attemptDir).lease),
    close: (attemptDir, reason, graceMs) =>
      ask(
        '/close',
        { attemptDir: resolve(attemptDir), reason, graceMs },
        graceMs + CALL_TIMEOUT_MS,
      ),
    readLog: async (attemptDir) => readGatewayLog(attemptDir),
    holding: async (attemptDir) => readHolding(attemptFiles(attemptDir).holding),
    isHeld: async (attemptDir) => isHeld(attemptFiles(attemptDir)),
    // The file is the truth here too.
    pause: async (attemptDir, reason) => writePause(attemptFiles(attemptDir).pause, reason),
    tryHeld: () => unlessAbsent(controlSocket, '/try-held'),
    writeTranscript: async (attemptDir, end) => writeTranscript(attemptDir, end),
  };
}

/** Before the process is asked: what that answers has no type, and no retry heals a damaged file. */
function refuseDamaged(attemptDir: string): string {
  if (existsSync(dirname(attemptFiles(attemptDir).gateway))) readAttemptSettings(attemptDir);
  return attemptDir;
}

async function unlessAbsent(controlSocket: string, path: string): Promise<void> {
  try {
    await controlRequest(controlSocket, 'POST', path, {}, CALL_TIMEOUT_MS);
  } catch (error) {
    if (!(error instanceof GatewayAbsent)) throw error;
  }
}

/** The facts of an attempt from its journal; works without a gateway process, also while one writes. */
export function readGatewayLog(attemptDir: string): GatewayLog {
  const state = emptyState();
  readJournal(attemptFiles(attemptDir).journal, (frame) => applyFrame(state, frame));
  return toGatewayLog(state);
}

/**
 * The journal's whole frames from byte `offset` on, for copying it to the store part by part: parts put one behind
 * the other are a journal. An empty part means that nothing is new.
 */
export function readJournalSince(
  attemptDir: string,
  offset: number,
): { readonly bytes: Uint8Array; readonly nextOffset: number } {
  return readJournalBytes(attemptFiles(attemptDir).journal, offset);
}
