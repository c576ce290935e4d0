import { createWebFetcher } from '../../activities/web/fetch-url';
import { serveFetches } from '../../workers/serve-fetches';

/**
 * The fetcher process with loopback for its internet: every name leads to 127.0.0.1, on any port. The name
 * `environment.example` is answered with the names of the variables that the process was given.
 */
const fetcher = createWebFetcher({
  lookup: () => Promise.resolve(['127.0.0.1']),
  allowAddress: (address) => address === '127.0.0.1',
  allowPort: () => true,
  timeoutMs: 5_000,
});
serveFetches({
  fetch: async (request) =>
    request.url === 'https://environment.example/'
      ? {
          outcome: 'fetched',
          finalUrl: request.url,
          status: 200,
          contentType: 'application/json',
          body: Buffer.from(JSON.stringify({ pid: process.pid, names: Object.keys(process.env) })),
        }
      : fetcher.fetch(request),
});
