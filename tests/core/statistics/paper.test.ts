import { formatCompliance } from '../../../core/statistics/format-compliance';
import { meanOfTaskMeans } from '../../../core/statistics/mean-of-task-means';
import { pooledSuccess } from '../../../core/statistics/pooled-success';
import { type ScoredRun, sumByTask } from '../../../core/statistics/task-sums';
import tables from '../../fixtures/paper/tables.json';

type Domain = keyof typeof tables.tasksByDomain;
const domains = Object.entries(tables.tasksByDomain) as [Domain, number][];
const tasks = domains.reduce((sum, [, count]) => sum + count, 0);

/** Runs of one model as published: every run of a domain has its mean score, and as many succeed as its rate says. */
function publishedRuns(model: string): ScoredRun[] {
  const scores = tables.meanScore.find((row) => row.model === model)!;
  const rates = tables.successRate.find((row) => row.model === model)!;
  return domains.flatMap(([domain, count]) => {
    const runs = count * tables.repetitions;
    const succeed = Math.round((rates[domain] * runs) / 100);
    return Array.from({ length: runs }, (_, index) => ({
      taskId: `${domain}-${index % count}`,
      score: scores[domain],
      success: index < succeed,
    }));
  });
}

describe("the paper's arithmetic (arXiv 2608.17800, table 3)", () => {
  it('has 97 tasks', () => {
    expect(tasks).toBe(97);
  });

  it.each(tables.meanScore.map((row) => [row.model, row.overall]))(
    'gives %s the published overall mean %p from its domains',
    (model, overall) => {
      expect(Math.abs(meanOfTaskMeans(sumByTask(publishedRuns(model)))! - overall)).toBeLessThan(
        0.02,
      );
    },
  );

  it.each(tables.successRate.map((row) => [row.model, row.overall]))(
    'gives %s the published pooled success rate %p from whole runs',
    (model, overall) => {
      expect(pooledSuccess(sumByTask(publishedRuns(model)))!.toFixed(2)).toBe(overall.toFixed(2));
    },
  );

  it('has format compliance in runs of the 56 tasks that name formats (table 5)', () => {
    const runs = tables.tasksWithNamedFormats * tables.repetitions;
    for (const rate of Object.values(tables.formatCompliance)) {
      const compliant = Math.round((rate * runs) / 100);
      const found = formatCompliance(
        Array.from({ length: runs }, (_, index) => ({
          requiredFormats: ['pdf'],
          deliveredFormats: index < compliant ? ['pdf'] : [],
        })),
      );
      expect(found!.rate.toFixed(1)).toBe(rate.toFixed(1));
    }
  });
});
