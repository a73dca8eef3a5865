/** Servers that run without requests: they stay, within the room of their team and of all. */
export const faults = [
  {
    what: 'A node that can run no server does not say so to the members.',
    file: 'src/platform/servers/start-refusals.ts',
    find: "log.say('error', `The server is not started: ${message}`)",
    replace: 'void message',
    tests: ['test/platform/servers/pool.test.ts'],
  },
  {
    what: 'A server that is to be kept running is stopped when it is idle.',
    file: 'src/platform/servers/pool.ts',
    find: ' || keeper.isKept(slot.server)',
    replace: '',
    tests: ['test/platform/servers/keep-running.test.ts'],
  },
  {
    what: 'A server that is to be kept running gives way to others.',
    file: 'src/platform/servers/occupancy.ts',
    find: ' + (isKept(running.key) ? 1 : 0)',
    replace: '',
    tests: ['test/platform/servers/keep-running.test.ts'],
  },
  {
    what: 'A server that is to be kept running starts again and again without a pause.',
    file: 'src/platform/servers/server-slot.ts',
    find: 'const isPausing = crash !== undefined && nowMs() < crash.untilMs',
    replace: 'const isPausing = crash !== undefined && nowMs() < 0',
    tests: ['test/platform/servers/keep-running.test.ts'],
  },
  {
    what: 'All teams together keep servers running in the whole room of a node.',
    file: 'src/platform/projects/room-to-keep.ts',
    find: 'return takeWithin(inTurn, partOf(room, 2))',
    replace: 'return takeWithin(inTurn, room)',
    tests: ['test/platform/servers/keep-running.test.ts'],
  },
  {
    what: 'A team may keep servers running in the whole room of a node.',
    file: 'src/platform/projects/room-to-keep.ts',
    find: 'if (takeWithin([...kept, own], partOf(room, 4)).includes(own)) return',
    replace: 'if (takeWithin([...kept, own], room).includes(own)) return',
    tests: ['test/api/routers/kept-servers.test.ts'],
  },
  {
    what: 'A server that is kept running grows beyond the room of its team.',
    file: 'src/platform/projects/room-to-keep.ts',
    find: 'if (wanted.min === 0 || (before.min > 0 && wanted.memory_bytes <= before.memory_bytes)) return',
    replace: 'if (wanted.min === 0 || before.min > 0) return',
    tests: ['test/api/routers/kept-servers.test.ts'],
  },
]
