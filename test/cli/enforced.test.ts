/** `svc` on a server that enforces JWTs: it works the same for its user. */
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

/** Deploys a page at / and this many others. */
async function deployPages(count: number): Promise<void> {
  const team = await newTeam(node)
  const svc = await svcWith(node, team.ownerKey)
  const name = unique('site')
  const site = await mkdtemp(join(inject('directory'), 'site-'))
  await writeFile(join(site, 'index.html'), 'hello')
  for (let i = 0; i < count; i += 1) await writeFile(join(site, `page-${i}.html`), `${i}`.repeat(500))
  expect(await svc(['projects', 'add', name])).toMatchObject({ code: 0 })
  const { code, stdout } = await svc(['deploy', site, '--project', name, '--prod'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: expect.stringContaining(`http://${name}`) })
}

it('deploys', () => deployPages(20))

it('deploys where the list of files is refused while it is being sent', { tags: 'long' }, () =>
  deployPages(3_000),
)

it('exchanges its key once for all calls of a command', async () => {
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

it('reports an invalid key', async () => {
  const team = await newTeam(node)
  const svc = await svcWith(node, team.ownerKey)
  const { stdout } = await svc(['keys', 'add', 'short-lived', '--json'])
  const { id, token } = JSON.parse(stdout)
  expect(await svc(['keys', 'rm', id, '--yes'])).toMatchObject({ code: 0 })
  const revoked = await svcWith(node, token)
  expect(await revoked(['projects', 'add', unique('site')])).toMatchObject({
    code: 3,
    stderr: expect.stringContaining('rejected this API key'),
  })
})
