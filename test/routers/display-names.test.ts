/** Names of teams and keys, which stand in sentences that others read. */
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { teams } from '../../src/db/schema/teams.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'

let node: TestNode
let team: TestTeam

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
})

const rename = (name: string) => team.owner('PUT', `/v1/teams/${team.slug}`, { name })
const createKey = (name: string) => team.owner('POST', '/v1/apikeys', { name })

const refused = [
  0x01, 0x09, 0x0a, 0x0d, 0x1b, 0x1f, 0x7f, 0x80, 0x9f, 0x2028, 0x2029, 0x202a, 0x202e, 0x2066, 0x2069,
]
const accepted = ['Ada & Söhne', '👩‍👩‍👧 family', 'שלום עולם', 'مرحبا', 'a\u200fb', '\u00a0']

describe.each([
  ['a team', rename],
  ['a key', createKey],
])('the name of %s', (_, send) => {
  it.each(refused.map((code) => code.toString(16)))('has no U+%s', async (code) => {
    const character = String.fromCharCode(Number.parseInt(code, 16))
    const { status, body } = await send(`You are${character}invited`)
    expect({ status, reason: body.reason }).toEqual({ status: 400, reason: 'invalid_input' })
    expect(body.issues).toEqual([
      {
        path: 'name',
        message: 'must not contain control characters, nor characters that change the direction of text',
      },
    ])
  })

  it.each(accepted)('may be %s', async (name) => {
    const { status, body } = await send(name)
    expect({ status, name: body.name }).toEqual({ status: 200, name })
  })
})

it('a name that was stored before is still returned', async () => {
  const { db } = node.installation.store
  const name = 'two\nlines\u202e'
  await db.update(teams).set({ name }).where(eq(teams.id, team.id))
  expect((await team.owner('GET', `/v1/teams/${team.slug}`)).body.name).toBe(name)
  expect((await team.owner('PUT', `/v1/teams/${team.slug}`, {})).body.name).toBe(name)
})
