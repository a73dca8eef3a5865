/** A place of one push for what git puts aside, which git itself leaves there when it is killed. */
import { mkdir, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { newOwnedName } from './owned-names.ts'

/**
 * Runs `work` with a directory of objects (`GIT_OBJECT_DIRECTORY`) that has the packs of the repository in
 * `directory`: git moves accepted ones there, and all else goes at the end. There are no loose objects.
 */
export async function withOwnObjects<T>(
  directory: string,
  work: (objects: string) => Promise<T>,
): Promise<T> {
  const objects = join(directory, newOwnedName('svc-objects-'))
  try {
    await mkdir(objects, { mode: 0o700 })
    for (const name of ['pack', 'info']) await symlink(join('..', 'objects', name), join(objects, name))
    return await work(objects)
  } finally {
    // Processes of git may still be ending.
    await rm(objects, { recursive: true, force: true, maxRetries: 5, retryDelay: 100 })
  }
}
