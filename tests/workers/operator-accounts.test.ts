import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { printFault } from '../../config/located-yaml';
import { operatorAccounts } from '../../workers/operator-accounts';
import { newFolder, type TestFolder } from '../support/task-folder';

const USE = { id: 'mine', account: 'lab', name: 'm-1', file: '/sweep.yaml', line: 4 };
const LAB = 'accounts:\n  lab: { protocol: openai, baseUrl: "https://lab.test/v1", keyEnv: LAB_KEY';

describe('operatorAccounts', () => {
  let folder: TestFolder;
  let file: string;
  beforeEach(() => {
    folder = newFolder();
    file = join(folder.path, 'providers.yaml');
  });
  afterEach(() => folder.remove());

  function check(
    text: string | undefined,
    options: { mode?: number; key?: string; temporalAddress?: string; store?: string } = {},
  ) {
    if (text !== undefined) {
      folder.write('providers.yaml', text);
      chmodSync(file, options.mode ?? 0o600);
    }
    const { temporalAddress, store = 'file:/s', key } = options;
    const settings = { providersFile: file, store, temporalAddress };
    const found = operatorAccounts(settings, { LAB_KEY: key }).checkAccounts([USE]);
    const print = (list: typeof found.faults) =>
      list.map((fault) => printFault(fault).replaceAll(`${folder.path}/`, ''));
    return { faults: print(found.faults), warnings: print(found.warnings) };
  }

  it('has nothing to say of an account that serves the model', () => {
    expect(check(`${LAB} }`, { key: 'k' })).toEqual({ faults: [], warnings: [] });
  });

  it('says every fault at once, with its place', () => {
    const { faults } = check(`${LAB}, models: [m-2] }`, { mode: 0o644 });
    expect(faults).toEqual([
      expect.stringMatching(/^providers\.yaml: others may read it \(mode 0644\)/u),
      expect.stringMatching(/^providers\.yaml:2: .*LAB_KEY \(keyEnv\) is not set/u),
      '/sweep.yaml:4: model mine: account lab of providers.yaml does not list m-1 under models; it lists: m-2; did you mean m-2?',
    ]);
  });

  it('misses no key of an account that the sweep does not use', () => {
    const moon =
      '\n  moon: { protocol: openai, baseUrl: "https://moon.test/v1", keyEnv: MOON_KEY }';
    expect(check(`${LAB} }${moon}`, { key: 'k' }).faults).toEqual([]);
    expect(check(`${LAB} }${moon}`).faults).toEqual([expect.stringContaining('LAB_KEY')]);
  });

  it('says where prices are misspelt', () => {
    const prices = '{ m-1: { inputUsdPerMilion: 1, outputUsdPerMillion: 2 } }';
    expect(check(`${LAB}, prices: ${prices} }`, { key: 'k' }).faults).toEqual([
      expect.stringContaining('inputUsdPerMillion: is missing'),
      expect.stringContaining('inputUsdPerMilion: unknown field'),
    ]);
  });

  it('refuses a private address that the account does not allow', () => {
    const local = LAB.replace('https://lab.test/v1', 'http://127.0.0.1:9471/v1');
    expect(check(`${local} }`, { key: 'k' }).faults).toEqual([
      '/sweep.yaml:4: model mine: account lab of providers.yaml is at the private address 127.0.0.1: ' +
        'set allowPrivateAddresses: true there if that is meant',
    ]);
    expect(check(`${local}, allowPrivateAddresses: true }`, { key: 'k' }).faults).toEqual([]);
  });

  it('names the accounts there are', () => {
    const other = LAB.replace('lab:', 'moon:');
    expect(check(`${other} }`, { key: 'k' }).faults).toEqual([
      '/sweep.yaml:4: model mine: there is no account lab in providers.yaml; there are: moon',
    ]);
  });

  it('says what was likely meant, and of which models nothing else can be known', () => {
    const near = LAB.replace('lab:', 'labs:');
    expect(check(`${near} }`, { key: 'k' }).faults).toEqual([
      expect.stringMatching(
        /there is no account lab in .*; there are: labs; did you mean labs\?$/u,
      ),
    ]);
    const settings = { providersFile: file, store: 'file:/s', temporalAddress: undefined };
    const unserved = (text: string | undefined, name = 'm-1') => {
      if (text === undefined) rmSync(file);
      else folder.write('providers.yaml', text);
      const { checkAccounts } = operatorAccounts(settings, { LAB_KEY: 'k' });
      return checkAccounts([{ ...USE, name }]).unserved;
    };
    expect(unserved(`${near} }`)).toEqual(['mine']);
    expect(unserved(`${LAB}, models: [m-1] }`)).toEqual([]);
    expect(unserved(`${LAB}, models: [m-1] }`, 'm-2')).toEqual(['mine']);
    expect(unserved('accounts: [')).toEqual(['mine']);
    expect(unserved(undefined)).toEqual(['mine']);
  });

  it('refuses a missing file where workers are local, and says so where they are not', () => {
    expect(check(undefined).faults).toEqual([
      expect.stringContaining('providers.yaml: is missing'),
    ]);
    for (const remote of [{ temporalAddress: 'far:7233' }, { store: 's3://bucket' }])
      expect(check(undefined, remote)).toEqual({
        faults: [],
        warnings: [expect.stringContaining('accounts (lab) were not checked here')],
      });
  });

  it('leaves keys to remote workers', () => {
    expect(check(`${LAB} }`, { temporalAddress: 'far:7233' }).faults).toEqual([]);
  });
});
