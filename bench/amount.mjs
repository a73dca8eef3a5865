/** How much is measured: all of it, or with `--smoke` just enough to see that every benchmark still runs. */
export const isSmoke = process.argv.includes('--smoke')

/**
 * `usual`, or in a smoke run `smoke`.
 * @param {number} usual
 * @param {number} smoke
 */
export function amount(usual, smoke) {
  return isSmoke ? smoke : usual
}
