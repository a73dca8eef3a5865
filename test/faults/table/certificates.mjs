/** Certificates: orders, renewals, what is served to whom. */
export const faults = [
  {
    what: 'Two workers order the same certificate.',
    file: 'src/certificates/queue.ts',
    find: ".where(and(eq(certificates.name, name), eq(certificates.source, 'acme'), eq(certificates.dueMs, dueMs)))",
    replace: ".where(and(eq(certificates.name, name), eq(certificates.source, 'acme'), sql`${dueMs} >= 0`))",
    tests: ['test/certificates/queue.test.ts'],
  },
  {
    what: 'A worker that has lost its lease writes to the row all the same.',
    file: 'src/certificates/queue.ts',
    find: 'if (written.length === 0) throw new LostClaimError()',
    replace: 'if (written.length > 1) throw new LostClaimError()',
    tests: ['test/certificates/queue.test.ts'],
  },
  {
    what: 'One team may use up the orders that the authority allows.',
    file: 'src/certificates/queue.ts',
    find: 'recentOf(each) < maxTeamOrders',
    replace: 'recentOf(each) < maxOrders + maxTeamOrders',
    tests: ['test/certificates/queue.test.ts'],
  },
  {
    what: 'Certificates are ordered for domains that do not lead here.',
    file: 'src/certificates/queue.ts',
    find: 'eq(domains.configured, true)',
    replace: 'isNotNull(domains.configured)',
    tests: ['test/certificates/queue.test.ts'],
  },
  {
    what: 'A certificate of another name is accepted.',
    file: 'src/certificates/chain.ts',
    find: 'if (missing !== undefined) throw new Error(`is not for ${missing}`)',
    replace: "if (missing === '') throw new Error(`is not for ${missing}`)",
    tests: ['test/certificates/chain.test.ts'],
  },
  {
    what: 'A certificate may be uploaded for a name that is not verified.',
    file: 'src/domains/put.ts',
    find: 'if (changes.certificate && !seen?.verifiedMs) throw',
    replace: 'if (changes.certificate && !seen) throw',
    tests: ['test/certificates/own.test.ts'],
  },
  {
    what: 'Any address may say whose connection it passes on.',
    file: 'src/net/proxy-protocol.ts',
    find: "if (!isTrusted(socket.remoteAddress ?? '')) return undefined",
    replace: "if (isTrusted('')) return undefined",
    tests: ['test/edge/proxy-protocol.test.ts'],
  },
  {
    what: 'Short-lived certificates are renewed when they have expired.',
    file: 'src/certificates/renewal.ts',
    find: '((notAfterMs - notBeforeMs) * 2) / 3',
    replace: '((notAfterMs - notBeforeMs) * 3) / 3',
    tests: ['test/certificates/renewal.test.ts'],
  },
]
