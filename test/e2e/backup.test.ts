/**
 * Backups and restores that are killed or interrupted leave nothing that looks whole, and can be repeated.
 * @module-tag long
 */
import type { ChildProcess } from 'node:child_process'
import { copyFile, mkdir, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { newHome, type Svc } from '../cli/svc.ts'
import { createEmptyDatabase } from '../support/databases.ts'
import { postgresUrl } from '../support/postgres.ts'
import {
  newDataDirectory,
  type Program,
  startOnWhatIsThere,
  startProgram,
  visit,
} from '../support/program.ts'

const server = await postgresUrl()
/**
 * Where there is PostgreSQL, test/operate/backup/broken-off.test.ts kills restores on the embedded database.
 */
const engines = server ? (['postgres'] as const) : (['pglite'] as const)

/** Enough that copying them takes a while. */
const files = 400

/** Several programs start, one after another, on a busy machine. */
const patienceMs = 240_000

describe.each(engines)('on %s', (engine) => {
  const cleanUps: (() => Promise<unknown>)[] = []
  let svc: Svc
  let env: Record<string, string>
  let node: Program
  let place: string

  async function newDirectory(): Promise<string> {
    const directory = await newDataDirectory()
    cleanUps.push(() => rm(directory, { recursive: true, force: true }))
    return directory
  }

  /** The settings of an installation that is empty still. */
  async function newInstallation(): Promise<Record<string, string>> {
    const directory = await newDirectory()
    if (engine === 'pglite') return { SVC_DATA_DIR: directory }
    const database = await createEmptyDatabase(server ?? '')
    cleanUps.push(() => database.drop())
    const key = Buffer.alloc(32, 3).toString('base64')
    return { SVC_DATA_DIR: directory, DATABASE_URL: database.url, SVC_ENCRYPTION_KEY: key }
  }

  beforeAll(async () => {
    svc = (await newHome()).svc
    env = await newInstallation()
    node = await startProgram(env)
    const headers = { authorization: `Bearer ${node.key}`, 'content-type': 'application/json' }
    await fetch(`${node.apiUrl}/v1/projects/site`, { method: 'PUT', headers })
    const all = Array.from({ length: files }, (_, i) => ({ path: `${i}.txt`, content: `${i} `.repeat(100) }))
    const body = JSON.stringify({ project: 'site', target: 'production', files: all })
    expect((await fetch(`${node.apiUrl}/v1/deployments`, { method: 'POST', headers, body })).status).toBe(200)
  }, patienceMs)

  beforeEach(async () => {
    place = await newDirectory()
  })

  afterEach(async () => {
    await expectServed(node)
  })

  afterAll(async () => {
    await node.end('SIGTERM')
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  })

  async function expectServed(by: Program): Promise<void> {
    for (const i of [0, files / 2, files - 1])
      expect(await visit(`${by.siteUrl('site')}/${i}.txt`)).toEqual({
        status: 200,
        text: `${i} `.repeat(100),
      })
  }

  const run = (args: string[], of = env, started?: (child: ChildProcess) => void) =>
    svc(['admin', ...args], { env: of, ...(started && { started }) })

  /** Runs it as a process of its own, which gets the signal once it says what it is doing. */
  const runUntil = (args: string[], of: Record<string, string>, [what, signal]: [RegExp, NodeJS.Signals]) =>
    run(args, of, (child) => {
      let said = ''
      child.stderr?.on('data', (chunk) => {
        const before = said
        said += chunk
        // Once: a second Ctrl-C ends the process at once.
        if (what.test(said) && !what.test(before)) child.kill(signal)
      })
    })

  const backups = async () => (await readdir(place)).filter((name) => name.startsWith('2'))

  /** The embedded database's key isn't in these backups. */
  async function copyKey(into: Record<string, string>): Promise<void> {
    const file = 'encryption.key'
    if (engine === 'pglite')
      await copyFile(join(env.SVC_DATA_DIR ?? '', file), join(into.SVC_DATA_DIR ?? '', file))
  }

  it(
    'a backup that is killed is none, whatever it was doing; the next one is',
    async () => {
      const into = await newInstallation()
      await copyKey(into)
      for (const moment of [/Writing the database/, /Copying/]) {
        await runUntil(['backup', place], env, [moment, 'SIGKILL'])
        const refused = await run(['restore', place], into)
        expect(refused).toMatchObject({ code: 1, stderr: expect.stringContaining('There is no backup') })
      }
      expect(await run(['backup', place])).toMatchObject({ code: 0 })
      // What the killed ones left beside the database is gone.
      expect(await readdir(env.SVC_DATA_DIR ?? '')).not.toContain('backup')
      expect(await run(['restore', place], into)).toMatchObject({ code: 0 })
      const restored = await startOnWhatIsThere(into)
      await expectServed(restored)
      await restored.end('SIGTERM')
    },
    patienceMs,
  )

  it.each([/Writing the database/, /Copying/])(
    'a backup that is interrupted at %s removes what it began',
    async (moment) => {
      const { code } = await runUntil(['backup', place], env, [moment, 'SIGINT'])
      expect(code).toBe(130)
      expect(await backups()).toEqual([])
      expect(await readdir(env.SVC_DATA_DIR ?? '')).not.toContain('backup')
    },
    patienceMs,
  )

  it(
    'a restore that is killed leaves nothing startable, or the old installation, and is repeated',
    async () => {
      expect(await run(['backup', place])).toMatchObject({ code: 0 })
      const into = await newInstallation()
      await copyKey(into)
      for (const moment of [/Restoring/, /Loading the database/]) {
        await runUntil(['restore', place], into, [moment, 'SIGKILL'])
        await expect(startOnWhatIsThere(into)).rejects.toThrow(
          /A restore into this installation was broken off.*Run it again: `svc admin restore .*--backup 2/,
        )
      }
      expect(await run(['restore', place], into)).toMatchObject({ code: 0 })
      // One that replaces an installation leaves the one that was there.
      await runUntil(['restore', place, '--replace'], into, [/Loading the database/, 'SIGKILL'])
      const restored = await startOnWhatIsThere(into)
      await expectServed(restored)
      await restored.end('SIGTERM')
    },
    patienceMs,
  )

  it(
    'a backup and a check while no node runs are as good',
    async () => {
      const own = await newInstallation()
      await mkdir(own.SVC_DATA_DIR ?? '', { recursive: true })
      const stopped = await startProgram(own)
      await stopped.end('SIGTERM')
      expect(await run(['backup', place], own)).toMatchObject({ code: 0 })
      expect(await run(['check', '--deep'], own)).toMatchObject({ code: 0, stdout: 'Nothing is wrong.\n' })
    },
    patienceMs,
  )
})
