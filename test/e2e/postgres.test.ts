/** The program on PostgreSQL: two nodes at once, and the key that belongs to the database. */
import { rm } from 'node:fs/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createEmptyDatabase } from '../support/databases.ts'
import { postgresUrl } from '../support/postgres.ts'
import { newDataDirectory, type Program, startProgram } from '../support/program.ts'

const server = await postgresUrl()
const encryptionKey = Buffer.alloc(32, 1).toString('base64')

describe.runIf(server)('on an empty PostgreSQL database', () => {
  const cleanUps: (() => Promise<unknown>)[] = []
  let nodes: Program[] = []
  let environment: Record<string, string> = {}

  async function newNode(changes: Record<string, string> = {}): Promise<Program> {
    const directory = await newDataDirectory()
    cleanUps.push(() => rm(directory, { recursive: true, force: true }))
    return startProgram({ ...environment, SVC_DATA_DIR: directory, ...changes })
  }

  beforeAll(async () => {
    const database = await createEmptyDatabase(server ?? '')
    cleanUps.push(() => database.drop())
    environment = { DATABASE_URL: database.url, SVC_ENCRYPTION_KEY: encryptionKey }
    nodes = await Promise.all([newNode(), newNode()])
  })

  afterAll(async () => {
    for (const node of nodes) await node.end('SIGTERM')
    for (const cleanUp of cleanUps.reverse()) await cleanUp()
  })

  it('two nodes start at once, and one of them prints the key', () => {
    expect(nodes.filter((node) => node.key !== undefined)).toHaveLength(1)
  })

  it('a change on one node is visible on the other', async () => {
    const [first, second] = nodes
    const authorization = `Bearer ${nodes.find((node) => node.key)?.key}`
    const put = await fetch(`${first?.apiUrl}/v1/projects/shared`, {
      method: 'PUT',
      headers: { authorization },
    })
    expect(put.status).toBe(200)
    const got = await fetch(`${second?.apiUrl}/v1/projects/shared`, { headers: { authorization } })
    expect(await got.json()).toMatchObject({ name: 'shared' })
  })

  it('refuses a node with another encryption key', async () => {
    const other = newNode({ SVC_ENCRYPTION_KEY: Buffer.alloc(32, 2).toString('base64') })
    await expect(other).rejects.toThrow(
      'SVC_ENCRYPTION_KEY is not the key that this database was set up with',
    )
  })

  it('an unreachable database is an error that says so, without a key in it', {
    tags: 'long',
  }, async () => {
    const away = newNode({ DATABASE_URL: 'postgres://postgres@127.0.0.1:1/none' })
    await expect(away).rejects.toThrow(
      /^The program ended with 1: PostgreSQL at 127.0.0.1:1 .*ECONNREFUSED.* Start it/s,
    )
    await expect(away).rejects.not.toThrow(encryptionKey)
  })
})
