/** The file in a blob directory with an id of its own, by which nodes tell whether they use the same one. */
import { randomUUID } from 'node:crypto'
import { link, open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hasCode } from '../../lib/has-code.ts'
import { readIfAny } from '../data-dir/read-if-any.ts'
import { syncDirectory } from './sync-directory.ts'

const fileName = 'directory'

/** The id of the directory, which is made once; when nodes make it at the same time, they get the same. */
export async function directoryIdOf(directory: string): Promise<string> {
  const path = join(directory, fileName)
  const known = await readIfAny(path)
  if (known !== undefined) return known.trim()
  const draft = `${path}.draft-${randomUUID()}`
  try {
    const file = await open(draft, 'wx', 0o600)
    try {
      await file.writeFile(`${randomUUID()}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    // Unlike a renamed file, it replaces none.
    await link(draft, path).catch((error: unknown) => {
      if (!hasCode(error, 'EEXIST')) throw error
    })
    await syncDirectory(directory)
  } finally {
    await rm(draft, { force: true })
  }
  return directoryIdOf(directory)
}
