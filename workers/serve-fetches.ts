import { type WebFetcher } from '../activities/web/port';
import { type FetchedMessage, type FetchMessage } from './fetcher-process';

/** Answers the fetches that the parent process sends, and ends with it. */
export function serveFetches(fetcher: WebFetcher): void {
  process.on('message', (message) => {
    const { id, request } = message as FetchMessage;
    fetcher.fetch(request).then(
      (answer) => {
        const fetched: FetchedMessage = { id, answer };
        process.send?.(fetched);
      },
      (error: unknown) => {
        const reason = 'unreachable' as const;
        const fetched: FetchedMessage = {
          id,
          answer: { outcome: 'refused', reason, message: String(error) },
        };
        process.send?.(fetched);
      },
    );
  });
  process.on('disconnect', () => process.exit(0));
  // A group's Ctrl-C is for the gateway, which ends us.
  process.on('SIGINT', () => undefined);
}
