/** `svc hooks`: addresses with which other systems have a project deployed again. */
import { beforeAll, expect, it } from 'vitest'
import { deploy } from '../platform/deployments/steps.ts'
import { send } from '../platform/hooks/steps.ts'
import { knowSecret } from '../support/kept-logs.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam } from '../support/team.ts'
import { svcWith } from './svc.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

it('prints the address of a new hook once, lists hooks, says which one deployed, and revokes', async () => {
  const team = await newTeam(node)
  const svc = await svcWith(node, team.ownerKey)
  const { id: live } = await deploy(team, { target: 'production' })
  expect((await svc(['hooks', 'ls', 'web'])).stderr).toContain('web has no deploy hooks.')
  const made = await svc(['hooks', 'add', 'web', 'Articles'])
  expect(made).toMatchObject({
    code: 0,
    stdout: expect.stringMatching(/^http:\S+\/hooks\/deploy\/svch_\w{38}\n$/),
    stderr: expect.stringMatching(
      /^A deploy hook, dhk_\w+\. Its address is printed only once: store it safely\.\n$/,
    ),
  })
  const url = made.stdout.trim()
  knowSecret('the secret of a deploy hook', url.split('/').at(-1))
  const { body } = await send(url)
  const of = (await svc(['deployments', 'show', body.deployment])).stdout
  expect(of).toContain(`, by the deploy hook Articles, from ${live}\n`)
  const staging = JSON.parse((await svc(['hooks', 'add', 'web', 'two', '--branch', 'next', '--json'])).stdout)
  knowSecret('the secret of a deploy hook', staging.url.split('/').at(-1))
  const [newest, first] = JSON.parse((await svc(['hooks', 'web', '--json'])).stdout)
  expect(newest).toMatchObject({ id: staging.id, branch: 'next', last_used_ms: 0 })
  const { stdout } = await svc(['hooks', 'ls', 'web'])
  expect(stdout).toContain(`${staging.id}\ttwo\tnext\tnever\t`)
  expect(stdout).toMatch(new RegExp(`${first.id}\tArticles\twhat is live\t\\S+ ago\t`))
  expect((await svc(['__complete', '--', 'hooks', 'rm', 'web', ''])).stdout).toContain(
    `${first.id}\tArticles`,
  )
  expect((await svc(['hooks', 'rm', 'web', first.id])).stdout).toBe(`Revoked ${first.id}.\n`)
  expect((await send(url)).status).toBe(404)
})
