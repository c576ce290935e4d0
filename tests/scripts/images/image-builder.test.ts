import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { imageRecipe, imageTag } from '../../../activities/sandbox/image-recipe';
import { type DockerClient } from '../../../scripts/images/docker-client';
import { ImageBuilder } from '../../../scripts/images/image-builder';
import { writeImageProject, writeProjectFile } from '../../support/image-project';

/** A daemon in memory: tags by recipe, and the arguments of every build. */
class FakeDocker implements DockerClient {
  readonly recipes = new Map<string, string>();
  readonly builds: (readonly string[])[] = [];
  readonly pulled: string[] = [];
  /** What the registry has. */
  readonly published = new Set<string>();
  /** Runs in the middle of each build. */
  duringBuild: () => void = () => undefined;

  architecture = async () => 'amd64';
  imageSizeMb = async () => 1;
  hasImage = async (tag: string, recipe: string) => this.recipes.get(tag) === recipe;
  pull = async (reference: string) => {
    this.pulled.push(reference);
    return this.published.has(reference);
  };
  tag = async (image: string, tag: string) => {
    this.recipes.set(tag, image);
  };
  build = async (args: readonly string[]) => {
    this.builds.push(args);
    this.duringBuild();
    writeFileSync(args[args.indexOf('--iidfile') + 1]!, 'sha256:built');
  };
}

describe('ImageBuilder', () => {
  let root: string;
  let docker: FakeDocker;
  const builder = (registry?: string) =>
    new ImageBuilder({ docker, root, dataFolder: join(root, 'data'), registry });
  const script = (path: string, content: string) => {
    writeProjectFile(root, path, `#!/bin/sh\n${content}\n`);
    chmodSync(join(root, path), 0o755);
  };

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'startupbench-images-'));
    writeImageProject(root);
    writeProjectFile(root, 'data/.keep', '');
    script('docker/base/debian-image.sh', 'echo debian:test');
    script('docker/hostcfg.sh', 'echo packed >"$1"');
    docker = new FakeDocker();
  });
  afterEach(() => rmSync(root, { recursive: true }));

  it('builds parents first, each image once, and gives every one its recipe as label', async () => {
    const images = builder();
    await Promise.all([images.ensure('agent'), images.ensure('inspector')]);
    expect(docker.builds.map((args) => args[args.indexOf('--build-arg') + 1])).toEqual([
      'PARENT=debian:test',
      `PARENT=${imageTag('base', root)}`,
      `PARENT=${imageTag('python', root)}`,
      `PARENT=${imageTag('python', root)}`,
    ]);
    expect(docker.builds[0]).toContain(`startupbench.recipe=${imageRecipe('base', root)}`);
    expect([...docker.recipes.keys()].sort()).toEqual(
      (['agent', 'base', 'inspector', 'python'] as const).map((name) => imageTag(name, root)),
    );
  });

  it('builds nothing below an image that is there', async () => {
    docker.recipes.set(imageTag('agent', root), imageRecipe('agent', root));
    expect(await builder().ensure('agent')).toMatchObject({ how: 'present' });
    expect(docker.builds).toEqual([]);
  });

  it('builds again what somebody tagged by hand', async () => {
    docker.recipes.set(imageTag('base', root), 'of another image');
    expect(await builder().ensure('base')).toMatchObject({ how: 'built' });
  });

  it('prefers a published image, by its whole recipe', async () => {
    const reference = `registry.example/startupbench/agent:${imageRecipe('agent', root)}`;
    docker.published.add(reference);
    expect(await builder('registry.example').ensure('agent')).toMatchObject({ how: 'pulled' });
    expect(docker.recipes.get(imageTag('agent', root))).toBe(reference);
    expect(docker.builds).toEqual([]);
  });

  it('builds where the registry has no such image', async () => {
    expect(await builder('registry.example').ensure('base')).toMatchObject({ how: 'built' });
    expect(docker.pulled).toEqual([
      `registry.example/startupbench/base:${imageRecipe('base', root)}`,
    ]);
  });

  it('gives no tag when a file changes in mid-build', async () => {
    docker.duringBuild = () => writeProjectFile(root, 'docker/base/fonts.conf', 'edited');
    await expect(builder().ensure('base')).rejects.toThrow(
      'files of the image base changed while it was built; build it again',
    );
    expect(docker.recipes.size).toBe(0);
  });

  it('stages what the recipe covers and nothing else', async () => {
    writeProjectFile(root, 'docker/agent/__pycache__/supervisor.pyc', 'left behind');
    let staged: string[] = [];
    docker.duringBuild = () => {
      staged = readdirSync(docker.builds.at(-1)!.at(-1)!, { recursive: true }) as string[];
    };
    await builder().ensure('agent');
    expect(staged.sort()).toEqual(['agent', 'agent/supervisor.py']);
  });

  it('leaves no scratch files, least of all the packed package-manager set-up', async () => {
    const images = builder();
    let secret = '';
    docker.duringBuild = () => {
      secret = /src=(.*)/u.exec(docker.builds[0]!.join(' ').split(' --build-arg')[0]!)![1]!;
      expect(existsSync(secret)).toBe(true);
    };
    await images.ensure('base');
    images.close();
    expect(existsSync(secret)).toBe(false);
    expect(readdirSync(join(root, 'data'))).toEqual(['.keep']);
  });
});
