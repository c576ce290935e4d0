/** `missing`: sweeps cannot run. `warning`: they can, with that risk. */
export interface Finding {
  readonly what: string;
  readonly state: 'ok' | 'warning' | 'missing';
  readonly detail: string;
}
