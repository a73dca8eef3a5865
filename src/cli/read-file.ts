/** Reads a file that a command is given. */
import { failed } from './failure.ts'

/** The text of the file. @throws Failure that says why it can't be read. */
export async function readTextFile(file: string): Promise<string> {
  // Loaded when needed: most commands read none.
  const { readFile } = await import('node:fs/promises')
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw failed(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`, error)
  })
}
