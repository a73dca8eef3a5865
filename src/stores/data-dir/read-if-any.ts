/** Reads a file that may not exist. */
import { readFile } from 'node:fs/promises'
import { hasCode } from '../../lib/has-code.ts'

/** The file's text, or undefined if there is no such file. Other errors reject as `readFile` does. */
export async function readIfAny(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}
