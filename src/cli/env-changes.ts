/** Parses variables: `KEY=value` arguments and `.env` files. */
import { parseEnv } from 'node:util'
import { usageFailure } from './failure.ts'

export type Variable = { key: string; value: string }

/**
 * The variables of `KEY=value` arguments.
 * @throws Failure that names the invalid argument, but never a value.
 */
export function parseAssignments(words: string[]): Variable[] {
  return words.map((word) => {
    const at = word.indexOf('=')
    if (at === -1) throw usageFailure(`${word} has no value: write ${word}=value, or pass ${word} alone.`)
    return { key: checkKey(word.slice(0, at)), value: word.slice(at + 1) }
  })
}

/**
 * The variables of an `.env` file.
 * @throws Failure if there are none, or a name is invalid.
 */
export function parseEnvFile(text: string, source: string): Variable[] {
  const variables = Object.entries(parseEnv(text)).map(([key, value = '']) => ({ key: checkKey(key), value }))
  if (variables.length === 0)
    throw usageFailure(`${source} contains no variables: expected lines of KEY=value.`)
  return variables
}

/** @throws Failure if `key` is no valid name of a variable. */
export function checkKey(key: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,255}$/.test(key)) return key
  throw usageFailure(
    `${JSON.stringify(key)} is not a valid variable name: letters, digits and _, not beginning with a digit.`,
  )
}
