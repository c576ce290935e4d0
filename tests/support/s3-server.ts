import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'minio';
import { freePorts } from './free-ports';

const ACCESS_KEY = 'tests-access-key';
const SECRET_KEY = 'tests-secret-key';

/** A real S3 server (SeaweedFS) of one test file: own folder, own ports, one bucket. */
export interface S3Server {
  readonly bucket: string;
  /** What `openStore` reads. */
  readonly env: {
    readonly STARTUPBENCH_S3_ENDPOINT: string;
    readonly AWS_ACCESS_KEY_ID: string;
    readonly AWS_SECRET_ACCESS_KEY: string;
  };
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
export async function startS3Server(): Promise<S3Server> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await startOnce();
    } catch (error) {
      if (attempt === 3) throw error;
    }
  }
}

async function startOnce(): Promise<S3Server> {
  const folder = await mkdtemp(join(tmpdir(), 's3-server-'));
  const config = join(folder, 's3.json');
  await writeFile(config, JSON.stringify(identities()));
  await mkdir(join(folder, 'data'));
  const ports = await freePorts(8);
  const child = spawn(findWeed(), serverArguments(join(folder, 'data'), config, ports), {
    stdio: 'ignore',
    cwd: folder,
  });
  const stop = async (): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) {
      const ended = new Promise((resolve) => child.once('exit', resolve));
      child.kill('SIGKILL');
      await ended;
    }
    await rm(folder, { recursive: true, force: true });
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
    const env = {
      STARTUPBENCH_S3_ENDPOINT: `http://127.0.0.1:${port}`,
      AWS_ACCESS_KEY_ID: ACCESS_KEY,
      AWS_SECRET_ACCESS_KEY: SECRET_KEY,
    };
    return { bucket, env, client, process: child, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

function identities(): object {
  const credentials = [{ accessKey: ACCESS_KEY, secretKey: SECRET_KEY }];
  return {
    identities: [{ name: 'tests', credentials, actions: ['Admin', 'Read', 'Write', 'List'] }],
  };
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
