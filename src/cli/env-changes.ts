/** Reads variables as people write them: `KEY=value` on a line, or a file of them. */
import { parseEnv } from 'node:util'
import { usageFailure } from './failure.ts'

export type Variable = { key: string; value: string }

/**
 * The variables of `KEY=value` arguments.
 * @throws Failure that names the argument that isn't one, but never a value.
 */
export function parseAssignments(words: string[]): Variable[] {
  return words.map((word) => {
    const at = word.indexOf('=')
    if (at === -1) throw usageFailure(`${word} has no value: write ${word}=value, or give ${word} alone.`)
    return { key: checkKey(word.slice(0, at)), value: word.slice(at + 1) }
  })
}

/**
 * The variables in the text of an `.env` file.
 * @throws Failure when there is none, or when a name is wrong.
 */
export function parseEnvFile(text: string, source: string): Variable[] {
  const variables = Object.entries(parseEnv(text)).map(([key, value = '']) => ({ key: checkKey(key), value }))
  if (variables.length === 0) throw usageFailure(`${source} holds no variables: one is a line KEY=value.`)
  return variables
}

/** @throws Failure when `key` can't be the name of a variable. */
export function checkKey(key: string): string {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,255}$/.test(key)) return key
  throw usageFailure(
    `${JSON.stringify(key)} is not a name of a variable: letters, digits and _, not beginning with a digit.`,
  )
}
