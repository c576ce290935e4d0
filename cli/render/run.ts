import { formatUsd } from '../../core/money';
import { type NetworkAttempts } from '../../core/run';
import { type SubmissionIdentity } from '../../core/submission';
import { type WebFetch } from '../../core/web';
import { percentText } from '../../core/percent-text';
import { plural } from '../../core/plural';
import { providerMark } from '../../core/provider-mark';
import {
  type RunDetails,
  type ShownAttempt,
  type ShownCost,
  type ShownCitation,
  type ShownItem,
} from '../../workers/run-details';
import { describeAttempt } from '../../workers/run-list';
import { escapeBlock, escapeText } from './escape';

const SHOWN_CITATION_CHARACTERS = 600;

/** A run for a terminal: stages, attempts, deliverables, then every verdict with what it points at. */
export function printRun(run: RunDetails): string {
  const { result } = run;
  return [
    `${run.runId}${providerMark(run.provider)}`,
    ...(run.submission === undefined ? [] : [`imported    ${originText(run.submission)}`]),
    ...(run.cohort === run.sweep ? [] : [`cohort      ${escapeText(run.cohort)}`]),
    `key         ${run.runKey}`,
    `generation  ${run.generation} of ${run.generations}${run.request === undefined ? '' : `, asked for by ${escapeText(run.request.who)}: ${escapeText(run.request.reason)}`}`,
    `state       ${run.state}${run.why === undefined ? '' : `: ${escapeText(run.why)}`}`,
    `stages      agent ${run.stages.agent}, judging ${run.stages.judging}`,
    `score       ${scoreText(run)}`,
    ...costLines(run),
    ...run.attempts.flatMap(attemptLines),
    ...(result === undefined ? [] : ['', 'Deliverables (results/)', ...deliverableLines(result)]),
    ...(run.items.length === 0 ? [] : ['', `Verdicts${providerMark(run.judgeProvider)}`]),
    ...run.items.flatMap((item) => ['', ...itemLines(item)]),
    '',
  ].join('\n');
}

function originText({ id, product, date, operator }: SubmissionIdentity): string {
  return escapeText(`submission ${id}: ${product}, ${date}, run by ${operator}`);
}

/** Agent, judge and failed attempts apart; where a run was done again, the generation shown beside the whole. */
function costLines({ cost, generationCost, generation, generations }: RunDetails): string[] {
  const all = `cost        ${costText(cost)}`;
  if (generations === 1) return [all];
  return [
    `${all} (all generations)`,
    `            generation ${generation}: ${costText(generationCost)}`,
  ];
}

function costText(cost: ShownCost): string {
  const { agentMicroUsd, judgeMicroUsd, failedAttemptsMicroUsd, totalMicroUsd, atLeast } = cost;
  const parts = [
    `agent ${formatUsd(agentMicroUsd)}`,
    `judge ${formatUsd(judgeMicroUsd)}`,
    ...(failedAttemptsMicroUsd === 0
      ? []
      : [`failed attempts ${formatUsd(failedAttemptsMicroUsd)}`]),
  ];
  return `${atLeast ? 'at least ' : ''}${formatUsd(totalMicroUsd)}: ${parts.join(', ')}`;
}

function scoreText(run: RunDetails): string {
  if (run.scoreInterval === undefined) return 'none yet';
  const [low, high] = run.scoreInterval;
  const success =
    run.success === undefined ? 'success undecided' : run.success ? 'success' : 'no success';
  return low === high
    ? `${percentText(low, 2)} %, ${success}`
    : `between ${percentText(low, 2)} and ${percentText(high, 2)} %, ${success}`;
}

/** How an attempt went, its counts, and what it left or tried beside its work. */
export function attemptLines({ attempt, record, counts }: ShownAttempt): string[] {
  const lines = [
    `attempt ${attempt}   ${escapeText(describeAttempt(record))}${counts ? ' (counts)' : ''}`,
  ];
  if (record === undefined) return lines;
  const { traffic, exit } = record;
  const facts = [
    `host ${record.hostId}`,
    ...(traffic === undefined
      ? []
      : [
          plural(traffic.steps, 'step'),
          plural(traffic.modelRequests, 'model request'),
          ...((traffic.refusedRequests ?? 0) > 0 ? [`${traffic.refusedRequests} refused`] : []),
          `${traffic.usage.inputTokens} tokens in (${traffic.usage.cachedInputTokens} cached), ${traffic.usage.outputTokens} out`,
          `${traffic.incomplete ? 'at least ' : ''}${formatUsd(traffic.costMicroUsd)}`,
        ]),
    ...(exit === undefined
      ? []
      : [
          `${(exit.durationMs / 1000).toFixed(1)} s, ${(exit.workingTimeMs / 1000).toFixed(1)} s of it working`,
          ...exit.limitsHit.map((limit) => `limit hit: ${escapeText(limit)}`),
        ]),
  ];
  lines.push(`            ${facts.join('; ')}`);
  lines.push(...webLines(record.web ?? []));
  if (exit?.network !== undefined) lines.push(...networkLines(exit.network));
  if (record.alteredInputs.length > 0)
    lines.push(`            altered inputs: ${record.alteredInputs.map(escapeText).join(', ')}`);
  if (record.pollution.length > 0)
    lines.push(`            left outside results/: ${record.pollution.map(escapeText).join(', ')}`);
  return lines;
}

