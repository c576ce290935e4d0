/** The import table of docs/architecture.md, enforced. */
const ports = 'sandbox|gateway|harness|evidence|checks|judge|store|models|web';
module.exports = {
  forbidden: [
    {
      name: 'no-circular',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'core-is-pure',
      severity: 'error',
      from: { path: '^core/' },
      to: { pathNot: '^core/' },
    },
    {
      name: 'config-knows-core-only',
      severity: 'error',
      from: { path: '^config/' },
      to: { path: '^(activities|workflows|workers|cli)/' },
    },
    {
      name: 'adapters-stay-apart',
      severity: 'error',
      from: { path: `^activities/(${ports})/` },
      to: {
        path: '^activities/',
        pathNot: ['^activities/$1/', `^activities/(${ports})/port\\.ts$`],
      },
    },
    {
      name: 'ports-by-type-only',
      severity: 'error',
      from: { path: `^activities/(${ports})/` },
      to: { path: `^activities/(?!$1/)(${ports})/port\\.ts$`, dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'adapters-do-not-know-temporal',
      severity: 'error',
      from: { path: `^activities/(${ports})/` },
      to: { path: 'node_modules/@temporalio' },
    },
    {
      name: 'workflows-are-deterministic',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: '^(activities|config|workers|cli)/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'workflows-never-reach-zod',
      severity: 'error',
      from: { path: '^workflows/' },
      to: { path: 'node_modules/zod', reachable: true },
    },
    {
      name: 'cli-knows-workflows-by-type-only',
      severity: 'error',
      from: { path: '^cli/' },
      to: { path: '^workflows/(?!messages\\.ts)', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'workers-do-not-know-cli',
      severity: 'error',
      from: { path: '^workers/' },
      to: { path: '^cli/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.json'] },
  },
};
