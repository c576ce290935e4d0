import OpenAI from 'openai';
import { FetchRefused } from './guarded-fetch';
import { type TryFault } from './provider-error';
import { redact } from './redact';

/** What was read of a reply that is no completion, e.g. a page of HTML or a stream that broke off. */
export class BrokenReply extends Error {
  constructor(
    message: string,
    readonly error?: Readonly<Record<string, unknown>>,
  ) {
    super(message);
    this.name = 'BrokenReply';
  }
}

/** An answer with a status that is no success. */
export class HttpFault extends Error {
  constructor(
    readonly status: number,
    readonly headers: Headers,
    /** The `error` member of its body, if it had one. */
    readonly error: unknown,
    message: string,
  ) {
    super(message);
    this.name = 'HttpFault';
  }
}

/** Facts of a failed try, without keys. `nowMs` turns a `Retry-After` date into a wait. */
export function describeFault(error: unknown, apiKey: string | undefined, nowMs: number): TryFault {
  if (error instanceof HttpFault) return fromApiError(error, apiKey, nowMs);
  if (error instanceof OpenAI.APIError) {
    const { status, headers, error: body, message } = error as HttpError;
    if (status !== undefined)
      return fromApiError({ status, headers, error: body, message }, apiKey, nowMs);
  }
  const body = error instanceof BrokenReply ? error.error : bodyOf(error);
  if (body !== undefined) return fromBody(body, apiKey);
  const cause = rootCause(error);
  const code = cause instanceof FetchRefused ? cause.code : codeOf(cause);
  return {
    status: undefined,
    code,
    message: redact(cause instanceof Error ? cause.message : String(cause), apiKey),
    retryAfterMs: undefined,
  };
}

/** The part of the client's error that is read. */
interface HttpError {
  readonly status: number | undefined;
  readonly headers: Headers | undefined;
  readonly error: unknown;
  readonly message: string;
}

function fromApiError(error: HttpError, apiKey: string | undefined, nowMs: number): TryFault {
  const inner = (error.error ?? {}) as { message?: unknown; code?: unknown; type?: unknown };
  const message = typeof inner.message === 'string' ? inner.message : error.message;
  return {
    status: error.status,
    code: firstText(inner.code, inner.type),
    message: redact(message, apiKey),
    retryAfterMs: retryAfterMs(error.headers, nowMs),
  };
}

/** An error body inside a reply with status 200, as some relays send it. */
function fromBody(body: Readonly<Record<string, unknown>>, apiKey: string | undefined): TryFault {
  const status = typeof body['code'] === 'number' ? body['code'] : undefined;
  return {
    status: status !== undefined && status >= 400 && status < 600 ? status : undefined,
    code: firstText(body['code'], body['type']),
    message: redact(firstText(body['message']) ?? JSON.stringify(body), apiKey),
    retryAfterMs: undefined,
  };
}

function bodyOf(error: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!(error instanceof OpenAI.APIError)) return undefined;
  const body: unknown = error.error;
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : undefined;
}

function firstText(...values: readonly unknown[]): string | undefined {
  for (const value of values) {
    if (typeof value === 'string' && value !== '') return value;
    if (typeof value === 'number') return String(value);
  }
  return undefined;
}

function rootCause(error: unknown): unknown {
  let current = error;
  for (let depth = 0; depth < 5; depth++) {
    if (
      current instanceof FetchRefused ||
      !(current instanceof Error) ||
      current.cause === undefined
    )
      break;
    current = current.cause;
  }
  return current;
}

function codeOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** `retry-after-ms`, else `Retry-After` in seconds or as a date; never negative. */
export function retryAfterMs(headers: Headers | undefined, nowMs: number): number | undefined {
  const exact = Number(headers?.get('retry-after-ms') ?? Number.NaN);
  if (Number.isFinite(exact)) return Math.max(0, exact);
  const given = headers?.get('retry-after');
  if (given === null || given === undefined) return undefined;
  const seconds = Number(given);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const date = Date.parse(given);
  return Number.isFinite(date) ? Math.max(0, date - nowMs) : undefined;
}
