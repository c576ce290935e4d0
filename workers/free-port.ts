import { createServer } from 'node:net';

/** Port at the end of an address or URL. */
export function portOf(address: string | undefined): number | undefined {
  const port = /:(\d+)\/?$/u.exec(address ?? '')?.[1];
  return port === undefined ? undefined : Number(port);
}

/** `wanted` where it is free, else any. */
export async function freePort(wanted: number): Promise<number> {
  const tryPort = (port: number) =>
    new Promise<number | undefined>((resolve) => {
      const server = createServer();
      server.once('error', () => resolve(undefined));
      server.listen(port, '127.0.0.1', () => {
        const address = server.address();
        const got = typeof address === 'object' && address !== null ? address.port : undefined;
        server.close(() => resolve(got));
      });
    });
  return (await tryPort(wanted)) ?? (await tryPort(0)) ?? wanted;
}
