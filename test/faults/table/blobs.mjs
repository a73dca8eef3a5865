/** Files: to whom a store belongs, how much a team may store, and what is put aside. */
export const faults = [
  {
    what: 'A store of files that the database knows nothing of is taken for its own.',
    file: 'src/blobs/belonging.ts',
    find: 'if (!belonging.isEmpty && !isFound) throw',
    replace: 'if (!belonging.isEmpty && !isFound && belonging.sampled > 0) throw',
    tests: ['test/blobs/belonging.test.ts'],
  },
  {
    what: 'A store that has a few of the files that the database knows is taken for its own.',
    file: 'src/blobs/belonging.ts',
    find: 'belonging.found >= belonging.sampled * enoughShare',
    replace: 'belonging.found >= 1 - enoughShare',
    tests: ['test/blobs/belonging.test.ts'],
  },
  {
    what: 'A database without an id takes over the files of another installation.',
    file: 'src/blobs/belonging.ts',
    find: 'if (!isFound || (await makeId(db, owner)) !== owner) throw',
    replace: 'if ((await makeId(db, owner)) !== owner) throw',
    tests: ['test/blobs/belonging.test.ts'],
  },
  {
    what: 'Room that was given to others counts as free.',
    file: 'src/blobs/quota.ts',
    find: 'limit - used - (reserved?.bytes ?? 0)',
    replace: 'limit - used - 0 * (reserved?.bytes ?? 0)',
    tests: ['test/blobs/quota.test.ts'],
  },
  {
    what: 'Room that was kept for a node that died is kept for ever.',
    file: 'src/blobs/quota.ts',
    find: 'and(ofTeam, lte(storageReservations.expiresMs, nowMs))',
    replace: 'and(ofTeam, lte(storageReservations.expiresMs, nowMs - keptMs * 24))',
    tests: ['test/blobs/quota.test.ts'],
  },
  {
    what: 'An upload that took longer than its room was kept goes beyond the quota.',
    file: 'src/blobs/quota.ts',
    find: 'if (deps.nowMs() >= taken.expiresMs) taken = await take()',
    replace: 'if (deps.nowMs() < 0) taken = await take()',
    tests: ['test/blobs/quota.test.ts'],
  },
  {
    what: 'The trash may grow beyond its most bytes.',
    file: 'src/blobs/trash.ts',
    find: 'if (tooMany <= 0) break',
    replace: 'if (tooMany <= 0 || day >= beforeDay) break',
    tests: ['test/blobs/file-store.test.ts'],
  },
  {
    what: 'What was put aside goes a day early.',
    file: 'src/blobs/trash.ts',
    find: 'if (day >= beforeDay) {',
    replace: 'if (day > beforeDay) {',
    tests: ['test/blobs/file-store.test.ts'],
  },
]
