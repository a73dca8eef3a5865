/** Messages as the plain text of a mail. */
import type { Notice, Part } from './notice.ts'
import { cutEscaped, plainLine } from './plain-line.ts'

const maxFact = 200
const maxProblem = 2_000

/** Mail programs make links of these, which nobody but us may place. */
const likeLink = /:(?=\/)|@|www(?=\.)/gi

/** Keeps them apart, and isn't seen. */
const apart = '\u2060'

/** The text, which ends with links of ours, each on a line of its own. */
export function plainText({ title, facts, problem, advice, links }: Notice): string {
  const said = facts.map(partText).join(' · ')
  return [
    `${title}\n${said}`,
    ...(problem === null ? [] : [indented(problem)]),
    ...(advice === null ? [] : [advice]),
    links.map(({ url }) => url).join('\n'),
  ].join('\n\n')
}

function partText(part: Part): string {
  return typeof part === 'string' ? part : harmless(part.said, maxFact) || '-'
}

function indented(problem: string): string {
  return problem
    .split('\n')
    .map((line) => `    ${harmless(line, maxProblem)}`)
    .join('\n')
}

function harmless(text: string, most: number): string {
  return cutEscaped(plainLine(text).replaceAll(likeLink, `$&${apart}`), most, (character) => character)
}