/** What the agent fetched, and what it was refused. */
function webLines(fetches: readonly WebFetch[]): string[] {
  if (fetches.length === 0) return [];
  const refused = fetches.filter((fetch) => fetch.refused !== undefined).length;
  const head = `${plural(fetches.length, 'page')} asked for, ${refused} refused`;
  return [
    `            web: ${head}`,
    ...fetches.map(({ url, finalUrl, status, bytes, sha256, refused: refusal }) => {
      const to = finalUrl === undefined ? '' : ` -> ${finalUrl}`;
      const end =
        refusal === undefined
          ? `${status ?? '-'}, ${bytes ?? 0} bytes, sha256 ${(sha256 ?? '').slice(0, 16)}`
          : `refused (${refusal.reason}): ${refusal.message}`;
      return `              ${escapeText(`${url}${to}`)}  ${escapeText(end)}`;
    }),
  ];
}

/** What was tried past the one way out; nothing where nothing was. */
export function networkLines({ refusedConnections, namesAsked }: NetworkAttempts): string[] {
  const tried = [
    ...(refusedConnections === 0 ? [] : [plural(refusedConnections, 'connection')]),
    ...(namesAsked.length === 0
      ? []
      : [
          `names asked for: ${namesAsked.map(({ name, count }) => (count === 1 ? name : `${name} (${count} times)`)).join(', ')}`,
        ]),
  ];
  if (tried.length === 0) return [];
  return [`            refused on the network: ${escapeText(tried.join('; '))}`];
}

function deliverableLines(result: NonNullable<RunDetails['result']>): string[] {
  const { files, refused, truncated } = result.deliverables;
  const lines = files.map(({ path, bytes }) => `  ${escapeText(path)}  ${plural(bytes, 'byte')}`);
  for (const { path, reason } of refused)
    lines.push(`  ${escapeText(path)}  not taken: ${escapeText(reason)}`);
  if (lines.length === 0) lines.push('  none');
  if (truncated) lines.push('  more files lay there than are taken');
  return lines;
}

/** One item with its verdict, also for `task try` and `judge try`. */
export function itemLines(item: ShownItem): string[] {
  const level = item.level === undefined ? `weight ${item.weight}` : item.level;
  const lines = [
    `[${item.outcome}] ${item.id} (${level}, ${item.dimension}${decidedText(item)})`,
    `  ${escapeText(item.text)}`,
  ];
  if (item.justification !== undefined)
    lines.push(...indented(escapeBlock(item.justification), '  > '));
  if (item.checkUndecided !== undefined)
    lines.push(`  its check did not decide: ${escapeText(item.checkUndecided)}`);
  if (item.reason !== undefined) lines.push(`  why: ${escapeText(item.reason)}`);
  for (const citation of item.citations) lines.push(...citationLines(citation));
  for (const { artifact, query } of item.searched)
    lines.push(`  searched ${escapeText(artifact)} for "${escapeText(query)}"`);
  if (item.firstSubmission !== undefined && item.firstSubmission.met !== (item.outcome === 'met'))
    lines.push(
      `  first said ${item.firstSubmission.met ? 'met' : 'unmet'}, refused: ${item.firstSubmission.refusedBecause.map(escapeText).join('; ')}`,
    );
  return lines;
}

/** Who decided, and what the judge cost, verdict or not. */
function decidedText({ source, turns, costMicroUsd }: ShownItem): string {
  const judged = source === 'judge' || (source === undefined && costMicroUsd !== 0);
  return [
    ...(source === undefined ? [] : [`, by ${source}`]),
    ...(turns === undefined ? [] : [`, ${plural(turns, 'turn')}`]),
    ...(judged ? [`, ${formatUsd(costMicroUsd)}`] : []),
  ].join('');
}

function citationLines({ locator, quote, text }: ShownCitation): string[] {
  const lines = [
    `  at ${escapeText(locator)}${quote === undefined ? '' : `: "${escapeText(quote)}"`}`,
  ];
  if (text === undefined) lines.push('     (that place cannot be read any more)');
  else {
    const cut =
      text.length > SHOWN_CITATION_CHARACTERS
        ? `${text.slice(0, SHOWN_CITATION_CHARACTERS)}...`
        : text;
    lines.push(...indented(escapeBlock(cut), '     | '));
  }
  return lines;
}

function indented(block: string, before: string): string[] {
  return block.split('\n').map((line) => `${before}${line}`);
}
