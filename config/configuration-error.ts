import { Failure } from '../core/failure';
import { type ConfigurationFault, printFault } from './located-yaml';

/** Files of the user's that cannot be used: every fault, one a line. Nothing was started. */
export class ConfigurationError extends Failure {
  constructor(readonly faults: readonly ConfigurationFault[]) {
    super('InvalidInput', faults.map((fault) => printFault(fault)).join('\n'));
  }
}
