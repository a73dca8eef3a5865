/** What an identity token of a CI system opens. */
export const faults = [
  {
    what: 'Identity tokens for anybody are taken.',
    file: 'src/platform/callers/workloads/identities.ts',
    find: '          audience,\n',
    replace: '',
    tests: ['test/platform/callers/workloads/exchange.test.ts'],
  },
  {
    what: 'An identity token stands for a day.',
    file: 'src/platform/callers/workloads/lifetime.ts',
    find: 'const lifetimeMs = 60 * 60_000',
    replace: 'const lifetimeMs = 24 * 60 * 60_000',
    tests: ['test/platform/callers/workloads/exchange.test.ts'],
  },
  {
    what: 'One claim of a policy is enough.',
    file: 'src/platform/trust/match-policies.ts',
    find: 'Object.entries(claims).every(',
    replace: 'Object.entries(claims).some(',
    tests: ['test/platform/callers/workloads/exchange.test.ts'],
  },
  {
    what: 'A job may call everything that a member may.',
    file: 'src/platform/callers/workloads/require-opened.ts',
    find: "kind === 'workload' && !isOpened",
    replace: "kind === 'workload' && isOpened === undefined",
    tests: ['test/platform/callers/workloads/exchange.test.ts'],
  },
  {
    what: 'A policy may name a repository that can be given to somebody else.',
    file: 'src/platform/trust/policies.ts',
    find: 'pin === undefined || ',
    replace: "pin !== '' || ",
    tests: ['test/platform/trust/policies.test.ts'],
  },
  {
    what: 'A job names a branch that its ref is not.',
    file: 'src/platform/deployments/require-policy.ts',
    find: 'if (boundTo === branch) return',
    replace: 'if (boundTo !== null) return',
    tests: ['test/platform/callers/workloads/exchange.test.ts'],
  },
  {
    what: 'A job of a pull request names a branch.',
    file: 'src/platform/callers/look-ups/find-workload.ts',
    find: 'bindBranch ? (branch ?? null) : undefined',
    replace: 'bindBranch ? branch : undefined',
    tests: ['test/platform/callers/workloads/exchange.test.ts'],
  },
  {
    what: 'A merge request counts as a push of its source branch.',
    file: 'src/platform/callers/workloads/ref-branch.ts',
    find: 'pullRequestSources.includes(source) || ',
    replace: '',
    tests: ['test/platform/callers/workloads/ref-branch.test.ts'],
  },
]
