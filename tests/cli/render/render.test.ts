import { escapeBlock, escapeText } from '../../../cli/render/escape';
import { type AttemptRecord } from '../../../core/run';
import { providerMark } from '../../../core/provider-mark';
import { attemptLines, itemLines, networkLines } from '../../../cli/render/run';
import { renderTable } from '../../../cli/render/table';
import {
  displayWidth,
  fitMiddle,
  fitWidth,
  terminalWidth,
  wrapWords,
} from '../../../cli/render/width';

const ESCAPE = '\u001b';

describe('escapeText', () => {
  it.each([
    ['plain 文本 é', 'plain 文本 é'],
    [`${ESCAPE}[31mred${ESCAPE}[0m`, '\\u{1b}[31mred\\u{1b}[0m'],
    ['two\nlines\r', 'two\\u{a}lines\\u{d}'],
    ['\u202egnp.exe', '\\u{202e}gnp.exe'],
    ['zero\u200bwidth', 'zero\\u{200b}width'],
    ['\u009b31m', '\\u{9b}31m'],
    ['lone \ud800', 'lone \\u{d800}'],
    ['\u{e0041}', '\\u{e0041}'],
  ])('shows %j as %j', (given, shown) => {
    expect(escapeText(given)).toBe(shown);
  });

  it('keeps line breaks and tabs of a block, and nothing else', () => {
    expect(escapeBlock(`a\tb\r\nc${ESCAPE}]8;;x${ESCAPE}\\`)).toBe(
      'a    b\nc\\u{1b}]8;;x\\u{1b}\\',
    );
  });
});

