/** Names that bundlers wrote, and names that stay the same while their content changes. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const directory = import.meta.dirname

/**
 * The names of one bundler's output, all with a hash: a third of them, with two of each form. `source` is the
 * tool, its version and what it ran with.
 */
export type Output = { source: string; names: string[] }

/** A file for each bundler, with its source in the first line. */
export function readOutputs(): Output[] {
  return readdirSync(join(directory, 'output')).map((file) => {
    const [source = '', ...names] = linesOf(join('output', file))
    return { source: source.replace('# ', ''), names }
  })
}

/** Names without a hash of their content: words as they are, and of what programs make two of each form. */
export function readStableNames(): string[] {
  return linesOf('stable.txt').filter((line) => !line.startsWith('#'))
}

function linesOf(file: string): string[] {
  return readFileSync(join(directory, file), 'utf8').trimEnd().split('\n')
}
