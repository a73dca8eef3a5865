/** How many test files run at once. */

/**
 * Tests wait for more than half of their time: for commits, for processes to start, for timers of a second.
 */
const perCore = 2

/** With more, their nodes together would hold too many connections to PostgreSQL. */
const most = 4

/** As many as keep this many cores busy. */
export function workersOn(cores: number): number {
  return Math.min(most, Math.ceil(perCore * cores))
}
