/** One part of the stack after `up`. */
export interface PartReport {
  readonly part: 'Temporal' | 'provider' | 'gateway' | 'worker';
  readonly state:
    | 'started'
    | 'already running'
    | 'restarted with this code'
    | 'restarted with these options'
    | 'not ours';
  readonly address: string;
}
