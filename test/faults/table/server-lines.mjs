/** The lines that servers print, and the options of their Node. */
export const faults = [
  {
    what: 'A flood of lines is read in the middle of one.',
    file: 'src/platform/servers/flood-gate.ts',
    find: 'mayRead ? part.indexOf(lineFeed) : -1',
    replace: 'mayRead ? 0 : -1',
    tests: ['test/platform/servers/flood-gate.test.ts'],
  },
  {
    what: 'A chunk of short lines is read in one turn, for which everybody waits.',
    file: 'src/platform/servers/flood-gate.ts',
    find: 'yield chunk.subarray(at, at + partBytes)',
    replace: 'if (at === 0) yield chunk',
    tests: ['test/platform/servers/flood-gate.test.ts'],
  },
  {
    what: 'A flood of lines keeps the embedded database to itself.',
    file: 'src/platform/deployments/log/log-writer.ts',
    find: 'await (isClosed ? nextTurn() : wait(performance.now() - begunMs))',
    replace: 'await nextTurn()',
    tests: ['test/platform/deployments/log/log-writer.test.ts'],
  },
  {
    what: 'The beginning of a line that is dropped joins a later one.',
    file: 'src/platform/sandbox/read-lines.ts',
    find: "      rest = ''\n    },\n    end() {",
    replace: '    },\n    end() {',
    tests: ['test/platform/sandbox/read-lines.test.ts'],
  },
  {
    what: 'The trial of a server prints without end.',
    file: 'src/platform/servers/last-lines.ts',
    find: 'if (left >= 0) onLine(line)',
    replace: 'if (left >= -Infinity) onLine(line)',
    tests: ['test/platform/servers/contained/trial.test.ts'],
  },
  {
    what: 'A debugger that is named with underscores stays among the options of a server.',
    file: 'src/platform/servers/node-options.ts',
    find: '|inspect(?:[-_](?:brk|wait))?)',
    replace: '|inspect(?:-(?:brk|wait))?)',
    tests: ['test/platform/servers/node-options.test.ts'],
  },
]
