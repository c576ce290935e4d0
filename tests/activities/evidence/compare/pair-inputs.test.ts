import { evidenceOf } from '../../../support/evidence';

test.each([
  ['results/book.xlsx', ['inputs/book.xlsx', 'inputs/other.xlsx'], 'inputs/book.xlsx'],
  ['results/out/Book.xlsx', ['inputs/data/book.xlsx'], 'inputs/data/book.xlsx'],
  ['results/budget_2025_final_v2.xlsx', ['inputs/budget 2025.xlsx'], 'inputs/budget 2025.xlsx'],
  ['results/预算表（已修订）.xlsx', ['inputs/预算表.xlsx'], 'inputs/预算表.xlsx'],
  ['results/budget.xlsx', ['inputs/budget.csv'], undefined],
  ['results/a/book.xlsx', ['inputs/a/book.xlsx', 'inputs/b/book.xlsx'], 'inputs/a/book.xlsx'],
  ['results/book.xlsx', ['inputs/a/book.xlsx', 'inputs/b/book.xlsx'], undefined],
  ['results/final.xlsx', ['inputs/updated.xlsx'], undefined],
  ['inputs/book.xlsx', ['results/book.xlsx'], undefined],
])('%s beside %j was made from %s', (artifact, others, input) => {
  const names = [artifact, ...others];
  const evidence = evidenceOf(Object.fromEntries(names.map((name) => [name, {}])));
  expect(evidence.inputOf(artifact)).toBe(input);
});
