/**
 * How much is measured: all of it, with `--smoke` just enough to see that every benchmark still runs, or with
 * `--guard` enough for a ratio of processor time.
 */
export const isSmoke = process.argv.includes('--smoke')
export const isGuard = process.argv.includes('--guard')

/**
 * `usual`, in a smoke run `smoke`, and for the guard `guard`.
 * @param {number} usual
 * @param {number} smoke
 * @param {number} [guard]
 */
export function amount(usual, smoke, guard = usual) {
  if (isSmoke) return smoke
  return isGuard ? guard : usual
}

/**
 * What is measured beside ours: all of it, or for the guard the first peer alone.
 * @template T
 * @param {T[]} targets
 */
export function withPeers(targets) {
  return isGuard ? targets.slice(0, 2) : targets
}
