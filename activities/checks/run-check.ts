import { type Check, type CheckKind } from '../../core/rubric';
import { type EvidenceReader } from '../evidence/port';
import { checkValuesAgree } from './agreement-check';
import { checkTableExists, checkTableRowContains } from './document-table-checks';
import { checkFileExists, checkPageCount } from './file-checks';
import { Decided } from './outcome';
import { type CheckOutcome, type RunCheck } from './port';
import { checkColumnMatches, checkRowCount, checkRowValueEquals } from './table-checks';
import { checkTextAbsent, checkTextContains } from './text-checks';
import {
  checkCellEquals,
  checkFormulaPresent,
  checkNoErrorCells,
  checkNumberFormat,
  checkSheetExists,
  checkSheetOrder,
} from './workbook-checks';

type Checkers = {
  readonly [Kind in CheckKind]: (
    check: Extract<Check, { readonly kind: Kind }>,
    evidence: EvidenceReader,
  ) => Promise<CheckOutcome>;
};

const CHECKERS: Checkers = {
  'file-exists': checkFileExists,
  'sheet-exists': checkSheetExists,
  'sheet-order': checkSheetOrder,
  'cell-equals': checkCellEquals,
  'row-value-equals': checkRowValueEquals,
  'column-matches': checkColumnMatches,
  'row-count': checkRowCount,
  'formula-present': checkFormulaPresent,
  'number-format': checkNumberFormat,
  'no-error-cells': checkNoErrorCells,
  'values-agree': checkValuesAgree,
  'text-contains': checkTextContains,
  'text-absent': checkTextAbsent,
  'page-count': checkPageCount,
  'table-exists': checkTableExists,
  'table-row-contains': checkTableRowContains,
};

/**
 * Runs one check on a run's evidence. A missing or unopenable file is unmet; whatever the check cannot tell is
 * `not-applicable`. Throws what the evidence's store throws, never because of a file.
 */
export const runCheck: RunCheck = async (check, evidence) => {
  const checker = CHECKERS[check.kind] as (
    check: Check,
    evidence: EvidenceReader,
  ) => Promise<CheckOutcome>;
  try {
    return await checker(check, evidence);
  } catch (error) {
    if (error instanceof Decided) return error.outcome;
    throw error;
  }
};
