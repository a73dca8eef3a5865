/** For how long work is a worker's once it has taken it. */

/** Work of a worker that hasn't been heard of for this long is taken by another. */
export const leaseMs = 20_000

/** How often a worker extends the lease of what it works on. */
export const heartbeatMs = 5_000
