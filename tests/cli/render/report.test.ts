import { printReport } from '../../../cli/render/report';
import { reportMarkdown } from '../../../core/report/markdown';
import { ReportBuilder } from '../../../core/report/report-builder';
import { reportRun } from '../../support/report-runs';

function reportOf(cohort?: string) {
  const builder = new ReportBuilder();
  builder.add(reportRun());
  return builder.build({
    ...{ sweep: 's', generatedAt: '2026-01-01T00:00:00.000Z', judge: undefined },
    ...{ planned: 1, repetitions: 1, ...(cohort !== undefined && { cohort }) },
  });
}

function twoLanes() {
  const builder = new ReportBuilder();
  for (const model of ['replay-strong', 'replay-weak'])
    for (const task of ['t', 'u'])
      builder.add(reportRun({ model, harness: 'nanobot', provider: 'replay', task }));
  return builder.build({
    ...{ sweep: 's', generatedAt: '2026-01-01T00:00:00.000Z', judge: undefined },
    ...{ planned: 4, repetitions: 1 },
  });
}
const differences = (width?: number): string =>
  printReport(twoLanes(), width).split('Paired differences')[1]?.split('\n\n')[0] ?? '';

describe('paired differences', () => {
  it('say in one line which lane is subtracted where the width suffices', () => {
    for (const width of [undefined, 120])
      expect(differences(width)).toMatch(
        /replay-strong@nanobot \(replayed\) - replay-weak@nanobot \(replayed\) +2 +0\.00/u,
      );
  });

  it.each([60, 70, 80])('say it in two lines on %d columns, no name cut', (width) => {
    expect(differences(width)).toMatch(
      /\nreplay-strong@nanobot \(replayed\)\n- replay-weak@nanobot \(replayed\) +2 +0\.00/u,
    );
  });
});

describe('a report', () => {
  it('says whose results it shows where they are not those of the sweep of that name', () => {
    expect(printReport(reportOf('s-again'))).toMatch(/^s \(cohort s-again\): 1 planned = /u);
    expect(reportMarkdown(reportOf('s-again'))).toContain('Cohort s-again. Made 2026-');
    expect(reportOf('s-again').cohort).toBe('s-again');
  });

  it('says nothing of a cohort where its name is that of the sweep, or not known', () => {
    for (const cohort of ['s', undefined])
      expect(printReport(reportOf(cohort))).toMatch(/^s: 1 planned = /u);
    expect(reportMarkdown(reportOf())).not.toContain('Cohort');
  });
});
