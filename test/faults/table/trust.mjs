/** What an identity token of a CI system opens. */
export const faults = [
  {
    what: 'Identity tokens for anybody are taken.',
    file: 'src/platform/auth/workloads/identities.ts',
    find: '          audience,\n',
    replace: '',
    tests: ['test/platform/auth/workloads/exchange.test.ts'],
  },
  {
    what: 'An identity token stands for a day.',
    file: 'src/platform/auth/workloads/lifetime.ts',
    find: 'const lifetimeMs = 60 * 60_000',
    replace: 'const lifetimeMs = 24 * 60 * 60_000',
    tests: ['test/platform/auth/workloads/exchange.test.ts'],
  },
  {
    what: 'One claim of a policy is enough.',
    file: 'src/platform/auth/workloads/find-trusted.ts',
    find: 'Object.entries(claims).every(',
    replace: 'Object.entries(claims).some(',
    tests: ['test/platform/auth/workloads/exchange.test.ts'],
  },
  {
    what: 'A job may call everything that a member may.',
    file: 'src/platform/auth/workloads/require-opened.ts',
    find: "kind === 'workload' && !isOpened",
    replace: "kind === 'workload' && isOpened === undefined",
    tests: ['test/platform/auth/workloads/exchange.test.ts'],
  },
  {
    what: 'A policy may name a repository that can be given to somebody else.',
    file: 'src/platform/trust/policies.ts',
    find: 'pin === undefined || ',
    replace: "pin !== '' || ",
    tests: ['test/platform/trust/policies.test.ts'],
  },
]
