/** Clean-ups of what tests create. */
import { rm } from 'node:fs/promises'
import { afterAll } from 'vitest'
import { createDatabase } from './databases.ts'
import { newDataDirectory } from './program.ts'

export type CleanUps = {
  /** Runs this after all tests of the file or suite; the last added runs first. */
  add(cleanUp: () => Promise<unknown>): void
  /** Creates a directory, and removes it then. */
  newDirectory(): Promise<string>
  /** Creates a database on `server`, drops it then, and returns its URL. */
  newDatabase(server: string | undefined): Promise<string>
}

/** Call it where `afterAll` may be called. */
export function createCleanUps(): CleanUps {
  const cleanUps: (() => Promise<unknown>)[] = []
  const add = (cleanUp: () => Promise<unknown>): void => void cleanUps.push(cleanUp)
  afterAll(async () => {
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  })
  return {
    add,
    async newDirectory() {
      const directory = await newDataDirectory()
      add(() => rm(directory, { recursive: true, force: true }))
      return directory
    },
    async newDatabase(server) {
      const database = await createDatabase(server ?? '')
      add(() => database.drop())
      return database.url
    },
  }
}
