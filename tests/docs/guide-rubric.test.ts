import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { type z } from 'zod';
import { CHECK_FIELDS, checkSchema, EXISTENCE_CHECKS } from '../../config/check-schema';
import { MAX_EXISTENCE_SHARE, MAX_ITEMS, MIN_ITEMS, parseRubric } from '../../config/rubric-file';
import { ARTIFACT_FORMATS } from '../../core/evidence-view';
import { DIMENSIONS, LEVEL_WEIGHTS } from '../../core/rubric';
import { DOMAINS, OUTPUT_FORMATS } from '../../core/task';

const GUIDE = readFileSync(join(__dirname, '../../docs/guides/add-a-task.md'), 'utf8');

/** Cells of the rows below the table whose header line begins so. */
function table(header: string): string[][] {
  const lines = GUIDE.split('\n');
  const first = lines.findIndex((line) => line.startsWith(header));
  expect(first).toBeGreaterThan(0);
  const rest = lines.slice(first + 2);
  const end = rest.findIndex((line) => !line.startsWith('|'));
  return rest.slice(0, end).map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

function coded(text: string | undefined): string[] {
  return [...(text ?? '').matchAll(/`([^`]+)`/gu)].map(([, name = '']) => name);
}

const CHECKS = table('| check |');
const isOptional = (schema: z.ZodType): boolean => schema.safeParse(undefined).success;
const fieldsOf = (shape: object) => Object.entries(shape) as (readonly [string, z.ZodType])[];

describe('the guide to rubrics', () => {
  it('names every check with every field, and no others', () => {
    const named = CHECKS.map(([kind, fields]) => [coded(kind)[0], coded(fields).sort()]);
    const known = Object.entries(CHECK_FIELDS).map(([kind, fields]) => [
      kind,
      fieldsOf(fields)
        .map(([field, schema]) => (isOptional(schema) ? `${field}?` : field))
        .sort(),
    ]);
    expect(Object.fromEntries(named)).toEqual(Object.fromEntries(known));
    expect(named).toHaveLength(known.length);
  });

  it('says of every field what it holds', () => {
    const explained = GUIDE.slice(GUIDE.indexOf('### Checks')).split('\n| field | |')[1] ?? '';
    const names = explained
      .split('\n')
      .filter((line) => line.startsWith('| `'))
      .flatMap((line) => coded(line.split('|')[1]));
    const fields = Object.values(CHECK_FIELDS).flatMap((shape) => Object.keys(shape));
    expect(names.sort()).toEqual([...new Set(fields)].sort());
  });

  it.each(CHECKS.map(([kind, , , example]) => [coded(kind)[0], coded(example)[0]]))(
    'has an example of %s that can be used',
    (kind, example) => {
      const parsed = checkSchema.safeParse(parse(example ?? ''));
      expect(parsed.error?.issues).toBeUndefined();
      expect(parsed.data?.kind).toBe(kind);
    },
  );

  it('has every place that values-agree may compare', () => {
    const sources = coded(GUIDE.split('\n').find((line) => line.startsWith('| `left`')))
      .filter((text) => text.startsWith('{'))
      .map((text) =>
        coded(`\`${text.slice(1, -1)}\``)[0]
          ?.split(',')
          .map((field) => field.trim()),
      );
    expect(sources).toEqual([
      ['file', 'sheet?', 'cell'],
      ['file', 'sheet?', 'sumColumn'],
      ['file', 'pattern'],
    ]);
    const values = { file: 'a.xlsx', cell: 'B7', sumColumn: 'Value', pattern: 'x' } as const;
    for (const source of sources) {
      const names = (source ?? []).filter((name) => !name.endsWith('?')) as (keyof typeof values)[];
      const side = Object.fromEntries(names.map((name) => [name, values[name]]));
      expect(checkSchema.safeParse({ kind: 'values-agree', left: side, right: side }).success).toBe(
        true,
      );
    }
  });

  it('names every dimension, level, domain, format and check of mere existence', () => {
    expect(table('| dimension |').map(([name]) => coded(name)[0])).toEqual([...DIMENSIONS]);
    const line = (start: string): string =>
      GUIDE.split('\n').find((each) => each.startsWith(start)) ?? '';
    for (const [level, weight] of Object.entries(LEVEL_WEIGHTS))
      expect(line('| `weight`')).toContain(`\`${level}\` (${weight})`);
    expect(coded(line('| `domain`')).slice(1)).toEqual([...DOMAINS]);
    expect(coded(line('| `format`')).slice(1)).toEqual([...ARTIFACT_FORMATS]);
    const outputs = coded(line('| `outputs`')).filter((name) => /^[a-z]+$/u.test(name));
    expect(new Set(outputs)).toEqual(new Set(['outputs', 'format', 'path', ...OUTPUT_FORMATS]));
    const rule = line('- 15 to 30 items.');
    expect(rule).toContain(`${MIN_ITEMS} to 30 items`);
    expect(rule).toContain(`At most ${MAX_EXISTENCE_SHARE * 100} %`);
    expect(coded(/\((.*?)\)/u.exec(rule)?.[1])).toEqual([...EXISTENCE_CHECKS]);
  });

  it('says the limits that hold', () => {
    const rubric = (items: number, text: string, weight: number): boolean => {
      const item = (at: number) =>
        `- { id: i${at}, text: "${text}${at}", weight: ${weight}, dimension: domain-compliance }`;
      const lines = Array.from({ length: items }, (_, at) => item(at));
      return parseRubric('rubric.yaml', lines.join('\n'), []).faults.length === 0;
    };
    expect(GUIDE).toContain(`A rubric has 1 to ${MAX_ITEMS} items`);
    expect([rubric(MAX_ITEMS, 'x', 1), rubric(MAX_ITEMS + 1, 'x', 1)]).toEqual([true, false]);
    expect(GUIDE).toContain('10,000 characters at most; once in a rubric');
    expect([rubric(1, 'x'.repeat(9_999), 1), rubric(1, 'x'.repeat(10_000), 1)]).toEqual([
      ...[true, false],
    ]);
    expect(GUIDE).toContain('a number from 0.000001 to 1,000,000');
    expect([0.000_001, 1_000_000, 0.000_000_9, 1_000_001].map((it) => rubric(1, 'x', it))).toEqual([
      ...[true, true, false, false],
    ]);
  });
});
