import { z } from 'zod';
import { type HarnessFiles } from './port';

/** Where our runners leave what they know, below HOME. */
export const RESULT_FILE = '.startupbench/result.json';

const resultSchema = z.object({
  stopReason: z.string().max(100).nullish(),
  detail: z.string().nullish(),
  error: z.string().nullish(),
  transcript: z.string().max(1_000).nullish(),
});
export type HarnessResult = z.infer<typeof resultSchema>;

const DETAIL_CHARACTERS = 1_000;

/** The agent can write this file too: anything that does not fit is no word at all. */
export async function readHarnessResult(
  files: HarnessFiles | undefined,
): Promise<HarnessResult | undefined> {
  const bytes = await files?.readHomeFile(RESULT_FILE);
  if (bytes === undefined) return undefined;
  try {
    return resultSchema.parse(JSON.parse(Buffer.from(bytes).toString('utf8')));
  } catch {
    return undefined;
  }
}

/** Bounded, and absent where there is none. */
export function detailOf(result: HarnessResult): { detail?: string } {
  const detail = result.detail ?? result.error;
  return detail === null || detail === undefined || detail === ''
    ? {}
    : { detail: detail.slice(0, DETAIL_CHARACTERS) };
}
