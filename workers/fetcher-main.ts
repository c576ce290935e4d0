import { createWebFetcher } from '../activities/web/fetch-url';
import { serveFetches } from './serve-fetches';

/** The process that fetches pages for agents whose task grants it. It has no key, and no way to be configured. */
serveFetches(createWebFetcher());
