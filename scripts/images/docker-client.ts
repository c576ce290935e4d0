import { type CommandOptions, command, tryCommand } from './command';

const BUILDKIT = { DOCKER_BUILDKIT: '1' };

/** The `docker` program, as far as building images needs it. */
export interface DockerClient {
  /** Architecture of the daemon in Docker's words: `amd64`, `arm64`. */
  architecture(): Promise<string>;
  hasImage(tag: string): Promise<boolean>;
  /** Megabytes (10^6 bytes), parents included. */
  imageSizeMb(tag: string): Promise<number>;
  /** False when the registry cannot be reached or has no such image. */
  pullAs(reference: string, tag: string): Promise<boolean>;
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
    hasImage: async (tag) => (await inspect(tag, '{{.Id}}')).exitCode === 0,
    imageSizeMb: async (tag) => Math.round(Number((await inspect(tag, '{{.Size}}')).stdout) / 1e6),
    pullAs: async (reference, tag) => {
      const pulled = await tryCommand(program, ['pull', '--quiet', reference]);
      if (pulled.exitCode !== 0) return false;
      await docker(['tag', reference, tag]);
      return true;
    },
    build: async (args, logFile) => {
      await docker(['build', '--progress', 'plain', ...args], { environment: BUILDKIT, logFile });
    },
  };
}
