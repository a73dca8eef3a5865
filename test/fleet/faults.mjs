/**
 * Faults of the program that a run must catch: `npm run fleet -- --with-fault <name>`. Each is planted in a
 * copy of the project, whose nodes then meet the disturbances with `only` in their names for so many minutes.
 */
export const faults = {
  'stale-edge': {
    what: 'The edges keep sites for a minute, and hear nothing of other nodes.',
    changes: [
      {
        file: 'src/stores/db/store.ts',
        find: 'if (message?.node === node) return',
        replace: "if (message?.node !== '') return",
      },
      { file: 'src/roles/edge/sites.ts', find: 'const maxAgeMs = 900', replace: 'const maxAgeMs = 60_000' },
    ],
    only: 'Redis',
    minutes: 0.3,
    caughtBy: 'stale read',
  },
  'revoked-keys': {
    what: 'Revoked keys are accepted for a minute, except by the node that revoked them.',
    changes: [
      {
        file: 'src/stores/db/store.ts',
        find: 'if (message?.node === node) return',
        replace: "if (message?.node !== '') return",
      },
      {
        file: 'src/platform/callers/caller-caches.ts',
        find: 'const maxAgeMs = 900',
        replace: 'const maxAgeMs = 60_000',
      },
    ],
    only: 'Redis',
    minutes: 0.3,
    caughtBy: 'stale read',
  },
  'early-delivery': {
    what: 'A worker records that a webhook request was delivered before it sends it.',
    changes: [
      {
        file: 'src/platform/webhooks/delivery/claim-delivery.ts',
        find: '.set({ leaseMs: nowMs + attemptLeaseMs,',
        replace: ".set({ status: 'delivered', leaseMs: nowMs + attemptLeaseMs,",
      },
    ],
    only: 'kill -9 worker',
    minutes: 0.7,
    caughtBy: 'lost webhook',
  },
  'unsynced-commits': {
    what: 'Changes are acknowledged before PostgreSQL has written them.',
    changes: [
      {
        file: 'src/stores/db/open-database.ts',
        find: "application_name: 'svc',",
        replace: "application_name: 'svc', synchronous_commit: 'off',",
      },
    ],
    only: 'PostgreSQL crashes',
    minutes: 0.7,
    caughtBy: 'not linearizable',
  },
  'shared-digests': {
    what: 'A digest is enough to deploy the file of another team.',
    changes: [
      {
        file: 'src/stores/blobs/known-blobs.ts',
        find: 'teamId + sha256',
        replace: 'teamId.slice(0, 5) + sha256',
      },
    ],
    only: 'Redis',
    minutes: 0.5,
    caughtBy: "another team's bytes",
  },
}
