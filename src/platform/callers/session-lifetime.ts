/** How long a session lasts after its last use. */
export const sessionLifetimeMs = 14 * 24 * 3_600_000
