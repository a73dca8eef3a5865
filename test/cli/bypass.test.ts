/** `svc projects bypass`: a secret that opens protected sites. */
import { once } from 'node:events'
import { request } from 'node:http'
import { beforeAll, expect, it } from 'vitest'
import { deploy } from '../platform/deployments/steps.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam } from '../support/team.ts'
import { svcWith } from './svc.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

/** The status of a site for a visitor with this secret. */
async function statusOf(url: string, secret: string): Promise<number | undefined> {
  const { hostname, port } = new URL(url)
  const sent = request({ host: '127.0.0.1', port, headers: { host: hostname, 'x-svc-bypass': secret } }).end()
  const [response] = await once(sent, 'response')
  response.resume()
  return response.statusCode
}

it('creates a secret, replaces it and removes it', async () => {
  const team = await newTeam(node)
  const svc = await svcWith(node, team.ownerKey)
  const { url } = await deploy(team)
  await svc(['projects', 'set', 'web', '--protection', 'all'])
  const first = await svc(['projects', 'bypass', 'web'])
  expect(first).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^[\w-]{43}\n$/),
    stderr: 'A new bypass secret of web. It is printed only once: store it safely.\n',
  })
  const secret = first.stdout.trim()
  expect((await svc(['projects', 'show', 'web'])).stdout).toContain('bypass\ta secret is set\n')
  await expect.poll(() => statusOf(url, secret)).toBe(200)
  expect(await svc(['projects', 'bypass', 'web'])).toMatchObject({ code: 2, stdout: '' })
  const second = (await svc(['projects', 'bypass', 'web', '--yes'])).stdout.trim()
  await expect.poll(() => statusOf(url, secret)).toBe(401)
  expect(await statusOf(url, second)).toBe(200)
  expect(await svc(['projects', 'bypass', 'web', '--rm', '--yes'])).toMatchObject({
    code: 0,
    stdout: 'web has no bypass secret.\n',
  })
  await expect.poll(() => statusOf(url, second)).toBe(401)
})
