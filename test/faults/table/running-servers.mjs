/** What people see of servers: their lines, their state, and who may restart them. */
export const faults = [
  {
    what: 'Each answer with a field that no visitor gets has a line of its own.',
    file: 'src/platform/servers/answer-problems.ts',
    find: 'if (lastMs !== undefined && now() < lastMs + quietMs) continue',
    replace: '',
    tests: ['test/platform/servers/pool.test.ts'],
  },
  {
    what: 'A server that prints in a loop fills the log.',
    file: 'src/platform/servers/lines.ts',
    find: 'if (!printed.draw(id, 1).allowed || !write(level, text)) drop()',
    replace: 'if (!write(level, text)) drop()',
    tests: ['test/platform/servers/lines.test.ts'],
  },
  {
    what: 'Lines that wait for the database take as much memory as they like.',
    file: 'src/platform/deployments/log/log-writer.ts',
    find: 'if ((units.get(source) ?? 0) + size > maxWaiting) return false',
    replace: 'if (size > maxWaiting) return false',
    tests: ['test/platform/deployments/log/log-writer.test.ts'],
  },
  {
    what: 'A limited member restarts the servers of a project that is not theirs.',
    file: 'src/platform/servers/restart.ts',
    find: ', isSeen(principal, projects.id))',
    replace: ')',
    tests: ['test/api/routers/ps.test.ts'],
  },
  {
    what: 'A limited member sees the servers of all projects.',
    file: 'src/platform/servers/list-servers.ts',
    find: 'isLeased, isSeen(scope, deployments.projectId), matching',
    replace: 'isLeased, matching',
    tests: ['test/api/routers/ps.test.ts'],
  },
  {
    what: 'What a lost node ran counts as running for ever.',
    file: 'src/platform/deployments/server-state.ts',
    find: ' and ${servers}.lease_until_ms > ${databaseMs}) end`',
    replace: ' and ${databaseMs} > 0) end`',
    tests: ['test/api/routers/ps.test.ts'],
  },
]
