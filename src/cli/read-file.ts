/** Reads a file argument. */
import { failed } from './failure.ts'

/** The text of the file. @throws Failure with the reason if it can't be read. */
export async function readTextFile(file: string): Promise<string> {
  // Loaded on demand: most commands read no file.
  const { readFile } = await import('node:fs/promises')
  return readFile(file, 'utf8').catch((error: unknown) => {
    throw failed(`${file} can't be read: ${error instanceof Error ? error.message : String(error)}`, error)
  })
}
