/** The command. */
export const faults = [
  {
    what: 'What somebody has named a project acts on the terminal.',
    file: 'src/cli/terminal/output.ts',
    find: "    .replace(unsafe, '')\n",
    replace: '',
    tests: ['test/cli/terminal/output.test.ts'],
  },
  {
    what: 'A link out of the site publishes files of the machine.',
    file: 'src/cli/deploy/walk-site.ts',
    find: 'if (!relative(root, target).startsWith(`..${sep}`) && statSync(target).isFile()) return',
    replace: 'if (statSync(target).isFile()) return',
    tests: ['test/cli/deploy/walk-site.test.ts'],
  },
  {
    what: 'The secrets in .env are published.',
    file: 'src/cli/deploy/walk-site.ts',
    find: '|\\.env|\\.env\\..*|',
    replace: '|\\.env\\..*|',
    tests: ['test/cli/deploy/walk-site.test.ts'],
  },
  {
    what: 'A file that was changed right after it was read is not read again.',
    file: 'src/cli/deploy/memory.ts',
    find: 'isTooNew(readMs, modifiedMs) || isTooNew(readMs, changedMs)',
    replace: 'readMs < 0',
    tests: ['test/cli/deploy/memory.test.ts'],
  },
  {
    what: 'The key of one server is sent to another.',
    file: 'src/cli/connection/credentials.ts',
    find: 'const token = readConfig(configPath(io.env)).tokens[url]',
    replace: 'const [token] = Object.values(readConfig(configPath(io.env)).tokens)',
    tests: ['test/cli/login.test.ts'],
  },
]
