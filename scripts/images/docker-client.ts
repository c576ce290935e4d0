import { type CommandOptions, command, tryCommand } from './command';

/** Label that every image of ours has; its value is the whole recipe. */
export const RECIPE_LABEL = 'startupbench.recipe';

const BUILDKIT = { DOCKER_BUILDKIT: '1' };

/** The `docker` program, as far as building images needs it. */
export interface DockerClient {
  /** Architecture of the daemon in Docker's words: `amd64`, `arm64`. */
  architecture(): Promise<string>;
  /** Whether the tag names an image of that recipe; one that somebody tagged by hand does not count. */
  hasImage(tag: string, recipe: string): Promise<boolean>;
  /** Megabytes (10^6 bytes), parents included. */
  imageSizeMb(tag: string): Promise<number>;
  /** False when the registry cannot be reached or has no such image. */
  pull(reference: string): Promise<boolean>;
  tag(image: string, tag: string): Promise<void>;
  build(args: readonly string[], logFile: string): Promise<void>;
}

/**
 * The first client that can hand a secret to a build: the one on PATH may lack BuildKit while the system's
 * own has it. Throws when there is none.
 */
export async function findDockerClient(): Promise<DockerClient> {
  for (const program of ['docker', '/usr/bin/docker', '/usr/local/bin/docker']) {
    const help = await tryCommand(program, ['build', '--help'], { environment: BUILDKIT });
    if (help.stdout.includes('--secret')) return dockerClient(program);
  }
  throw new Error(
    'no docker client here can build with secrets; install docker.io (Debian) or the docker-buildx plugin',
  );
}

function dockerClient(program: string): DockerClient {
  const docker = (args: readonly string[], options?: CommandOptions) =>
    command(program, args, options);
  const inspect = (tag: string, format: string) =>
    tryCommand(program, ['image', 'inspect', '--format', format, tag]);
  return {
    architecture: () => docker(['version', '--format', '{{.Server.Arch}}']),
    hasImage: async (tag, recipe) =>
      (await inspect(tag, `{{index .Config.Labels "${RECIPE_LABEL}"}}`)).stdout.trim() === recipe,
    imageSizeMb: async (tag) => Math.round(Number((await inspect(tag, '{{.Size}}')).stdout) / 1e6),
    pull: async (reference) =>
      (await tryCommand(program, ['pull', '--quiet', reference])).exitCode === 0,
    tag: async (image, tag) => {
      await docker(['tag', image, tag]);
    },
    build: async (args, logFile) => {
      await docker(['build', '--progress', 'plain', ...args], { environment: BUILDKIT, logFile });
    },
  };
}
