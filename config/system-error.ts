/** What the system says, in words, with what helps. */
const CODES: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'no permission: choose another place, or change its owner or mode',
  EPERM: 'not permitted: choose another place, or change its owner or mode',
  EEXIST: 'exists already: name another place',
  EISDIR: 'is a folder, where a file is needed',
  ENOTDIR: 'a file stands where a folder is needed: name another place',
  ENOSPC: 'no space is left on the disk: free some, then run the command again',
  EDQUOT: 'the disk quota is used up: free some space, then run the command again',
  EROFS: 'the file system is read-only: name another place',
  EMFILE: 'too many open files: raise the limit (ulimit -n)',
  ENAMETOOLONG: 'the name is too long',
  ECONNREFUSED: 'nothing answers there: is it running?',
  ECONNRESET: 'the connection broke: run the command again',
  ENOTFOUND: 'no host has this name: check the address',
  ETIMEDOUT: 'no answer in time: is it running?',
};

/** One sentence with the place and the fix for an error of the operating system; `undefined` for any other. */
export function describeSystemError(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const { code, path, syscall, address, port } = error as Partial<NodeJS.ErrnoException> & {
    address?: string;
    port?: number;
  };
  const meaning = typeof code === 'string' ? CODES[code] : undefined;
  if (meaning === undefined) return undefined;
  const server = address === undefined ? undefined : `${address}:${port ?? ''}`;
  const place = path ?? server ?? syscall ?? 'the system';
  return `${place}: ${meaning} (${code ?? ''})`;
}
