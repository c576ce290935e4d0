import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join, normalize } from 'node:path';
import { Failure } from '../../core/failure';
import { type HarnessIdentity } from '../../core/sweep';
import { interpretEnd } from './interpret-end';
import { type HarnessAdapter } from './port';

/** Delivers the reference deliverables: a task's rubric must give it 100. */
export function oracleHarness(identity: HarnessIdentity): HarnessAdapter {
  return {
    ...withoutSandbox(identity),
    deliver: async ({ workspace, reference }) => {
      for (const [path, content] of reference) {
        const target = resultPath(workspace, path);
        await mkdir(dirname(target), { recursive: true });
        await writeFile(target, content);
      }
    },
  };
}

/** Delivers nothing: a task's rubric must give it 0. */
export function nopHarness(identity: HarnessIdentity): HarnessAdapter {
  return { ...withoutSandbox(identity), deliver: () => Promise.resolve() };
}

/** What harnesses that run in the worker have in common. */
export function withoutSandbox(identity: HarnessIdentity): HarnessAdapter {
  return {
    identity,
    needsSandbox: false,
    usesModel: false,
    interpret: (exit, intent, _files, gatewayLog) =>
      Promise.resolve(interpretEnd({ exit, intent, gatewayLog, word: undefined })),
  };
}

/** Below `results/`, or an error naming the path. */
export function resultPath(workspace: string, path: string): string {
  const relative = normalize(path);
  if (relative.startsWith('..') || relative.startsWith('/'))
    throw new Failure('InvalidInput', `reference deliverable ${path} does not lie below results/`);
  return join(workspace, 'results', relative);
}
