/** Parses variables: `KEY=value` arguments and `.env` files. */
import { type Assignment, EnvFileError, parseEnvFile } from '../lib/env-file.ts'
import { usageFailure } from './command-failure.ts'

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
 * The variables of a `.env` file; of several with one name, the last.
 * @throws Failure if there are none, a name is invalid, or a line can't be meant.
 */
export function readVariables(text: string, source: string): Variable[] {
  const found = new Map(assignmentsOf(text, source).map(({ key, value, line }) => [key, { value, line }]))
  if (found.size === 0) throw usageFailure(`${source} contains no variables: expected lines of KEY=value.`)
  return [...found].map(([key, { value, line }]) => ({
    key: checkKey(key, `${source}, line ${line}: `),
    value,
  }))
}

function assignmentsOf(text: string, source: string): Assignment[] {
  try {
    return parseEnvFile(text)
  } catch (error) {
    if (error instanceof EnvFileError) throw usageFailure(`${source}, ${error.message}`)
    throw error
  }
}

/** @throws Failure if `key` is no valid name of a variable; `where` begins its message. */
export function checkKey(key: string, where = ''): string {
  if (/^[A-Za-z_][A-Za-z0-9_]{0,255}$/.test(key)) return key
  throw usageFailure(
    `${where}${JSON.stringify(key)} is not a valid variable name: ` +
      'letters, digits and _, not beginning with a digit.',
  )
}
