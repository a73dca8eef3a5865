/** Reads a file that may not exist. */
import { readFile } from 'node:fs/promises'

/** The file's text, or undefined if there is no such file. Other errors reject as `readFile` does. */
export async function readIfAny(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined
    throw error
  }
}

/** Whether this is the system error `code`, such as `EEXIST`. */
export function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
