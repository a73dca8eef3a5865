/** Faults by which limited members see or do more than their limit says. */
export const faults = [
  {
    what: 'A limited member reads zones.',
    file: 'src/api/trpc/guard.ts',
    find: "if (typeof limited === 'object') throw new AppError(limited.reason, limited.message)",
    replace: '',
    tests: ['test/api/server/limited-members.test.ts'],
  },
  {
    what: 'A limited member opens protected sites of other projects.',
    file: 'src/roles/edge/admit-request.ts',
    find: ' && sees(principal, site.projectId)',
    replace: '',
    tests: ['test/platform/callers/protected-site.test.ts'],
  },
  {
    what: 'A stream of a limited member has events of other projects.',
    file: 'src/stores/events/live/follow.ts',
    find: 'if (isIn(seen, event)) yield event',
    replace: 'yield event',
    tests: ['test/platform/callers/scope.test.ts'],
  },
  {
    what: 'A stored response is replayed to whom it is not for any more.',
    file: 'src/api/trpc/call.ts',
    find: 'if (isReplayed) await requireSeenNow(ctx, answer)',
    replace: 'void requireSeenNow',
    tests: ['test/platform/callers/scope.test.ts'],
  },
  {
    what: 'A limited member who knows a digest deploys a file of another project.',
    file: 'src/platform/deployments/missing-files.ts',
    find: 'for (const sha256 of seen) named.delete(sha256)',
    replace: 'if (seen) named.clear()',
    tests: ['test/platform/callers/scope.test.ts'],
  },
  {
    what: 'The overview of a member without any project counts the whole team.',
    file: 'src/platform/observability/team-counts.ts',
    find: "`${teamId} ${projects.join(',')}`",
    replace: "[teamId, ...(projects.length > 0 ? [projects.join(',')] : [])].join(' ')",
    tests: ['test/platform/callers/scope.test.ts'],
  },
  {
    what: 'A call that waited answers by the limit of when it began.',
    file: 'src/api/routers/observability.ts',
    find: 'isSameReader(principal, now) ? page',
    replace: 'isSameReader(principal, principal) ? page',
    tests: ['test/platform/callers/scope.test.ts'],
  },
]
