/** The next server of a site takes over from the one before. */
export const faults = [
  {
    what: 'A promote switches at once where a visitor comes while the site is read anew.',
    file: 'src/roles/edge/take-overs.ts',
    find: '      if (!due) return undefined\n',
    replace: '',
    tests: ['test/roles/edge/take-overs.test.ts'],
  },
  {
    what: 'A promote switches before the next server answers.',
    file: 'src/roles/edge/take-overs.ts',
    find: "if (entry.takeOver.state === 'waiting') return asBefore(entry.site, due)",
    replace: '',
    tests: ['test/platform/servers/contained/promote.test.ts'],
  },
  {
    what: 'A site that has just been protected is open to all while its next server starts.',
    file: 'src/roles/edge/take-overs.ts',
    find: 'isProtected: due.isProtected || before.isProtected',
    replace: 'isProtected: before.isProtected',
    tests: ['test/platform/servers/contained/promote.test.ts'],
  },
  {
    what: 'A site waits for ever for a server that does not start.',
    file: 'src/platform/servers/take-over.ts',
    find: 'AbortSignal.timeout(maxMs)',
    replace: 'AbortSignal.timeout(maxMs * 1_000)',
    tests: ['test/platform/servers/pool.test.ts'],
  },
  {
    what: 'The old server of a site runs on beside the next one.',
    file: 'src/platform/servers/take-over.ts',
    find: 'void endUnused(old, running, { graces, settledMs })',
    replace: 'if (settledMs < 0) await endUnused(old, running, { graces, settledMs })',
    tests: ['test/platform/servers/pool.test.ts'],
  },
  {
    what: 'A server is ended that is live again, since its promote was taken back.',
    file: 'src/platform/servers/take-over.ts',
    find: 'if (running.leases() === before) await end(old, running, graces)',
    replace: 'await end(old, running, graces)',
    tests: ['test/platform/servers/pool.test.ts'],
  },
  {
    what: 'The old server is ended though there is no room for the next one anyway.',
    file: 'src/platform/servers/occupancy.ts',
    find: 'return !hasRoom(held) && hasRoom(without)',
    replace: 'return !hasRoom(held)',
    tests: ['test/platform/servers/pool.test.ts'],
  },
]
