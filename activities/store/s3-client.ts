import http from 'node:http';
import https from 'node:https';
import { Failure } from '../../core/failure';
import { S3Store } from './s3-store';

/** A request during which nothing moves for this long is given up (and tried again). */
const INACTIVITY_MS = 30_000;
const MAX_SOCKETS = 64;

/**
 * Opens `s3://bucket/prefix`. `env` gives STARTUPBENCH_S3_ENDPOINT (default: the endpoint of AWS), AWS_REGION
 * (default us-east-1), AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY (both or none; none is anonymous access).
 * Throws `Failure('ConfigMissing')`.
 */
export async function openS3Store(
  description: string,
  env: Readonly<Record<string, string | undefined>>,
  inactivityMs = INACTIVITY_MS,
): Promise<S3Store> {
  const place = /^s3:\/\/([^/]+)(?:\/(.*))?$/u.exec(description);
  const bucket = place?.[1];
  if (bucket === undefined)
    throw new Failure('ConfigMissing', `store ${description}: write s3://bucket/prefix`);
  const prefix = (place?.[2] ?? '').replace(/\/+$/u, '');
  const endpoint = parseEndpoint(env['STARTUPBENCH_S3_ENDPOINT'] ?? 'https://s3.amazonaws.com');
  const accessKey = env['AWS_ACCESS_KEY_ID'];
  const secretKey = env['AWS_SECRET_ACCESS_KEY'];
  if ((accessKey === undefined) !== (secretKey === undefined))
    throw new Failure(
      'ConfigMissing',
      'set both AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or neither for anonymous access',
    );
  const minio = await import('minio');
  const secure = endpoint.protocol === 'https:';
  const client = new minio.Client({
    endPoint: endpoint.hostname,
    port: endpoint.port === '' ? (secure ? 443 : 80) : Number(endpoint.port),
    useSSL: secure,
    region: env['AWS_REGION'] ?? 'us-east-1',
    ...(accessKey === undefined || secretKey === undefined ? {} : { accessKey, secretKey }),
    transport: timedTransport(secure, inactivityMs),
    transportAgent: new (secure ? https : http).Agent({
      keepAlive: true,
      maxSockets: MAX_SOCKETS,
    }),
    // Retries are ours: the package's own print to the console.
    retryOptions: { disableRetry: true },
  });
  return new S3Store(client, bucket, prefix === '' ? '' : `${prefix}/`, endpoint.origin);
}

function parseEndpoint(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/')
    throw new Failure(
      'ConfigMissing',
      `STARTUPBENCH_S3_ENDPOINT is ${JSON.stringify(text)}: write it as http://host:port`,
    );
  return url;
}

/** The package sets no timeout of its own: a server that stops answering would hold a caller for ever. */
function timedTransport(secure: boolean, inactivityMs: number): Pick<typeof http, 'request'> {
  const { request } = secure ? https : http;
  const timed = (
    options: http.RequestOptions,
    onResponse: (reply: http.IncomingMessage) => void,
  ) => {
    const outgoing = request(options, onResponse);
    outgoing.setTimeout(inactivityMs, () => {
      outgoing.destroy(new Error(`no answer for ${inactivityMs} ms`));
    });
    return outgoing;
  };
  return { request: timed as typeof http.request };
}
