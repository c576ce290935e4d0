import { existsSync, readdirSync, statSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { projectRoot } from '../../activities/sandbox/image-recipe';
import { THIRD_PARTY_LIST, fetchThirdParty } from './fetch-third-party';
import { CORPUS_FOLDER, type LocatedFile, committedCorpus, readListing } from './listing';
import { type ExpectedFile, type Outcome, unexpected } from './outcome';
import { type ReadSettings, readAll } from './read-all';
import { type MutationRun, readMutations } from './read-mutations';
import { printSummary, summarize } from './summary';

const USAGE = `usage: scripts/evidence-corpus [FOLDER] [options]
Reads every file of a folder (default: the committed corpus) as the renderer does, and prints by format how the files
ended, for how many a program was stopped at its limit of time ("stopped"), how long it took, the memory it took, and
where two readers count differently ("differ").
Exit code 1 when a file crashed the reader, was refused without a list that says so, or is not as its list says.
  --in-process   text and facts alone, in a child process without LibreOffice and poppler: no pages, no PDFs
  --image TAG    another image than the current renderer's
  --list FILE    expected statuses (default: FOLDER.json beside the folder, where there is one)
  --third-party  the test data of other projects, fetched once from the package registries, in place of FOLDER
  --all          the committed corpus (or FOLDER) and the test data of other projects
  --only TEXT    files whose name contains it
  --mutations N  N seeded mutations of the files in place of the files; each class of them lists what may become of it
  --seed N       of the mutations (default 1)
  --keep FOLDER  mutations with a wrong end are written there
  --jobs N       files at once, or groups of files that share a container (default 2)
  --per-container N  files that share a container, each by a renderer process of its own (default 1): saves the
                 container's start and end; memory is then not measured
  --json         every outcome and the summary as JSON
  --verbose      a line for each file`;

/** Faults of one file that are printed; `--json` has all. */
const MAX_FAULTS = 5;

type File = LocatedFile & { readonly isListed: boolean };

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      'in-process': { type: 'boolean', default: false },
      image: { type: 'string' },
      list: { type: 'string' },
      'third-party': { type: 'boolean', default: false },
      all: { type: 'boolean', default: false },
      only: { type: 'string', default: '' },
      mutations: { type: 'string' },
      seed: { type: 'string', default: '1' },
      keep: { type: 'string' },
      jobs: { type: 'string', default: '2' },
      'per-container': { type: 'string', default: '1' },
      json: { type: 'boolean', default: false },
      verbose: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    return 0;
  }
  const ofOthers =
    values['third-party'] || values.all
      ? filesOf(await fetchThirdParty(thirdPartyFolder()), THIRD_PARTY_LIST)
      : [];
  const own = values['third-party'] ? [] : filesOf(positionals[0], values.list);
  const files = [...own, ...ofOthers].filter(
    ({ file, onlyContainer }) =>
      file.includes(values.only) && !(values['in-process'] && onlyContainer === true),
  );
  if (files.length === 0) throw new Error('no file to read');
  const settings = {
    inProcess: values['in-process'],
    image: values.image,
    jobs: Number(values.jobs) || 1,
    filesPerContainer: Number(values['per-container']) || 1,
    onOutcome: values.verbose ? printOutcome : () => undefined,
  };
  const { outcomes, wrong } =
    values.mutations === undefined
      ? await readFiles(files, settings)
      : await readMutations(
          files,
          { count: Number(values.mutations), seed: Number(values.seed), keepIn: values.keep },
          settings,
        );
  if (values.json)
    console.log(JSON.stringify({ summary: summarize(outcomes), outcomes, wrong }, null, 1));
  else console.log(printSummary(summarize(outcomes)));
  for (const line of wrong) console.error(line);
  for (const { file, disagreements } of values.verbose ? outcomes : [])
    for (const line of disagreements) console.error(`${file}: ${line}`);
  return wrong.length > 0 ? 1 : 0;
}

function thirdPartyFolder(): string {
  const data = process.env['STARTUPBENCH_DATA'] ?? join(projectRoot(), '.startupbench');
  return join(resolve(data), 'corpus', 'third-party');
}

async function readFiles(files: readonly File[], settings: ReadSettings): Promise<MutationRun> {
  const outcomes = await readAll(files, settings, async (file) => ({ file }));
  return {
    outcomes,
    wrong: outcomes.flatMap((outcome, at) => wrongsOf(outcome, files[at], settings)),
  };
}

function printOutcome({ status, durationMs, file, reason }: Outcome): void {
  console.error(`${status} ${(durationMs / 1000).toFixed(2)} s ${file} ${reason}`);
}

function wrongsOf(outcome: Outcome, file: File | undefined, { inProcess }: ReadSettings): string[] {
  if (!file) return [];
  const { status: ownStatus, isListed, ...rest } = file;
  const status = inProcess ? ownStatus : (file.statusWithPages ?? ownStatus);
  const expected: ExpectedFile = isListed ? { ...rest, status } : rest;
  const wrong = unexpected(outcome, expected);
  return [
    ...(wrong === undefined ? [] : [wrong]),
    ...outcome.faults.slice(0, MAX_FAULTS).map((fault) => `${outcome.file}: ${fault}`),
    ...(outcome.faults.length > MAX_FAULTS
      ? [`${outcome.file}: ${outcome.faults.length - MAX_FAULTS} more faults`]
      : []),
  ];
}

function filesOf(folder: string | undefined, list: string | undefined): File[] {
  const listed = (file: LocatedFile): File => ({
    ...file,
    file: `${file.generator}/${file.file}`,
    isListed: true,
  });
  if (folder === undefined) return committedCorpus(CORPUS_FOLDER).map(listed);
  const root = resolve(process.env['INVOKED_IN'] ?? '.', folder);
  const listPath =
    list === undefined ? join(dirname(root), `${basename(root)}.json`) : resolve(list);
  const known = new Map(
    existsSync(listPath) ? readListing(listPath).map((file) => [file.file, file]) : [],
  );
  return filesBelow(root).map((path): File => {
    const file = relative(root, path);
    const found = known.get(file);
    const unknown = { file, generator: '', status: 'rendered', markers: [] } as const;
    return { ...(found ?? unknown), path, isListed: found !== undefined };
  });
}

function filesBelow(folder: string): string[] {
  if (!existsSync(folder)) throw new Error(`no folder ${folder}`);
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort();
}

main().then(
  (code) => (process.exitCode = code),
  (error: unknown) => {
    console.error(`evidence-corpus: ${error instanceof Error ? error.message : String(error)}`);
    process.exitCode = 2;
  },
);
