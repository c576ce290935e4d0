import { pino, stdSerializers, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { type LogEntry, type Logger as TemporalLogger } from '@temporalio/worker';

export interface LogOptions {
  /** Of the process; on every line. */
  readonly role: string;
  /** On every line beside the role. */
  readonly ids?: Readonly<Record<string, string>>;
  /** @default 'info' */
  readonly level?: string;
  /** Values that must never appear; asked for at each line. @default those of the environment's secret variables */
  readonly secrets?: () => readonly string[];
  /** @default standard error */
  readonly destination?: DestinationStream;
}

const REDACTED = '[redacted]';
/** What looks like a key although nobody told us that it is one. */
const KEY_SHAPES = [/\b(?:sk|rk|pk|key)-[A-Za-z0-9_*-]{8,}/gu, /\bBearer\s+[^\s"'\\]{8,}/giu];
/** Shorter values are no secrets, and would blank out half of a line. */
const MIN_SECRET_LENGTH = 6;
const SECRET_VARIABLE = /(?:KEY|TOKEN|SECRET|PASSWORD)(?:_ID)?$/u;

/** JSON lines with ids on each; errors under `error`; secrets blanked out wherever they stand. */
export function createLogger(options: LogOptions): PinoLogger {
  const { role, ids, level = 'info' } = options;
  const destination = options.destination ?? standardError();
  const ofEnvironment = secretsOf(process.env);
  const secrets = options.secrets ?? (() => ofEnvironment);
  return pino(
    {
      level,
      base: { role, ...ids, pid: process.pid },
      timestamp: pino.stdTimeFunctions.isoTime,
      serializers: { error: stdSerializers.err },
    },
    { write: (line) => destination.write(withoutSecrets(line, secrets())) },
  );
}

/** Of lines that a full disk does not take; the newest ones beyond are dropped. */
const MAX_UNWRITTEN_BYTES = 1024 ** 2;

/** A log that cannot be written must not end the process whose work it tells of. */
function standardError(): DestinationStream {
  const stream = pino.destination({ fd: 2, sync: true, maxLength: MAX_UNWRITTEN_BYTES });
  stream.on('error', () => undefined);
  return stream;
}

/** Values of environment variables that are named like secrets. */
export function secretsOf(env: Readonly<Record<string, string | undefined>>): string[] {
  return Object.entries(env).flatMap(([name, value]) =>
    SECRET_VARIABLE.test(name) && value !== undefined ? [value] : [],
  );
}

export function withoutSecrets(line: string, secrets: readonly string[]): string {
  let clean = line;
  for (const secret of secrets)
    if (secret.length >= MIN_SECRET_LENGTH)
      clean = clean
        .replaceAll(secret, REDACTED)
        // The same value as it stands inside a JSON text.
        .replaceAll(JSON.stringify(secret).slice(1, -1), REDACTED);
  for (const shape of KEY_SHAPES) clean = clean.replace(shape, REDACTED);
  return clean;
}

/** Said of every queue that has activities only: not worth a warning. */
const AS_PLANNED = /^No (?:workflows|Nexus services) registered/u;

/** Temporal's own lines, those of workflows and of activities, into the same stream. */
export function temporalLogger(logger: PinoLogger): TemporalLogger {
  const write = (
    level: 'trace' | 'debug' | 'info' | 'warn' | 'error',
    message: string,
    meta = {},
  ) => logger[AS_PLANNED.test(message) ? 'debug' : level](plain(meta), message);
  return {
    log: (level, message, meta) => write(level.toLowerCase() as 'info', message, meta),
    trace: (message, meta) => write('trace', message, meta),
    debug: (message, meta) => write('debug', message, meta),
    info: (message, meta) => write('info', message, meta),
    warn: (message, meta) => write('warn', message, meta),
    error: (message, meta) => write('error', message, meta),
  };
}

/** Core's lines carry symbols and big integers, which JSON has not. */
function plain(meta: LogEntry['meta']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(meta ?? {}).map(([key, value]: [string, unknown]) => [
      key,
      typeof value === 'bigint' ? value.toString() : value,
    ]),
  );
}
