/** How long a claim of work is valid. */

/** Work whose worker hasn't extended its lease for this long is claimed by another. */
export const leaseMs = 20_000

/** How often a worker extends its leases. */
export const heartbeatMs = 5_000
