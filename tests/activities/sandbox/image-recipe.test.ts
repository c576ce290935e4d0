import { cpSync, mkdtempSync, rmSync, symlinkSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  IMAGE_NAMES,
  IMAGES,
  type ImageName,
  imageIngredients,
  imageRecipe,
  imageTag,
  OPTIONAL_IMAGE_NAMES,
  projectRoot,
} from '../../../activities/sandbox/image-recipe';
import { writeImageProject, writeProjectFile as write } from '../../support/image-project';

describe('imageRecipe', () => {
  let root: string;
  const recipes = () =>
    Object.fromEntries(IMAGE_NAMES.map((name) => [name, imageRecipe(name, root)])) as Record<
      ImageName,
      string
    >;
  /** Names of the images whose recipe the edit changes. */
  const changedBy = (edit: () => void): ImageName[] => {
    const before = recipes();
    edit();
    const after = recipes();
    return IMAGE_NAMES.filter((name) => before[name] !== after[name]);
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'startupbench-recipe-'));
    writeImageProject(root);
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('differs between images, also where their files are alike', () => {
    expect(new Set(Object.values(recipes())).size).toBe(IMAGE_NAMES.length);
  });

  it('is the same in another folder and after files are touched', () => {
    const copy = mkdtempSync(join(tmpdir(), 'startupbench-recipe-'));
    cpSync(root, copy, { recursive: true });
    utimesSync(join(copy, 'docker/base/Dockerfile'), 1, 1);
    expect(imageRecipe('nanobot', copy)).toBe(imageRecipe('nanobot', root));
    rmSync(copy, { recursive: true });
  });

  it.each<[string, string, ImageName[]]>([
    ['a font rule reaches every image', 'docker/base/fonts.conf', [...IMAGE_NAMES]],
    [
      'a Python pin reaches the images with Python',
      'docker/python/requirements.txt',
      ['python', 'agent', 'inspector', 'nanobot', 'nanobot-paper', 'hermes', 'claude-code'],
    ],
    [
      'the supervisor reaches every sandbox but no judge',
      'docker/agent/supervisor.py',
      ['agent', 'nanobot', 'nanobot-paper', 'hermes', 'claude-code'],
    ],
    ['the runner reaches its harness alone', 'docker/nanobot/runner.py', ['nanobot']],
    [
      'another release of a harness leaves the one beside it as it is',
      'docker/nanobot-paper/requirements.txt',
      ['nanobot-paper'],
    ],
    [
      'a pinned program reaches the image that carries it',
      'docker/claude-code/program.json',
      ['claude-code'],
    ],
    ['a Dockerfile reaches its own image', 'docker/inspector/Dockerfile', ['inspector']],
    [
      'a new file reaches the image whose folder has it',
      'docker/agent/new.py',
      ['agent', 'nanobot', 'nanobot-paper', 'hermes', 'claude-code'],
    ],
    ['bundled source reaches the renderer', 'activities/evidence/read.ts', ['renderer']],
    [
      'source that the bundle does not reach changes nothing',
      'activities/evidence/unrelated.ts',
      [],
    ],
    ['what tools leave behind changes nothing', 'docker/agent/__pycache__/supervisor.pyc', []],
  ])('%s', (_title, path, expected) => {
    expect(changedBy(() => write(root, path, 'changed'))).toEqual(expected);
  });

  it.each<[string, string, ImageName[]]>([
    ['a package that a bundled package needs', 'colour', ['renderer']],
    ['a package that no bundle needs', 'pino', []],
  ])('covers %s', (_title, name, expected) => {
    const lock = {
      'node_modules/sharp': { version: '1.0.0', integrity: 'a', dependencies: { colour: '1' } },
    };
    const other = { 'node_modules/colour': { version: '1.0.0', integrity: 'b' } };
    expect(
      changedBy(() =>
        write(
          root,
          'package-lock.json',
          JSON.stringify({
            packages: {
              ...lock,
              ...other,
              [`node_modules/${name}`]: { version: '2.0.0', integrity: 'd' },
            },
          }),
        ),
      ),
    ).toEqual(expected);
  });

  it('refuses a link among the copied files', () => {
    // A link's target would be copied on one host and missing on another.
    symlinkSync('/etc/passwd', join(root, 'docker/agent/link.py'));
    expect(() => imageRecipe('agent', root)).toThrow(
      'docker/agent/link.py is neither a file nor a folder: images copy only those',
    );
  });

  it('says where a bundled import is missing', () => {
    write(root, 'activities/evidence/read.ts', "import { gone } from './gone';\n");
    expect(() => imageRecipe('renderer', root)).toThrow(
      'activities/evidence/read.ts imports ./gone, which does not exist',
    );
  });
});

describe('imageTag', () => {
  it('is the first 16 hex digits of the recipe', () => {
    expect(imageTag('agent')).toBe(`startupbench/agent:${imageRecipe('agent').slice(0, 16)}`);
    expect(imageTag('agent')).toMatch(/^startupbench\/agent:[0-9a-f]{16}$/u);
  });
});

describe('this project', () => {
  it('lists every parent before its children', () => {
    for (const [index, name] of IMAGE_NAMES.entries()) {
      const { parent } = IMAGES[name];
      if (parent !== null) expect(IMAGE_NAMES.slice(0, index)).toContain(parent);
    }
  });

  it('needs no optional image for another one', () => {
    for (const name of IMAGE_NAMES) {
      const { parent } = IMAGES[name];
      if (parent !== null) expect(OPTIONAL_IMAGE_NAMES).not.toContain(parent);
    }
  });

  it('copies only what Dockerfiles of that image can name', () => {
    expect(imageIngredients('nanobot', projectRoot()).contextFiles).toEqual(
      expect.arrayContaining([
        'docker/agent/supervisor.py',
        'docker/nanobot/requirements.txt',
        'docker/nanobot/runner.py',
      ]),
    );
  });
});
