import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { type AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type GatewayControl } from '../../../../activities/gateway/port';
import { type AccountProtocol } from '../../../../core/account';
import { type GatewayBench, startGatewayBench } from './gateway-bench';

type Json = Record<string, unknown>;

/** A gateway process and a provider of one protocol, over real connections. */
export interface ProviderBench {
  readonly bench: GatewayBench;
  readonly control: GatewayControl;
  /** What the provider was asked. */
  readonly seen: { headers: Json; body: Json }[];
  stop(): Promise<void>;
}

/** Starts both; `events` are the events of the provider's n-th reply, a stream. The account is named `account`. */
export async function startProviderBench(
  protocol: AccountProtocol,
  events: (reply: number) => readonly Json[],
): Promise<ProviderBench> {
  const bench = await startGatewayBench();
  const seen: { headers: Json; body: Json }[] = [];
  const provider = createServer((request, response) => {
    void text(request).then((body) => {
      seen.push({ headers: request.headers, body: JSON.parse(body) as Json });
      response.setHeader('content-type', 'text/event-stream');
      response.end(events(seen.length).map(printed).join(''));
    });
  });
  await new Promise<void>((listening) => provider.listen(0, '127.0.0.1', listening));
  const { port } = provider.address() as AddressInfo;
  const account = {
    protocol,
    baseUrl: `http://127.0.0.1:${port}/v1`,
    keyEnv: 'TEST_PROVIDER_KEY',
    allowPrivateAddresses: true,
  };
  const file = join(bench.dataDir, 'providers.yaml');
  writeFileSync(file, JSON.stringify({ accounts: { account } }), { mode: 0o600 });
  const control = bench.control({ TEST_PROVIDER_KEY: 'the-key', STARTUPBENCH_PROVIDERS: file });
  await control.ensureRunning();
  return {
    bench,
    control,
    seen,
    stop: async () => {
      await bench.stop();
      await new Promise((closed) => provider.close(closed));
    },
  };
}

function printed(event: Json): string {
  return `event: ${String(event['type'])}\ndata: ${JSON.stringify(event)}\n\n`;
}
