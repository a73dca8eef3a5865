/** What a client gets that checks a record before it creates or changes it. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { createClient, type RouterInputs } from '../../../src/api/client/index.ts'
import { startOwnNode } from '../../stores/db/own-node.ts'
import { claim } from '../../support/claims.ts'
import { dumpTables } from '../../support/dump.ts'
import { type TestNode, unique } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

let node: TestNode
let team: TestTeam
let domain: string

beforeAll(async () => {
  // No worker: only these calls change the database.
  node = await startOwnNode({ SVC_ROLES: 'api' })
  return () => node.stop()
})

beforeEach(async () => {
  team = await newTeam(node)
  domain = `${unique('zone')}.com`
  await claim(node, team, domain)
})

const dns = () => createClient({ url: node.apiUrl, token: team.ownerKey }).dns

type Candidate = Omit<RouterInputs['dns']['check'], 'domain'>

const check = (candidate: Candidate) => dns().check.query({ domain, ...candidate })

const a: Candidate = { name: 'www', type: 'A', value: '192.0.2.1' }

/** Candidates, each refused if `www` has an A record. */
const refused: [string, Candidate][] = [
  ['a malformed value', { ...a, value: '192.0.2' }],
  ['a name of another domain', { ...a, name: 'www.example.net.' }],
  ['a number that is missing', { name: '@', type: 'MX', value: 'mail.example.net' }],
  ['a clash', { name: 'www', type: 'CNAME', value: 'a.example.net' }],
  ['the very same', a],
]

describe('a check', () => {
  it('has the record in canonical form, as creating it has, and changes nothing', async () => {
    const candidate: Candidate = { name: 'WWW', type: 'MX', value: 'Mail.Example.NET', priority: 10 }
    const before = await dumpTables(node)
    const { problem, record } = await check(candidate)
    expect(await dumpTables(node)).toEqual(before)
    expect(problem).toBeNull()
    expect(record).toMatchObject({ name: 'www', fqdn: `www.${domain}`, value: 'mail.example.net', ttl: 300 })
    expect(await dns().create.mutate({ domain, ...candidate })).toMatchObject(record ?? {})
  })

  it.each(refused)('says of %s what creating it says', async (_what, candidate) => {
    await dns().create.mutate({ domain, ...a })
    const { problem, record } = await check(candidate)
    expect(record).toBeNull()
    const creation = dns().create.mutate({ domain, ...candidate })
    const { reason, message, issues } = problem ?? {}
    await expect(creation).rejects.toMatchObject({ message, data: { reason, ...(issues && { issues }) } })
  })

  it('of a change leaves out the record itself, and has the TTL of its new name', async () => {
    const { id } = await dns().create.mutate({ domain, ...a, ttl: 600 })
    await dns().create.mutate({ domain, ...a, name: 'other', ttl: 900 })
    expect(await check({ ...a, record: id })).toMatchObject({ problem: null, record: { ttl: 600 } })
    const moved: Candidate = { ...a, name: 'other', value: '192.0.2.2', record: id }
    expect(await check(moved)).toMatchObject({ problem: null, record: { name: 'other', ttl: 900 } })
    const clash = await check({ ...a, name: 'other', record: id })
    expect(clash).toMatchObject({ problem: { reason: 'record_conflict' }, record: null })
    const typed = await check({ ...a, type: 'TXT', record: id })
    expect(typed).toMatchObject({ problem: { reason: 'invalid_input', issues: [{ path: 'type' }] } })
  })

  it('through a domain below another of the team says where the record belongs', async () => {
    const below = `shop.${domain}`
    await claim(node, team, below)
    const checked = await dns().check.query({ domain: below, ...a })
    expect(checked).toMatchObject({ problem: { reason: 'in_zone_of' }, record: null })
    expect(checked.problem?.message).toContain('is www.shop.')
  })

  it('finds that a zone is full', async () => {
    for (const index of Array.from({ length: 4 }, (_, each) => each)) {
      await dns().create.mutate({ domain, name: `t${index}`, type: 'TXT', value: 'x'.repeat(15_500) })
    }
    const text: Candidate = { name: 'last', type: 'TXT', value: 'x'.repeat(5_000) }
    expect(await check(text)).toMatchObject({ problem: { reason: 'too_many_records' }, record: null })
  })
})
