import { tmpdir } from 'node:os';

/** A folder on a real disk: `scripts/test` may have put the temporary one into memory. */
export const REAL_DISK = process.env['STARTUPBENCH_TEST_DISK'] ?? tmpdir();
