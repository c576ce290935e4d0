/** One part of the stack after `up`. */
export interface PartReport {
  readonly part: 'Temporal' | 'provider' | 'gateway' | 'worker';
  readonly state: 'started' | 'already running' | 'restarted with new code' | 'not ours';
  readonly address: string;
}
