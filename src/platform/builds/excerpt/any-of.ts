/**
 * Several patterns as one. They look at each line of each build, which is anybody's text: each of them has to
 * be linear in the length of the line.
 */

/** A pattern that matches where any of these does, whatever the case. */
export function anyOf(patterns: RegExp[]): RegExp {
  return new RegExp(alternatives(patterns), 'i')
}

/** The text of a pattern that matches what any of these does, to build others of. */
export function alternatives(patterns: RegExp[]): string {
  return `(?:${patterns.map(({ source }) => source).join('|')})`
}
