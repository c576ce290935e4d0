import { submissionSchema } from '../grounding/submission';
import { compareWithInput } from './compare-with-input';
import { listArtifacts } from './list-artifacts';
import { readCells } from './read-cells';
import { readText } from './read-text';
import { runDeliveredCode } from './run-delivered-code';
import { runPython } from './run-python';
import { searchText } from './search-text';
import { type JudgeTool, toolDefinition } from './tool';
import { viewPage } from './view-page';
import { workbookInfo } from './workbook-info';

/** Tools that look at evidence, in the order the judge sees them. */
export const EVIDENCE_TOOLS: readonly JudgeTool[] = [
  listArtifacts,
  readText,
  searchText,
  viewPage,
  workbookInfo,
  readCells,
  compareWithInput,
  runPython,
  runDeliveredCode,
];

export const SUBMIT_VERDICT = 'submit_verdict';

const submitVerdict: Pick<JudgeTool, 'name' | 'description' | 'parameters'> = {
  name: SUBMIT_VERDICT,
  description:
    'The verdict on the item; the only way to give one. It is accepted when its citations and searches hold.',
  parameters: submissionSchema,
};

/** All tools as the request carries them: the same for every item of every run. */
export function toolDefinitions(): readonly object[] {
  return [...EVIDENCE_TOOLS, submitVerdict].map(toolDefinition);
}
