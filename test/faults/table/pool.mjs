/** The servers that a node runs. */
const pool = ['test/platform/servers/pool.test.ts']
const fair = ['test/platform/servers/fair.test.ts']

export const faults = [
  {
    what: 'A server with requests is ended to make room.',
    file: 'src/platform/servers/fair.ts',
    find: '!isKept(each) && ',
    replace: '',
    tests: fair,
  },
  {
    what: "A team above its share takes another team's place.",
    file: 'src/platform/servers/fair.ts',
    find: 'return afterwards <= share || useOf(teamId, left) > afterwards',
    replace: 'return afterwards <= share || useOf(teamId, left) > 0',
    tests: fair,
  },
  {
    what: 'An untrusted project has more than one process.',
    file: 'src/platform/servers/fair.ts',
    find: 'one.isUntrusted && other.isUntrusted && one.projectId === other.projectId',
    replace: 'one.isUntrusted && other.isUntrusted && one === other',
    tests: fair,
  },
  {
    what: 'Two starts take the same place.',
    file: 'src/platform/servers/occupancy.ts',
    find: '      places.add(place)\n',
    replace: '',
    tests: pool,
  },
  {
    what: 'A server that crashed is started again without a pause.',
    file: 'src/platform/servers/server-slot.ts',
    find: 'if (crash && nowMs() < crash.untilMs) throw refusalOf(crash)',
    replace: '',
    tests: pool,
  },
  {
    what: 'Any number of requests waits for a start.',
    file: 'src/platform/servers/holds.ts',
    find: '[`server ${server}`, ofServer],\n        ',
    replace: '',
    tests: pool,
  },
  {
    what: 'A WebSocket keeps the place of a preview for as long as its tab is open.',
    file: 'src/platform/servers/fair.ts',
    find: 'return requests > (isOfProduction(running) ? 0 : oldSockets)',
    replace: 'return requests > 0',
    tests: [...fair, ...pool],
  },
  {
    what: 'One address takes all places before the servers that start.',
    file: 'src/platform/servers/holds.ts',
    find: 'if (address !== undefined) most.set(`address ${address}`, ofAddress)',
    replace: '',
    tests: pool,
  },
  {
    what: 'One address wakes as many servers as it likes.',
    file: 'src/platform/servers/start-rates.ts',
    find: 'if (byAddress?.allowed === false) throw tooMany(byAddress.waitMs)',
    replace: '',
    tests: pool,
  },
  {
    what: 'A server is stopped while requests are under way.',
    file: 'src/platform/servers/pool.ts',
    find: 'if (!running || running.requests() > 0) continue',
    replace: 'if (!running) continue',
    tests: pool,
  },
  {
    what: 'A server goes on when its project is deleted.',
    file: 'src/platform/servers/watch-deployments.ts',
    find: 'if (restartedMs === undefined) slot.remove(graces)\n      else',
    replace: 'if (restartedMs !== undefined)',
    tests: pool,
  },
  {
    what: 'A restart cuts the requests that are under way.',
    file: 'src/platform/servers/running-server.ts',
    find: '    await within(requestsMs, Promise.race([none, gone]), () => {})\n',
    replace: '',
    tests: pool,
  },
  {
    what: 'A process of the node that was killed keeps its leases of servers.',
    file: 'src/platform/servers/serve-servers.ts',
    find: '      for (const id of leases.keys()) end(id)\n',
    replace: '',
    tests: ['test/platform/servers/serve-servers.test.ts'],
  },
  {
    what: 'An untrusted server gets the variables of its project.',
    file: 'src/platform/servers/start-deployed.ts',
    find: 'isUntrusted ? {} : openEnv(',
    replace: 'isUntrusted && target === undefined ? {} : openEnv(',
    tests: ['test/platform/servers/contained/deployed.test.ts'],
  },
]
