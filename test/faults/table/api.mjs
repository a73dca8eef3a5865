/** What a call passes on its way, and what is told of a team. */
export const faults = [
  {
    what: 'A member does what is for owners.',
    file: 'src/trpc/authorize.ts',
    find: "if (requiredRoles[name] === 'owner') requireOwner",
    replace: "if (requiredRoles[name] === 'owner of it') requireOwner",
    tests: ['test/trpc/authorize.test.ts'],
  },
  {
    what: 'Text with a NUL is a fault of ours.',
    file: 'src/trpc/check-input.ts',
    find: "return text.isWellFormed() && !text.includes('\\u0000')",
    replace: 'return text.isWellFormed()',
    tests: ['test/trpc/wire.test.ts', 'test/server/json-bodies.test.ts', 'test/server/rest-bodies.test.ts'],
  },
  {
    what: 'The message of an unknown error is told to the client.',
    file: 'src/trpc/error-body.ts',
    find: "'Internal error. Give the operator the request_id.'",
    replace: "error instanceof Error ? error.message : ''",
    tests: ['test/server/internal-errors.test.ts'],
  },
  {
    what: 'The page of a link runs what stands in its address.',
    file: 'src/server/auth/page.ts',
    find: '.replaceAll(/[&<>"\']/g,',
    replace: ".replaceAll(/[&']/g,",
    tests: ['test/server/auth/page.test.ts'],
  },
  {
    what: 'The page of a link is shown within pages of others.',
    file: 'src/server/auth/page.ts',
    find: '    "frame-ancestors \'none\'",\n',
    replace: '',
    tests: ['test/server/auth/page.test.ts'],
  },
  {
    what: 'Signing in may be tried as often as one likes.',
    file: 'src/server/auth/mount.ts',
    find: '(request, reply, done) => limitAddress(limiting, { request, reply }, done)',
    replace:
      "(request, reply, done) =>\n      request.method === 'HEAD' ? limitAddress(limiting, { request, reply }, done) : done(),\n    ",
    tests: [
      'test/auth/people/sign-in.test.ts',
      'test/auth/people/links.test.ts',
      'test/server/rate-limits.test.ts',
    ],
  },
  {
    what: 'A call that came in the body’s time counts with the key that was revoked meanwhile.',
    file: 'src/server/request-state.ts',
    find: "if (method === 'GET' || method === 'HEAD' || !before || !presented) {",
    replace: "if (method !== 'DELETE' || !before || !presented) {",
    tests: ['test/auth/revocation.test.ts', 'test/server/half-sent.test.ts'],
  },
  {
    what: 'An operation does not tell that it may be refused to members.',
    file: 'src/server/openapi/errors.ts',
    find: "each === name && role !== 'member'",
    replace: "each === name && role === 'owner of it'",
    tests: ['test/server/openapi.test.ts', 'test/server/contract/every-answer.test.ts'],
  },
  {
    what: 'A list gives as many rows as are asked for.',
    file: 'src/routers/schemas.ts',
    find: 'z.int().min(1).max(100).default(20)',
    replace: 'z.int().min(1).max(100_000).default(20)',
    tests: ['test/routers/cursors.test.ts', 'test/routers/projects-list.test.ts'],
  },
  {
    what: 'A team reads the lines of another one’s deployment.',
    file: 'src/observability/logs/lines.ts',
    find: '.where(and(isOfTeam(logLines.teamId, teamId), ...alsoOfProject(',
    replace: '.where(and(...alsoOfProject(',
    tests: ['test/routers/logs.test.ts', 'test/routers/tenants.test.ts'],
  },
]
