/** Whether what goes to a stream may have colours. */

/** At a terminal that has them, where the user allows it (https://no-color.org). */
export function isColoured(
  { isTTY }: { isTTY?: boolean | undefined },
  env: Record<string, string | undefined>,
): boolean {
  return isTTY === true && !env.NO_COLOR && env.TERM !== 'dumb'
}
