/** `svc` on a server that wants JWTs: its user sees no difference. */
import { mkdtemp, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, expect, inject, it } from 'vitest'
import { enforcingNode } from '../support/enforcing-node.ts'
import { type TestNode, unique } from '../support/node.ts'
import { newTeam } from '../support/team.ts'
import { svcWith } from './svc.ts'

let node: TestNode

beforeAll(async () => {
  node = await enforcingNode()
})

it('deploys, also with a list of files that is refused while it is being sent', async () => {
  const team = await newTeam(node)
  const svc = await svcWith(node, team.ownerKey)
  const name = unique('site')
  const site = await mkdtemp(join(inject('directory'), 'site-'))
  await writeFile(join(site, 'index.html'), 'hello')
  for (let i = 0; i < 3_000; i += 1) await writeFile(join(site, `page-${i}.html`), `${i}`.repeat(500))
  expect(await svc(['projects', 'add', name])).toMatchObject({ code: 0 })
  const { code, stdout } = await svc(['deploy', site, '--project', name, '--prod'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`http://${name}`) })
})

it('exchanges its key once for all that a command does', async () => {
  const team = await newTeam(node)
  const svc = await svcWith(node, team.ownerKey)
  const name = unique('site')
  await svc(['projects', 'add', name])
  const before = node.logged.length
  const { code } = await svc(['env', 'set', 'A=1', 'B=2', '--project', name])
  expect(code).toBe(0)
  const lines = node.logged.slice(before).map((line) => JSON.parse(line))
  const paths = lines.filter((line) => line.team === team.id).map(({ path }) => path)
  expect(paths.filter((path) => path === '/trpc/tokens.mint')).toHaveLength(1)
})

it('says that a key is not taken', async () => {
  const team = await newTeam(node)
  const svc = await svcWith(node, team.ownerKey)
  const { stdout } = await svc(['keys', 'add', 'short-lived', '--json'])
  const { id, token } = JSON.parse(stdout)
  expect(await svc(['keys', 'rm', id])).toMatchObject({ code: 0 })
  const revoked = await svcWith(node, token)
  expect(await revoked(['projects', 'add', unique('site')])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('rejected this API key'),
  })
})
