/** Release commands: once for a deployment, one at a time for a project, and before anything is live. */
export const faults = [
  {
    what: 'A release command whose worker is lost is begun again.',
    file: 'src/platform/deployments/queued/release.ts',
    find: "if (known.begunMs !== null) return known.endedMs === null ? 'lost' : 'ended'",
    replace: "if (known.begunMs === 0) return known.endedMs === null ? 'lost' : 'ended'",
    tests: ['test/platform/deployments/build/release.test.ts'],
  },
  {
    what: 'A release command that is marked as begun by a lost worker stands in the way for ever.',
    file: 'src/platform/deployments/queued/release.ts',
    find: 'const isOver = lte(deployments.releaseLeaseUntilMs, now)',
    replace: 'const isOver = lte(deployments.releaseLeaseUntilMs, 0)',
    tests: ['test/platform/deployments/build/release.test.ts'],
  },
  {
    what: 'Two release commands of a project run at a time.',
    file: 'src/platform/deployments/queued/release.ts',
    find: '            isOver,\n',
    replace: '',
    tests: ['test/platform/deployments/build/release.test.ts'],
  },
  {
    what: 'A deployment goes live though its release command has failed.',
    file: 'src/platform/servers/run-release.ts',
    find: 'if (code === 0) return undefined',
    replace: 'if (code < 256) return undefined',
    tests: ['test/platform/builds/contained/release.test.ts'],
  },
  {
    what: 'The release command of a project runs with the sources of a fork.',
    file: 'src/platform/builds/release-server.ts',
    find: 'if (release === null || job.untrusted) return undefined',
    replace: 'if (release === null) return undefined',
    tests: ['test/platform/builds/contained/release.test.ts'],
  },
]
