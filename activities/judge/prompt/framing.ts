import { createHmac } from 'node:crypto';

/** Hex digits of a boundary: enough that nobody guesses one, short enough to repeat on every frame. */
const BOUNDARY_DIGITS = 24;

/** The frame of everything that comes from files: constant over a run, unknown to whoever made the files. */
export function boundaryFor(deliverablesDigest: string, key: string): string {
  return createHmac('sha256', Buffer.from(key, 'hex'))
    .update(`boundary ${deliverablesDigest}`)
    .digest('hex')
    .slice(0, BOUNDARY_DIGITS);
}

/** Direction overrides and tag characters: they hide or reorder what a reader would see. */
const DECEPTIVE = /[\u202A-\u202E\u2066-\u2069\u{E0000}-\u{E007F}]/gu;
const CONTROL = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F]/gu;

/**
 * Makes text from files unable to look like our frames or like a chat template. Angle brackets become their
 * full-width forms, which NFKC folds back: a quote of what is shown still matches the file.
 */
export function escapeContent(text: string): string {
  return text
    .replace(DECEPTIVE, '')
    .replace(CONTROL, '\uFFFD')
    .replace(/<{3,}/gu, (run) => '＜'.repeat(run.length))
    .replace(/>{3,}/gu, (run) => '＞'.repeat(run.length))
    .replace(
      /<(?=\/?\s*(?:\||im_|system|assistant|user|tool|function|verdict|data\b|end\b))/giu,
      '＜',
    )
    .replace(/\|>/gu, '|＞');
}

/** Frames content that comes from files. `label` is our own word for it and must not come from a file. */
export class Framing {
  constructor(readonly boundary: string) {}

  frame(label: string, content: string): string {
    const escaped = escapeContent(content).replaceAll(this.boundary, '(boundary removed)');
    return `<<<${label} ${this.boundary}>>>\n${escaped}\n<<<end ${this.boundary}>>>`;
  }
}

/** Escaped for one line of a frame: names and cell texts cannot begin a line of their own. */
export function oneLine(text: string): string {
  return escapeContent(text.replace(/\r\n|[\r\n\u2028\u2029]/gu, ' ⏎ '));
}
