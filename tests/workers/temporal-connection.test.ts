import { freePort } from '../../workers/free-port';
import { connectClient } from '../../workers/temporal-connection';

const target = (address: string) => ({ address, namespace: 'default', uiUrl: undefined });

describe('connectClient', () => {
  it.each(['127.0.0.1', 'localhost'])(
    'says at once that nobody listens at %s',
    async (host) => {
      const address = `${host}:${await freePort(0)}`;
      await expect(connectClient(target(address))).rejects.toThrow(
        new RegExp(
          `^no Temporal server answers at ${address}: run .* up, or set TEMPORAL_ADDRESS`,
          'u',
        ),
      );
    },
    // Below the client's own patience.
    4_000,
  );
});
