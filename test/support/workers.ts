/** How many test files run at once. */

/** Tests also wait: for commits, for processes to start, for timers of a second. */
const perCore = 1.5

/** With more, their nodes together would hold too many connections to PostgreSQL. */
const most = 4

/** As many as keep this many cores busy. */
export function workersOn(cores: number): number {
  return Math.min(most, Math.ceil(perCore * cores))
}
