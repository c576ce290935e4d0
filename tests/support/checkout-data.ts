import { join, resolve } from 'node:path';

/** Where `scripts/setup` has put servers and libraries, and what tests may keep between runs. */
export const CHECKOUT_DATA =
  process.env['STARTUPBENCH_DATA'] ?? resolve(__dirname, '../../.startupbench');

/** Programs of `scripts/setup`. */
export const SET_UP_BIN = join(CHECKOUT_DATA, 'venv', 'bin');
