import { type RunReference } from '../../core/activity-contract';
import { canonicalJson, storeKeys } from '../../core/ids';
import { type AttemptRecord, type DeliverableManifest, type RunResult } from '../../core/run';
import { readJson } from '../read-json';
import { type ObjectStore } from '../store/port';

/** Who tries an attempt: written once before anything else, so that its number is nobody else's. */
export interface AttemptClaim {
  readonly v: 1;
  readonly runKey: string;
  readonly generation: number;
  readonly attempt: number;
  readonly hostId: string;
  readonly claimedAt: string;
}

type Run = Pick<RunReference, 'runKey' | 'generation'>;

/** The write-once records of one generation's attempts. Each `put` returns what is stored, ours or an earlier one. */
export class AttemptRecords {
  constructor(
    private readonly store: ObjectStore,
    private readonly run: Run,
  ) {}

  claim(attempt: number): Promise<AttemptClaim | undefined> {
    return readJson(this.store, this.key(attempt, 'claim.json'));
  }

  putClaim(claim: AttemptClaim): Promise<AttemptClaim> {
    return this.put(this.key(claim.attempt, 'claim.json'), claim);
  }

  attempt(attempt: number): Promise<AttemptRecord | undefined> {
    return readJson(this.store, this.key(attempt, 'attempt.json'));
  }

  putAttempt(record: AttemptRecord): Promise<AttemptRecord> {
    return this.put(this.key(record.attempt, 'attempt.json'), record);
  }

  deliverables(attempt: number): Promise<DeliverableManifest | undefined> {
    return readJson(this.store, this.key(attempt, 'deliverables.json'));
  }

  putDeliverables(attempt: number, manifest: DeliverableManifest): Promise<DeliverableManifest> {
    return this.put(this.key(attempt, 'deliverables.json'), manifest);
  }

  result(): Promise<RunResult | undefined> {
    return readJson(this.store, storeKeys.result(this.run.runKey, this.run.generation));
  }

  putResult(result: RunResult): Promise<RunResult> {
    return this.put(storeKeys.result(this.run.runKey, this.run.generation), result);
  }

  private key(attempt: number, name: string): string {
    return storeKeys.attempt(this.run.runKey, this.run.generation, attempt, name);
  }

  private async put<Record>(key: string, record: Record): Promise<Record> {
    if ((await this.store.putRecord(key, canonicalJson(record))) === 'created') return record;
    return (await readJson<Record>(this.store, key)) ?? record;
  }
}
