import { cp, mkdir, mkdtemp, readdir, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { FROZEN_CLOCK } from './limits';
import { type ProgramEnd, runProgram } from './program';

export interface PageSource {
  readonly name: string;
  /** A hidden sheet: its page is nothing that a reader of the file sees. */
  readonly hidden: boolean;
  /** Takes as many pages as the others leave. */
  readonly isLong?: boolean;
}

/** How an office file becomes a PDF. */
export interface OfficePages {
  /** Extension that tells LibreOffice the type; the content was sniffed before. */
  readonly extension: string;
  readonly filter: string;
  /** All formulas are calculated before, as programs do on opening such a file. */
  readonly recalculate?: boolean;
  /** Said in the record where pages are left out on purpose. */
  readonly note?: string;
  /** What may be a page each, in order; which of them LibreOffice prints depends on its version. */
  readonly sources: readonly PageSource[];
}

export interface Conversion {
  readonly extension: string;
  readonly to: string;
  readonly filter: string;
  readonly recalculate?: boolean;
}

export interface OfficeTools {
  /** Path of the converted file. Throws an Error that says why there is none. */
  convert(sourcePath: string, conversion: Conversion): Promise<string>;
}

/**
 * LibreOffice with a profile of its own for each job, copied from a ready one, under a frozen clock.
 * Success is a non-empty output file: the exit code is 0 for encrypted, broken and missing input as well.
 *
 * @param profiles folder with `lo-profile` and `lo-profile-recalc`
 * @param scratch writable folder
 */
export function createOfficeTools(profiles: string, scratch: string): OfficeTools {
  return {
    convert: async (sourcePath, { extension, to, filter, recalculate = false }) => {
      const folder = await mkdtemp(join(scratch, 'office-'));
      const [profile, out] = [join(folder, 'profile'), join(folder, 'out')];
      await mkdir(out);
      await cp(join(profiles, recalculate ? 'lo-profile-recalc' : 'lo-profile'), profile, {
        recursive: true,
      });
      const source = join(folder, `source.${extension}`);
      await symlink(sourcePath, source);
      const end = await runProgram(
        'faketime',
        [
          ...['-f', FROZEN_CLOCK, 'soffice', '--headless', '--norestore', '--nologo'],
          `-env:UserInstallation=file://${profile}`,
          ...['--convert-to', filter, '--outdir', out, source],
        ],
        { environment: { HOME: folder, FAKETIME_DONT_FAKE_MONOTONIC: '1' } },
      );
      const converted = join(out, `source.${to}`);
      if (!(await isNonEmptyFile(converted))) throw new Error(await describe(end, out));
      return converted;
    },
  };
}

async function isNonEmptyFile(path: string): Promise<boolean> {
  try {
    return (await stat(path)).size > 0;
  } catch {
    return false;
  }
}

async function describe(end: ProgramEnd, out: string): Promise<string> {
  if (end.timedOut) return 'LibreOffice was stopped at its time limit';
  const words = end.standardError.split('\n').filter((line) => /error/iu.test(line));
  const left = (await readdir(out)).length;
  return (
    `LibreOffice made no output (exit code ${String(end.exitCode)}, ${left} files)` +
    (words.length > 0 ? `: ${words.join('; ').slice(0, 300)}` : '')
  );
}
