import { join } from 'node:path';
import { ATTEMPT_LAYOUT } from './port';

/** Where the gateway's files of one attempt lie. */
export interface AttemptFiles {
  readonly control: string;
  readonly gateway: string;
  readonly journal: string;
  /** Its modification time is the lease's age. */
  readonly lease: string;
  readonly closed: string;
  /** Why a person wants nothing to go out; absent = calls may be made. Written by the attempt's worker. */
  readonly pause: string;
  /** What keeps the attempt's exchanges waiting now, if it is the provider's side; written by the gateway. */
  readonly holding: string;
  readonly transcriptDir: string;
  readonly socket: string;
}

export function attemptFiles(attemptDir: string): AttemptFiles {
  const control = join(attemptDir, ATTEMPT_LAYOUT.control);
  return {
    control,
    gateway: join(control, 'gateway.json'),
    journal: join(control, 'journal.bin'),
    lease: join(control, 'lease'),
    closed: join(control, 'closed.json'),
    pause: join(control, 'pause.json'),
    holding: join(control, 'holding.json'),
    transcriptDir: join(control, 'transcript'),
    socket: join(attemptDir, ATTEMPT_LAYOUT.run, 'gateway.sock'),
  };
}

/** Files of the gateway process itself, below the data folder. */
export function processFiles(dataDir: string): {
  readonly folder: string;
  readonly controlSocket: string;
  /** Where other processes of the data folder take places for their calls. */
  readonly placesSocket: string;
  /** Touched while the process lives: a later one reads from it how long none was there. */
  readonly alive: string;
  readonly log: string;
  readonly sandboxes: string;
} {
  const folder = join(dataDir, 'gateway');
  return {
    folder,
    controlSocket: join(folder, 'control.sock'),
    placesSocket: join(folder, 'places.sock'),
    alive: join(folder, 'alive'),
    log: join(dataDir, 'logs', 'gateway.log'),
    sandboxes: join(dataDir, 'sandboxes'),
  };
}
