/** Which files come compressed, by their names or by a site's rules. */
import type { HeaderRule } from '../../../platform/sites/rules/rules.ts'
import { type Coding, codings } from '../../../stores/blobs/encodings.ts'
import { compilePattern, type Match, toRulePath } from './match-pattern.ts'

/** The content coding (RFC 9110, section 8.4.1) that the file at `path` has already, if any. */
export type FindCoding = (path: string) => Coding | undefined

/** SVG's own compressed form is gzip (SVG 1.1, section 1.2). */
const compressedByName = /\.svgz$/i

/** Finds the coding of a file: that of the last of its rules. */
export function createFindCoding(rules: readonly HeaderRule[]): FindCoding {
  const compiled = rules.flatMap(compileRule).reverse()
  return (path) => {
    const rulePath = toRulePath(path)
    const found = compiled.find(({ match }) => match(rulePath))?.coding
    return found ?? (compressedByName.test(path) ? 'gzip' : undefined)
  }
}

function compileRule({ at, changes }: HeaderRule): { match: Match; coding: Coding }[] {
  const change = changes.findLast(({ name }) => name.toLowerCase() === contentEncoding)
  const coding = codings.find((each) => change?.value?.length === 1 && change.value[0] === each)
  return coding === undefined ? [] : [{ match: compilePattern(at), coding }]
}

/** The header of these rules, in lower case. */
export const contentEncoding = 'content-encoding'
