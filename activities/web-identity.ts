import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { canonicalJson } from '../core/ids';
import { WEB_LIMITS } from '../core/web';
import { WEB_PROMPT } from './harness/prompt';
import { projectRoot } from './sandbox/image-recipe';

/** Raise it when what is fetched, or refused, changes. */
const FETCHER_VERSION = 1;

/** The program that agents fetch with, as text. */
export function webProgram(): string {
  return readFileSync(join(projectRoot(), 'docker', 'web', 'web_fetch.py'), 'utf8');
}

/** Identity of web access for run keys: its limits, and what agents are given and told. */
export function webDigest(): string {
  const parts = {
    v: FETCHER_VERSION,
    limits: WEB_LIMITS,
    prompt: WEB_PROMPT,
    program: webProgram(),
  };
  return createHash('sha256').update(canonicalJson(parts)).digest('hex');
}
