import { existsSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { projectRoot } from '../../../activities/sandbox/image-recipe';
import { type Recording, readRecording } from '../../../activities/models/recordings';

export const RECORDINGS = join(projectRoot(), 'recordings');

export interface JudgeRecording {
  /** `strong`, `weak` or `reference`. */
  readonly subject: string;
  readonly task: string;
  /** Absent for a recording that serves all repetitions. */
  readonly repetition: string | undefined;
  readonly item: string;
  readonly recording: Recording;
}

/** Every recorded judge session of the demo, in order of path. */
export async function readJudgeRecordings(): Promise<JudgeRecording[]> {
  const root = join(RECORDINGS, 'judge');
  const found: JudgeRecording[] = [];
  for (const entry of readdirSync(root, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile()) continue;
    const path = join(entry.parentPath, entry.name);
    const parts = relative(root, path).split('/');
    const [subject = '', task = ''] = parts;
    found.push({
      subject,
      task,
      repetition: parts.length > 3 ? parts[2] : undefined,
      item: entry.name.replace(/\.yaml$/u, ''),
      recording: await readRecording(path, root),
    });
  }
  return found.sort((left, right) => (left.recording.path < right.recording.path ? -1 : 1));
}

/** Which deliverables there are to judge: subject, and the repetition where repetitions differ. */
export function judgedSubjects(
  task: string,
): { readonly subject: string; readonly repetition?: string }[] {
  const recorded = ['strong', 'weak'].flatMap((subject) =>
    ['r1', 'r2']
      .filter((repetition) => existsSync(join(RECORDINGS, subject, task, `${repetition}.yaml`)))
      .map((repetition) => ({ subject, repetition })),
  );
  const same = ['strong', 'weak']
    .filter((subject) => existsSync(join(RECORDINGS, subject, task, 'all.yaml')))
    .map((subject) => ({ subject }));
  return [{ subject: 'reference' }, ...same, ...recorded];
}
