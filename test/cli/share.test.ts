/** `svc share` and `svc projects password`: ways into protected sites. */
import { beforeAll, expect, it } from 'vitest'
import { deploy } from '../platform/deployments/steps.ts'
import { knowSecret } from '../support/kept-logs.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam } from '../support/team.ts'
import { newVisitor } from '../support/visitor.ts'
import { svcWith } from './svc.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

async function newSite() {
  const team = await newTeam(node)
  const svc = await svcWith(node, team.ownerKey)
  const { url } = await deploy(team)
  await svc(['projects', 'set', 'web', '--protection', 'all'])
  return { svc, url: String(url) }
}

it('says where the link leads to what everybody sees without it', async () => {
  const { svc, url } = await newSite()
  const preview = new URL(url).hostname
  const saidOf = async (where: string) => {
    const { stdout, stderr } = await svc(['share', where])
    expect(stdout).toMatch(/^http\S+\n$/)
    const open = /^(\S+) is open: everybody sees it without the link, too\. (`.+`) changes that\.$/m
    return open.exec(stderr)?.slice(1) ?? []
  }
  const all = '`svc projects set web --protection all`'
  for (const where of ['web', preview]) expect(await saidOf(where)).toEqual([])
  await svc(['projects', 'set', 'web', '--protection', 'preview'])
  const [production = '', command] = await saidOf('web')
  expect([production, command]).toEqual([expect.stringMatching(/^web/), all])
  expect(await saidOf(production)).toEqual([production, all])
  expect(await saidOf(preview)).toEqual([])
  await svc(['projects', 'set', 'web', '--protection', 'none'])
  for (const where of ['web', production]) expect(await saidOf(where)).toEqual([production, all])
  expect(await saidOf(preview)).toEqual([preview, all])
})

it('prints a link of a project, or of a host, lists links and revokes one', async () => {
  const { svc, url } = await newSite()
  const made = await svc(['share', 'web', '--expires', '1h'])
  expect(made).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^http:\/\/web\S*\/\?x-svc-share=[\w-]{32}\n$/),
    stderr: expect.stringMatching(
      /^A link to web\S*, until \S+Z\. It is printed only once; lnk_\w+ revokes it\.\n$/,
    ),
  })
  for (const where of [url, new URL(url).host, new URL(url).hostname]) {
    const link = (await svc(['share', where])).stdout.trim()
    expect(new URL(link).host).toBe(new URL(url).host)
    expect((await newVisitor().open(link)).status).toBe(303)
  }
  expect(await svc(['share', 'nobodys.example.com'])).toMatchObject({ code: 2, stdout: '' })
  const data = JSON.parse((await svc(['share', 'ls', 'web', '--json'])).stdout)
  expect(data).toHaveLength(4)
  expect((await svc(['share', 'ls', 'web'])).stdout).toContain(`${data[0].id}\t${new URL(url).hostname}\t`)
  expect((await svc(['share', 'rm', 'web', data[0].id])).stdout).toBe(`Revoked ${data[0].id}.\n`)
  expect(JSON.parse((await svc(['share', 'ls', 'web', '--json'])).stdout)).toHaveLength(3)
})

it('reads a password from standard input, never from an argument, and removes it', async () => {
  knowSecret('a password', 'open sesame')
  const { svc } = await newSite()
  expect(await svc(['projects', 'password', 'web'], { input: 'open sesame\n' })).toEqual({
    code: 0,
    stdout: 'The password of web is set.\n',
    stderr: '',
  })
  expect((await svc(['projects', 'show', 'web'])).stdout).toContain('password\tset\n')
  expect(await svc(['projects', 'password', 'web', 'open sesame'])).toMatchObject({ code: 2 })
  expect(await svc(['projects', 'password', 'web'], { input: '' })).toMatchObject({ code: 2 })
  expect(await svc(['projects', 'password', 'web'], { input: 'short' })).toMatchObject({ code: 2 })
  expect(await svc(['projects', 'password', 'web', '--rm'])).toMatchObject({ code: 2 })
  expect((await svc(['projects', 'password', 'web', '--rm', '--yes'])).stdout).toBe('web has no password.\n')
  expect((await svc(['projects', 'show', 'web'])).stdout).toContain('password\tnone\n')
})
