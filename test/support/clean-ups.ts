/** What tests make for themselves, and take away in the end. */
import { rm } from 'node:fs/promises'
import { afterAll } from 'vitest'
import { createDatabase } from './databases.ts'
import { newDataDirectory } from './program.ts'

export type CleanUps = {
  /** Runs this after all tests of the file, or of the suite: the latest first. */
  add(cleanUp: () => Promise<unknown>): void
  /** A directory that is removed then. */
  newDirectory(): Promise<string>
  /** The address of a database on `server` that is dropped then. */
  newDatabase(server: string | undefined): Promise<string>
}

/** To be called where `afterAll` may be. */
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
