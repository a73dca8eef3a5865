/** Builds: who runs them, in what, and what is taken out of them. */
export const faults = [
  {
    what: 'Short values of the environment are left in logs.',
    file: 'src/builds/redact.ts',
    find: 'printed.length >= minLength && ',
    replace: 'printed.length >= minLength * 4 && ',
    tests: ['test/builds/redact.test.ts'],
  },
  {
    what: 'A secret in base64 is left in logs.',
    file: 'src/builds/redact.ts',
    find: 'return [json, encodeURIComponent(value.toWellFormed()), base64]',
    replace: 'return [json, encodeURIComponent(value.toWellFormed()), base64.toLowerCase()]',
    tests: ['test/builds/redact.test.ts'],
  },
  {
    what: 'A link in the output takes files of the host along.',
    file: 'src/builds/collect-output.ts',
    find: 'if (directory !== undefined && isBelow(directory, workspace)) {',
    replace: "if (directory !== undefined && (isBelow(directory, workspace) || directory !== '')) {",
    tests: ['test/builds/collect-output.test.ts'],
  },
  {
    what: 'The filter of system calls lets calls of another machine through.',
    file: 'src/builds/sandbox/call-filter.ts',
    find: '{ code: codes.isAtLeast, value: foreignFrom, ifNot: 1 },\n    kill,',
    replace: '{ code: codes.isAtLeast, value: foreignFrom, ifNot: 1 },\n    allow,',
    tests: ['test/builds/sandbox/call-filter.test.ts'],
  },
  {
    what: 'The filter of system calls allows what it should refuse.',
    file: 'src/builds/sandbox/call-filter.ts',
    find: '[fail(refusal.errno)] : lookAtArgument(refusal)',
    replace: '[allow] : lookAtArgument(refusal)',
    tests: ['test/builds/sandbox/call-filter.test.ts'],
  },
  {
    what: 'A build makes namespaces of its own, in which it is root.',
    file: 'src/builds/sandbox/refused-calls.ts',
    find: 'const newNamespaces = 0x7e02_0000',
    replace: 'const newNamespaces = 0x6e02_0000',
    tests: ['test/builds/sandbox/call-filter.test.ts', 'test/builds/sandbox/contained/escapes.test.ts'],
  },
  {
    what: 'A build talks to the machine around its own by AF_VSOCK.',
    file: 'src/builds/sandbox/refused-calls.ts',
    find: 'const families = [1, 2, 10, 16]',
    replace: 'const families = [1, 2, 10, 16, 40]',
    tests: ['test/builds/sandbox/call-filter.test.ts', 'test/builds/sandbox/contained/escapes.test.ts'],
  },
  {
    what: 'A secret that lies across two chunks is in the log.',
    file: 'src/builds/sandbox/read-lines.ts',
    find: 'const holdBack = Math.max(1, redactor.longest)',
    replace: 'const holdBack = Math.min(1, redactor.longest)',
    tests: ['test/builds/sandbox/read-lines.test.ts'],
  },
]
