import { createHash } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** Who the agent is inside and what owns its files outside. */
export interface SandboxUser {
  readonly uid: number;
  readonly gid: number;
}

/** What the sandbox calls itself. */
export const HOST_NAME = 'sandbox';

const FIRST_UID = 200_000;
const UIDS = 100_000;

/**
 * A user of its own for each attempt, the same whenever it is asked for: files of one attempt are closed to every
 * other. Without root files cannot be given away, and the user is the worker's own.
 */
export function sandboxUser(
  attemptId: string,
  own: SandboxUser = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 },
): SandboxUser {
  if (own.uid !== 0) return own;
  const number = createHash('sha256').update(attemptId).digest().readUInt32BE(0);
  const uid = FIRST_UID + (number % UIDS);
  return { uid, gid: uid };
}

/** Names for that user and this host, since programs ask for them, and the supervisor as the name server. */
export async function writeEtcFiles(
  folder: string,
  user: SandboxUser,
  home: string,
): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o755 });
  const files = {
    passwd: `root:x:0:0:root:/root:/usr/sbin/nologin\nagent:x:${user.uid}:${user.gid}:agent:${home}:/bin/bash\n`,
    group: `root:x:0:\nagent:x:${user.gid}:\n`,
    // Without a network Docker writes none, and programs look for their own servers by name.
    hosts: `127.0.0.1 localhost ${HOST_NAME}\n::1 localhost\n`,
    'resolv.conf': 'nameserver 127.0.0.1\noptions timeout:1 attempts:1\n',
  };
  await Promise.all(
    Object.entries(files).map(([name, content]) =>
      writeFile(join(folder, name), content, { mode: 0o644 }),
    ),
  );
}