describe('renderTable', () => {
  it('aligns columns, with East Asian characters two columns wide', () => {
    expect(displayWidth('门诊 a\u0301')).toBe(6);
    expect(
      renderTable(
        ['name', 'n'],
        [
          ['门诊', '7'],
          ['long name', '100'],
        ],
        { right: (column) => column === 1 },
      ),
    ).toBe(['name         n', '门诊         7', 'long name  100'].join('\n'));
  });

  it('lets no cell break out of its line', () => {
    expect(renderTable(['a'], [[`x\n${ESCAPE}[2Jy`]]).split('\n')).toHaveLength(2);
  });

  it('cuts long cells', () => {
    expect(fitWidth('abcdefgh', 6)).toBe('abc...');
    expect(fitWidth('门诊月报表', 8)).toBe('门诊...');
    expect(fitWidth('short', 6)).toBe('short');
    expect(fitMiddle('replay-strong@nanobot (replayed)', 26)).toBe('repla...nanobot (replayed)');
    expect(displayWidth(fitMiddle('门诊月报表门诊月报表', 11))).toBeLessThanOrEqual(11);
  });

  const COLUMNS = ['Lane', 'Mean score %', 'Success % of planned', 'why'];
  const ROWS = [
    ['replay-strong@nanobot (replayed)', '97.10 [90.1, 99.9]', '75.0', 'a long reason '.repeat(9)],
    ['other@hermes', '1.00', '2.0', 'short'],
  ];
  const right = (column: number): boolean => column === 1 || column === 2;

  it.each([40, 60, 80, 100, 140])('never wraps on a terminal of %d columns', (width) => {
    const text = renderTable(COLUMNS, ROWS, { right, width });
    for (const line of text.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    // Figures and marks are whole in each.
    expect(text).toContain('97.10 [90.1, 99.9]');
    expect(text).toMatch(/\(replayed\)/u);
    for (const column of COLUMNS) expect(text).toContain(column);
  });

  it('repeats the first column where the others go into further blocks', () => {
    const blocks = renderTable(COLUMNS, ROWS, { right, width: 50 }).split('\n\n');
    expect(blocks.length).toBeGreaterThan(1);
    for (const block of blocks) expect(block).toContain('other@hermes');
  });

  it.each([60, 80, 100])('tells the rows apart by their names on %d columns', (width) => {
    const names = ['strong', 'weak'].flatMap((lane) =>
      ['contract-memo', 'loyalty-levels'].map((task) => `replay-${lane}@nanobot/${task}/r1`),
    );
    const rows = names.map((name) => [
      `${name} (replayed)`,
      '96.34',
      '75.0',
      'a long reason '.repeat(9),
    ]);
    for (const block of renderTable(COLUMNS, rows, { right, width }).split('\n\n')) {
      const lines = block.split('\n');
      for (const line of lines) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      const first = lines.slice(1).map((line) => line.split('(replayed)')[0]);
      expect(new Set(first).size).toBe(names.length);
    }
  });

  it.each([40, 44, 52])('has no two rows under one name on %d columns', (width) => {
    const lanes = ['sim-model-strong', 'sim-model-weaker'].map(
      (model) => `${model}@simulated (simulated)`,
    );
    const rows = lanes.map((lane) => [lane, '73.33 [44.6, 100.0]', '0.0', 'a reason']);
    for (const block of renderTable(COLUMNS, rows, { right, width }).split('\n\n')) {
      for (const line of block.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
      const cells = block.split('\n').map((line) => line.split(/ {2,}/u)[0]);
      const named = cells.join('');
      expect(named.indexOf('strong')).toBeGreaterThan(0);
      expect(named.indexOf('weaker')).toBeGreaterThan(named.indexOf('strong'));
    }
  });

  it('shortens a name in one way in all blocks', () => {
    const columns = [...COLUMNS, 'a further column of text'];
    const rows = ROWS.map((row) => [...row, 'some more of it']);
    const blocks = renderTable(columns, rows, { right, width: 52 }).split('\n\n');
    expect(blocks.length).toBeGreaterThan(1);
    expect(new Set(blocks.map((block) => block.split('\n')[1]?.split('  ')[0])).size).toBe(1);
  });

  it.each([40, 70, 100])('cuts no word of a column that goes on below, on %d columns', (width) => {
    const why = '16 of 21 items unmet: layout-of-the-table, name-of-the-month, 部门没有合并';
    const rows = [['replay-weak@nanobot/clinic-report/r1 (replayed)', '1.00', '2.0', why]];
    const wrap = (column: number): boolean => column === 3;
    const last = renderTable(COLUMNS, rows, { right, wrap, width }).split('\n\n').at(-1) ?? '';
    for (const line of last.split('\n')) expect(displayWidth(line)).toBeLessThanOrEqual(width);
    for (const word of why.split(' ')) expect(last).toContain(word);
    // What goes on below stands under its own column alone.
    const below = last.split('\n').slice(2);
    expect(below.length).toBeGreaterThan(0);
    for (const line of below) expect(line).toMatch(/^ {18,}/u);
  });

  it('is whole where it goes into a file or a pipe', () => {
    expect(terminalWidth({})).toBeUndefined();
    expect(terminalWidth({ isTTY: true, columns: 0 })).toBeUndefined();
    expect(terminalWidth({ isTTY: true, columns: 80 })).toBe(80);
    expect(renderTable(COLUMNS, ROWS, { right })).toContain('a long reason '.repeat(9).trim());
  });
});

describe('wrapWords', () => {
  it('breaks between words, and within one that is longer than a line', () => {
    expect(wrapWords('one two three', 7)).toEqual(['one two', 'three']);
    expect(wrapWords('abcdefgh ij', 3)).toEqual(['abc', 'def', 'gh', 'ij']);
    expect(wrapWords('部门没有', 5)).toEqual(['部门', '没有']);
    expect(wrapWords('部门', 1)).toEqual(['部', '门']);
    expect(wrapWords('short', 7)).toEqual(['short']);
  });
});

describe('attemptLines', () => {
  const traffic = {
    steps: 3,
    modelRequests: 4,
    auxiliaryRequests: 1,
    upstreamCalls: 4,
    toolCalls: 3,
    usage: { inputTokens: 9, cachedInputTokens: 0, cacheWriteTokens: 0, outputTokens: 1 },
    costMicroUsd: 0,
    incomplete: false,
  };
  const lines = (refused?: number) => {
    const counted = refused === undefined ? traffic : { ...traffic, refusedRequests: refused };
    const record: AttemptRecord = {
      v: 1,
      runKey: 'key',
      generation: 1,
      attempt: 1,
      hostId: 'here',
      outcome: 'ended',
      stopReason: 'step_cap',
      recordedAt: '2026-01-01T00:01:00.000Z',
      traffic: counted,
      logs: [],
      alteredInputs: [],
      pollution: [],
    };
    return attemptLines({ attempt: 1, record, counts: true }).join('\n');
  };

  it('says what was refused at a limit, and nothing where nothing was or an old record does not know', () => {
    expect(lines(2)).toContain('3 steps; 4 model requests; 2 refused; 9 tokens in');
    expect(lines(0)).toContain('4 model requests; 9 tokens in');
    expect(lines()).toContain('4 model requests; 9 tokens in');
  });
});

describe('networkLines', () => {
  it('says what was tried past the one way out, escaped, and nothing where nothing was', () => {
    expect(networkLines({ refusedConnections: 0, namesAsked: [] })).toEqual([]);
    const namesAsked = [
      { name: `evil${ESCAPE}[2J.example`, count: 1 },
      { name: 'pypi.example', count: 3 },
    ];
    const [line, ...others] = networkLines({ refusedConnections: 1, namesAsked });
    expect(others).toEqual([]);
    expect(line).toContain('refused on the network: 1 connection; names asked for: evil');
    expect(line).toContain('pypi.example (3 times)');
    expect(line).not.toContain(ESCAPE);
  });
});

describe('itemLines', () => {
  it('shows verdict, reason, citation and what a repair turned round, all escaped', () => {
    const lines = itemLines({
      id: 'total',
      text: 'The total is right.',
      weight: 5,
      level: 'core',
      dimension: 'calculation-precision',
      outcome: 'met',
      source: 'judge',
      justification: `Yes.\nSee ${ESCAPE}[8m`,
      citations: [
        { locator: 'results/a.csv#lines=1-1', quote: '42', text: 'total,42' },
        { locator: 'results/a.csv#lines=2-2', quote: undefined, text: undefined },
      ],
      searched: [{ artifact: 'results/a.csv', query: 'error' }],
      firstSubmission: { met: false, refusedBecause: ['the quote is not there'] },
      reason: undefined,
      turns: 2,
      costMicroUsd: 2_100,
      checkUndecided: 'results/a.csv has no sheet',
    });
    expect(lines).toEqual([
      '[met] total (core, calculation-precision, by judge, 2 turns, $0.0021)',
      '  The total is right.',
      '  > Yes.',
      '  > See \\u{1b}[8m',
      '  its check did not decide: results/a.csv has no sheet',
      '  at results/a.csv#lines=1-1: "42"',
      '     | total,42',
      '  at results/a.csv#lines=2-2',
      '     (that place cannot be read any more)',
      '  searched results/a.csv for "error"',
      '  first said unmet, refused: the quote is not there',
    ]);
  });
});

describe('providerMark', () => {
  it('marks what no model gave', () => {
    expect(['replay', 'simulated', 'openai', undefined].map(providerMark)).toEqual([
      ' (replayed)',
      ' (simulated)',
      '',
      '',
    ]);
  });
});
