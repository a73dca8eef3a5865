/** What forges send, and what they are sent. */
export const faults = [
  {
    what: 'A delivery of a forge needs no signature.',
    file: 'src/platform/forges/events/verify-delivery.ts',
    find: 'given.every(([name, prefix])',
    replace: 'given.slice(1).every(([name, prefix])',
    tests: ['test/platform/forges/events/verify-delivery.test.ts'],
  },
  {
    what: 'A delivery of another repository is taken.',
    file: 'src/platform/forges/events/matches-repository.ts',
    find: 'place !== undefined && urls.some((url) => placeOf(url) === place)',
    replace: 'place !== undefined && urls.some((url) => placeOf(url) !== configuredUrl)',
    tests: ['test/platform/forges/events/matches-repository.test.ts'],
  },
  {
    what: 'A request that somebody has seen is taken again with another id.',
    file: 'src/api/server/hooks/mount-forge.ts',
    find: "provider === 'gitlab' ? proof.id : hash('sha256', body)",
    replace: "provider === 'gitlab' ? hash('sha256', body) : proof.id",
    tests: ['test/platform/forges/deliveries/deploy.test.ts'],
  },
  {
    what: 'A changed address gets the token of the one before.',
    file: 'src/platform/projects/repository.ts',
    find: 'before?.url === url ? before : undefined',
    replace: 'before ?? undefined',
    tests: ['test/api/routers/projects-repository.test.ts'],
  },
  {
    what: 'A pull request of a fork is deployed as one of the team.',
    file: 'src/platform/forges/deliveries/work.ts',
    find: 'if (event.fork) return',
    replace: "if (event.fork && event.base === '') return",
    tests: ['test/platform/forges/deliveries/deploy.test.ts'],
  },
  {
    what: 'A project goes on deploying in the name of somebody who left.',
    file: 'src/platform/forges/find-repository.ts',
    find: 'userId !== null && sees({ projects: limits }, projectId) ? userId : null',
    replace: 'userId ?? (sees({ projects: limits }, projectId) ? projectId : null)',
    tests: ['test/platform/forges/deliveries/deploy.test.ts'],
  },
  {
    what: 'A team may have any number of lines about git.',
    file: 'src/platform/git/log-lines.ts',
    find: 'join room on place <= room.free',
    replace: 'join room on place <= room.free + 100',
    tests: ['test/platform/git/log-lines.test.ts'],
  },
  {
    what: 'Refs that are no branches stay on the disk, push after push.',
    file: 'src/api/server/git/take-push.ts',
    find: 'if (projectId !== undefined && !isAsDeployed)',
    replace: 'if (projectId !== undefined && isAsDeployed)',
    tests: ['test/api/server/git/attacks.test.ts'],
  },
]
