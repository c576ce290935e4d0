import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { sourceClosure } from '../../../activities/sandbox/source-closure';

describe('sourceClosure', () => {
  let root: string;
  const write = (path: string, content: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), content);
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'startupbench-closure-'));
    write('core/target.ts', 'export const target = 1;\n');
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it.each([
    ['a named import', "import { target } from '../core/target';"],
    [
      'an import over several lines',
      "import {\n  target,\n  type Other,\n} from '../core/target';",
    ],
    ['a namespace import', "import * as all from '../core/target';"],
    ['an import for its effect', "import '../core/target';"],
    ['a re-export', "export { target } from '../core/target';"],
    ['a re-export of everything', "export * from '../core/target';"],
    ['an import at run time', "const all = await import('../core/target');"],
    ['a require', "const all = require('../core/target');"],
    ['an import named like the keyword', "import types from '../core/target';"],
  ])('follows %s', (_title, source) => {
    write('activities/main.ts', `const first = 1;\n${source}\n`);
    expect(sourceClosure(root, 'activities/main.ts').files).toEqual([
      'activities/main.ts',
      'core/target.ts',
    ]);
  });

  it.each([
    ['an erased import', "import type { Target } from '../core/target';"],
    ['an erased re-export', "export type { Target } from '../core/target';"],
  ])('leaves out %s', (_title, source) => {
    write('activities/main.ts', `${source}\n`);
    expect(sourceClosure(root, 'activities/main.ts').files).toEqual(['activities/main.ts']);
  });

  it('goes round in circles once and finds index files', () => {
    write('a/index.ts', "import '../b';\n");
    write('b.ts', "import './a';\nimport './data.json';\n");
    write('data.json', '{}');
    expect(sourceClosure(root, 'b.ts').files).toEqual(['a/index.ts', 'b.ts', 'data.json']);
  });

  it('names packages without the path inside them, and none of Node', () => {
    write(
      'main.ts',
      "import fs from 'fs';\nimport { join } from 'node:path';\nimport sharp from 'sharp';\nimport x from '@scope/pkg/deep/file';\nimport y from 'yauzl/lib';\n",
    );
    expect(sourceClosure(root, 'main.ts').packages).toEqual(['@scope/pkg', 'sharp', 'yauzl']);
  });
});
