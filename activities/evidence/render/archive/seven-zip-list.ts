import { runProgram } from '../program';
import { Unreadable } from '../rendering';
import { type ProgramEntry } from './program-members';

/** The list of a 7z archive, by 7-Zip. Throws `Unreadable`. */
export async function listSevenZip(sourcePath: string): Promise<ProgramEntry[]> {
  // An empty password: without one the program would ask.
  const end = await runProgram('7zz', ['l', '-slt', '-sccUTF-8', '-t7z', '-p', '--', sourcePath]);
  const output = end.standardOutput.toString('utf8');
  if (end.timedOut) throw new Unreadable('refused', 'the list was stopped at its time limit');
  if (/encrypted archive|wrong password/iu.test(output + end.standardError))
    throw new Unreadable('encrypted', 'the archive needs a password');
  const at = output.indexOf('\n----------\n');
  if (at < 0) throw new Unreadable('corrupt', 'not a readable 7z archive');
  return output
    .slice(at + 12)
    .split(/\n\n/u)
    .flatMap(entryOf);
}

function entryOf(block: string): ProgramEntry[] {
  const fields = new Map(
    block.split('\n').flatMap((line): [string, string][] => {
      const match = /^([A-Z][\w ]*) = (.*)$/u.exec(line);
      return match ? [[match[1] ?? '', match[2] ?? '']] : [];
    }),
  );
  const name = fields.get('Path');
  if (name === undefined) return [];
  const attributes = fields.get('Attributes') ?? '';
  const crc = fields.get('CRC') ?? '';
  return [
    {
      name,
      bytes: Number(fields.get('Size') ?? 0),
      kind: /^\S*D/u.test(attributes) ? 'folder' : /\sl[-r]/u.test(attributes) ? 'link' : 'file',
      encrypted: fields.get('Encrypted') === '+',
      ...(crc === '' ? {} : { crc32: Number.parseInt(crc, 16) }),
    },
  ];
}
