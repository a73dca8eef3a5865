/** Fills placeholders in the texts of rules. */
import type { Part } from '../../../platform/sites/rules/rules.ts'
import type { Values } from './match-pattern.ts'

/**
 * The text of `parts` with `values` in it, encoded by `encode`; undefined if it exceeds `maxCharacters`: a
 * visitor can make a path long, and a rule may repeat it.
 */
export function fill(
  parts: readonly Part[],
  values: Values,
  encode: (value: string) => string,
  maxCharacters: number,
): string | undefined {
  let text = ''
  for (const part of parts) {
    text += typeof part === 'string' ? part : encode(values.get(part.name) ?? '')
    if (text.length > maxCharacters) return undefined
  }
  return text
}
