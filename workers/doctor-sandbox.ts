import type Docker from 'dockerode';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type ImageName, imageTag } from '../activities/sandbox/image-recipe';
import { probeSandbox } from '../activities/sandbox/probe';
import { plural } from '../core/plural';
import { type Settings } from '../config/environment';
import { describeSystemError } from '../config/system-error';
import { type Finding } from './finding';

/** The image that every stack has. */
export const PROBED_IMAGE: ImageName = 'agent';

/** Runs one sandbox and tries to get out of it: what Docker promises is not what a kernel does. */
export async function examineSandbox(
  docker: Docker,
  settings: Settings,
  signal?: AbortSignal,
): Promise<Finding> {
  const what = 'sandbox';
  // Where attempts will lie, but a data folder is not made for a look.
  const temporary = existsSync(settings.dataDir)
    ? undefined
    : await mkdtemp(join(tmpdir(), 'startupbench-doctor-'));
  try {
    const findings = await probeSandbox({
      docker,
      image: imageTag(PROBED_IMAGE),
      stack: settings.stackId,
      hostId: settings.hostId,
      sandboxesDir: join(temporary ?? settings.dataDir, 'sandboxes'),
      ...(signal && { signal }),
    });
    const broken = findings.filter(({ ok }) => !ok);
    return broken.length === 0
      ? {
          what,
          state: 'ok',
          detail: `held against ${plural(findings.length, 'try', 'tries')} from inside`,
        }
      : {
          what,
          state: 'missing',
          detail: `does not hold, so no agent may run here: ${broken.map(({ name, detail }) => `${name} (${detail})`).join('; ')}`,
        };
  } catch (error) {
    return {
      what,
      state: 'missing',
      detail:
        describeSystemError(error) ?? (error instanceof Error ? error.message : String(error)),
    };
  } finally {
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true });
  }
}
