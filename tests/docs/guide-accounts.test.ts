import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ACCOUNT_PRESETS } from '../../config/account-presets';
import { MODEL_CATALOG } from '../../config/catalog';
import { checkProviders } from '../../config/providers';
import { type Account } from '../../core/account';

/** The accounts of every `providers.yaml` that a guide shows. */
function accountsOf(guide: string): Account[] {
  const text = readFileSync(join(__dirname, '../../docs/guides', guide), 'utf8');
  const blocks = [...text.matchAll(/^( *)```yaml\n([\s\S]*?)^ *```/gmu)]
    .map(([, indent = '', body = '']) => body.replaceAll(new RegExp(`^${indent}`, 'gmu'), ''))
    .filter((body) => body.startsWith('accounts:'));
  const folder = mkdtempSync(join(tmpdir(), 'guide-'));
  try {
    return blocks.flatMap((body) => {
      const file = join(folder, 'providers.yaml');
      writeFileSync(file, body);
      chmodSync(file, 0o600);
      const { accounts, faults } = checkProviders({ file, environment: {}, keys: false });
      expect(faults).toEqual([]);
      return [...accounts];
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe('accounts in the guides', () => {
  it('are those that account add writes, for every vendor of the catalog', () => {
    const accounts = accountsOf('vendors.md');
    const known = new Set(MODEL_CATALOG.map(({ account }) => account));
    expect(accounts.map(({ name }) => name).sort()).toEqual([...known].sort());
    for (const { name, protocol, baseUrl } of accounts)
      expect(ACCOUNT_PRESETS[name]).toMatchObject({ protocol, baseUrl });
  });

  it('state prices for names that the catalog’s models have at their providers', () => {
    for (const account of accountsOf('vendors.md'))
      for (const name of Object.keys(account.prices))
        expect(MODEL_CATALOG.find((entry) => entry.name === name)?.account).toBe(account.name);
  });

  it.each(['local-models.md', 'add-a-model.md'])('of %s can be read', (guide) => {
    expect(accountsOf(guide).length).toBeGreaterThan(0);
  });

  it('name every model of the catalog', () => {
    const text = readFileSync(join(__dirname, '../../docs/guides/vendors.md'), 'utf8');
    for (const { id } of MODEL_CATALOG) expect(text).toContain(`\`${id}\``);
  });
});
