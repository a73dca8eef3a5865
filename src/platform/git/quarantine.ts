/** Keeps what is fetched apart until it is known to be whole, so that a fetch that fails leaves nothing. */
import { randomBytes } from 'node:crypto'
import { access, copyFile, mkdir, open, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { hasCode } from '../../lib/has-code.ts'
import { type Format, initialize } from './initialize.ts'
import { namesIn } from './names-in.ts'
import { beginWriting } from './writers.ts'

export type Quarantine = {
  /** A bare repository that has the objects of the real one, too. */
  directory: string
  /** Moves all that came into the real repository. */
  release(): Promise<void>
  /** Removes what was not released. */
  close(): Promise<void>
}

const prefix = 'svc-fetch-'

/** Opens one within the repository in `directory`, which is made if there is none. */
export async function openQuarantine(directory: string, format: Format): Promise<Quarantine> {
  const isNew = await access(join(directory, 'HEAD')).then(
    () => false,
    () => true,
  )
  if (isNew) await initialize(directory, format)
  const own = join(directory, `${prefix}${randomBytes(8).toString('hex')}`)
  const endWriting = await beginWriting(directory)
  let isReleased = false
  const quarantine: Quarantine = {
    directory: own,
    async release() {
      await addShallow(directory, await shallowOf(own))
      await movePacks(own, directory)
      isReleased = true
    },
    async close() {
      await rm(isNew && !isReleased ? directory : own, { recursive: true, force: true })
      await endWriting()
    },
  }
  try {
    await initialize(own, format)
    await writeFile(join(own, 'objects', 'info', 'alternates'), '../../objects\n')
    if ((await shallowOf(directory)).length > 0) await copyFile(shallowIn(directory), shallowIn(own))
    return quarantine
  } catch (error) {
    await quarantine.close()
    throw error
  }
}

/** The index comes last: with it a pack counts as there. */
const parts = ['.pack', '.rev', '.idx']

async function movePacks(from: string, to: string): Promise<void> {
  const [source, target] = [join(from, 'objects', 'pack'), join(to, 'objects', 'pack')]
  await mkdir(target, { recursive: true })
  const names = await namesIn(source)
  for (const part of parts)
    for (const name of names.filter((each) => each.endsWith(part)))
      await rename(join(source, name), join(target, name))
}

const shallowIn = (directory: string) => join(directory, 'shallow')

/** The commits whose parents a repository does not have (gitformat-shallow). */
async function shallowOf(directory: string): Promise<string[]> {
  const text = await readFile(shallowIn(directory), 'utf8').catch((error: unknown) => {
    if (hasCode(error, 'ENOENT')) return ''
    throw error
  })
  return text.split('\n').filter(Boolean)
}

/** Changes the file as git does: others wait while there is a lock, which becomes the file. */
async function addShallow(directory: string, commits: string[]): Promise<void> {
  if (commits.length === 0) return
  const lock = `${shallowIn(directory)}.lock`
  const file = await openLock(lock)
  try {
    const all = new Set([...(await shallowOf(directory)), ...commits])
    await file.writeFile([...all, ''].join('\n'))
    await file.close()
    await rename(lock, shallowIn(directory))
  } catch (error) {
    await file.close()
    await rm(lock, { force: true })
    throw error
  }
}

const lockTries = 100
const lockPauseMs = 50

async function openLock(lock: string) {
  for (let tries = 1; ; tries += 1) {
    try {
      return await open(lock, 'wx')
    } catch (error) {
      if (!hasCode(error, 'EEXIST') || tries === lockTries) throw error
      await sleep(lockPauseMs)
    }
  }
}
