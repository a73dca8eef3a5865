/** The patterns by which a workspace names its packages: `apps/*`, `packages/**`, `!packages/old`. */

/** A longer pattern, in characters, and one of more alternatives in braces names nothing. */
const maxLength = 200
const maxAlternatives = 50

/** Whether a pattern names the folder, and none that begins with `!` takes it out again. */
export function matchesAny(patterns: readonly string[], folder: string): boolean {
  const names = (pattern: string) =>
    alternativesOf(pattern).some((each) => matchesFolder(partsOf(each), folder.split('/')))
  const isOut = (pattern: string) => pattern.startsWith('!')
  return (
    patterns.some((each) => !isOut(each) && names(each)) &&
    !patterns.some((each) => isOut(each) && names(each.slice(1)))
  )
}

/** `apps/*` and `packages/*` for `{apps,packages}/*`. */
function alternativesOf(pattern: string): string[] {
  if (pattern.length > maxLength) return []
  const whole: string[] = []
  const open = [pattern]
  for (let each = open.pop(); each !== undefined; each = open.pop()) {
    const braces = /\{([^{}]*)\}/.exec(each)
    if (!braces) whole.push(each)
    else {
      const [text, inner = ''] = braces
      const [before, after] = [each.slice(0, braces.index), each.slice(braces.index + text.length)]
      open.push(...inner.split(',').map((part) => before + part + after))
    }
    if (open.length + whole.length > maxAlternatives) return []
  }
  return whole
}

const partsOf = (pattern: string) => pattern.split('/').filter((part) => part !== '' && part !== '.')

const matchesFolder = (pattern: readonly string[], folder: readonly string[]) =>
  matchesWith(pattern, folder, { any: '**', isSame: matchesPart })

/** `*` for any characters, `?` for one. */
const matchesPart = (part: string, name: string) =>
  matchesWith([...part], [...name], { any: '*', isSame: (sign, given) => sign === '?' || sign === given })

type Wild = { any: string; isSame: (sign: string, given: string) => boolean }

/** In time of the product of both lengths: only what follows the last `any` is tried again. */
function matchesWith(pattern: readonly string[], given: readonly string[], { any, isSame }: Wild): boolean {
  let at = 0
  let index = 0
  let last: { at: number; index: number } | undefined
  while (index < given.length) {
    const sign = pattern[at]
    if (sign === any) {
      last = { at, index }
      at += 1
    } else if (sign !== undefined && isSame(sign, given[index] ?? '')) {
      at += 1
      index += 1
    } else if (last) {
      last.index += 1
      index = last.index
      at = last.at + 1
    } else return false
  }
  return pattern.slice(at).every((sign) => sign === any)
}
