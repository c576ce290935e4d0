/** Required-format compliance: runs that delivered every format their task names. */
export interface FormatCompliance {
  readonly runs: number;
  readonly compliant: number;
  /** Percent. */
  readonly rate: number;
}

/** A run whose task names no format is not counted; `undefined` when none does. */
export function formatCompliance(
  runs: Iterable<{
    readonly requiredFormats: readonly string[];
    readonly deliveredFormats: readonly string[];
  }>,
): FormatCompliance | undefined {
  let counted = 0;
  let compliant = 0;
  for (const run of runs) {
    if (run.requiredFormats.length === 0) continue;
    counted += 1;
    if (run.requiredFormats.every((format) => run.deliveredFormats.includes(format)))
      compliant += 1;
  }
  if (counted === 0) return undefined;
  return { runs: counted, compliant, rate: (100 * compliant) / counted };
}
