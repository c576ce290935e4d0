import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'minio';
import { freePorts } from './free-ports';

const ACCESS_KEY = 'tests-access-key';
const SECRET_KEY = 'tests-secret-key';

/** What `openStore` reads. */
export interface S3Environment extends Record<string, string> {
  readonly STARTUPBENCH_S3_ENDPOINT: string;
  readonly AWS_ACCESS_KEY_ID: string;
  readonly AWS_SECRET_ACCESS_KEY: string;
}

/** A further identity of the server: SeaweedFS actions such as `Read:bucket/prefix/*`. */
export interface S3Identity {
  readonly name: string;
  readonly actions: readonly string[];
}

/** A real S3 server (SeaweedFS) of one test file: own folder, own ports, one bucket. */
export interface S3Server {
  readonly bucket: string;
  /** May do everything. */
  readonly env: S3Environment;
  /** Credentials of one of the further identities. */
  envOf(identity: string): S3Environment;
  readonly client: Client;
  readonly process: ChildProcess;
  stop(): Promise<void>;
}

function findWeed(): string {
  const data = process.env['STARTUPBENCH_DATA'] ?? join(__dirname, '..', '..', '.startupbench');
  const path = join(data, 'venv', 'bin', 'weed');
  if (!existsSync(path)) throw new Error(`no S3 server at ${path}: run scripts/setup first`);
  return path;
}

/** Starts the server and waits until it takes a put. Ports can be lost to a neighbour: three tries. */
export async function startS3Server(further: readonly S3Identity[] = []): Promise<S3Server> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce(further);
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

async function startOnce(further: readonly S3Identity[]): Promise<S3Server> {
  const weed = findWeed();
  const folder = await mkdtemp(join(tmpdir(), 's3-server-'));
  const config = join(folder, 's3.json');
  await writeFile(config, JSON.stringify(identities(further)));
  await mkdir(join(folder, 'data'));
  const ports = await freePorts(8);
  const child = spawn(
    weed,
    [`-logdir=${folder}`, ...serverArguments(join(folder, 'data'), config, ports)],
    {
      stdio: 'ignore',
      cwd: folder,
    },
  );
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    }
    await removeSockets(ports);
    await rm(folder, { recursive: true, force: true, maxRetries: 20 });
  };
  try {
    const port = ports[6]!;
    const client = new Client({
      endPoint: '127.0.0.1',
      port,
      useSSL: false,
      region: 'us-east-1',
      accessKey: ACCESS_KEY,
      secretKey: SECRET_KEY,
      retryOptions: { disableRetry: true },
    });
    const bucket = 'tests';
    await untilReady(client, bucket, child);
    const endpoint = `http://127.0.0.1:${port}`;
    const env = environment(endpoint, ACCESS_KEY, SECRET_KEY);
    const envOf = (name: string) => environment(endpoint, name, secretOf(name));
    return { bucket, env, envOf, client, process: child, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function environment(endpoint: string, accessKey: string, secretKey: string): S3Environment {
  return {
    STARTUPBENCH_S3_ENDPOINT: endpoint,
    AWS_ACCESS_KEY_ID: accessKey,
    AWS_SECRET_ACCESS_KEY: secretKey,
  };
}

/** A killed server leaves them, in this folder whatever the temporary one is. */
async function removeSockets(ports: readonly number[]): Promise<void> {
  for (const name of await readdir('/tmp')) {
    const port = /^seaweedfs-[a-z0-9-]+-(\d+)\.sock$/u.exec(name)?.[1];
    if (port !== undefined && ports.includes(Number(port)))
      await rm(join('/tmp', name), { force: true });
  }
}

const secretOf = (name: string) => `${name}-secret-key`;

function identities(further: readonly S3Identity[]): object {
  const all = [
    {
      name: 'tests',
      credentials: [{ accessKey: ACCESS_KEY, secretKey: SECRET_KEY }],
      actions: ['Admin', 'Read', 'Write', 'List'],
    },
    ...further.map(({ name, actions }) => ({
      name,
      credentials: [{ accessKey: name, secretKey: secretOf(name) }],
      actions,
    })),
  ];
  return { identities: all };
}

function serverArguments(data: string, config: string, ports: readonly number[]): string[] {
  const [master, masterGrpc, volume, volumeGrpc, filer, filerGrpc, s3, s3Grpc] = ports;
  return [
    'server',
    `-dir=${data}`,
    '-ip=127.0.0.1',
    '-master.volumeSizeLimitMB=64',
    // With the default of 8 volumes every put to a second bucket fails.
    '-volume.max=100',
    `-master.port=${master!}`,
    `-master.port.grpc=${masterGrpc!}`,
    `-volume.port=${volume!}`,
    `-volume.port.grpc=${volumeGrpc!}`,
    '-filer',
    `-filer.port=${filer!}`,
    `-filer.port.grpc=${filerGrpc!}`,
    '-s3',
    `-s3.config=${config}`,
    `-s3.port=${s3!}`,
    `-s3.port.grpc=${s3Grpc!}`,
    '-s3.port.iceberg=0',
    '-s3.port.lance=0',
  ];
}

async function untilReady(client: Client, bucket: string, child: ChildProcess): Promise<void> {
  const deadline = Date.now() + 60_000;
  for (;;) {
    try {
      if (!(await client.bucketExists(bucket))) await client.makeBucket(bucket);
      await client.putObject(bucket, 'ready', Buffer.from('1'));
      return;
    } catch (error) {
      if (child.exitCode !== null) throw new Error(`weed ended with code ${child.exitCode}`);
      if (Date.now() > deadline) throw error;
      await sleep(200);
    }
  }
}
