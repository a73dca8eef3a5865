import { beforeAll, beforeEach, expect, it } from 'vitest'
import { deploy, insertDeployment, visit } from '../platform/deployments/steps.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { newTeam, type TestTeam } from '../support/team.ts'
import { type Svc, svcWith } from './svc.ts'

let node: TestNode
let team: TestTeam
let svc: Svc

beforeAll(async () => {
  node = await sharedNode()
})

beforeEach(async () => {
  team = await newTeam(node)
  svc = await svcWith(node, team.ownerKey)
})

it('svc redeploy deploys what is live again, and prints its address', async () => {
  const first = await deploy(team, { target: 'production' })
  const { code, stdout, stderr } = await svc(['redeploy'])
  expect({ code, stdout }).toEqual({ code: 0, stdout: `${first.aliases[0]}\n` })
  expect(stderr).toMatch(/^dpl_\w+: 1 file, 5 B, live\.\n$/)
  const { body: project } = await team.owner('GET', '/v1/projects/web')
  expect(project.production_deployment).not.toBe(first.id)
  expect(await visit(project.production_url)).toEqual({ status: 200, body: 'hello' })
})

it('takes a deployment by its id, and another target', async () => {
  const first = await deploy(team, { target: 'production' })
  const { code, stdout } = await svc(['redeploy', first.id, '--target', 'preview', '--json'])
  expect({ code, made: JSON.parse(stdout) }).toMatchObject({
    code: 0,
    made: { target: 'preview', live: false, redeploy_of: first.id },
  })
  const printed = await svc(['deployments', 'show', JSON.parse(stdout).id])
  expect(printed.stdout).toMatch(new RegExp(`\\ncreated\\t\\S+ by owner, from ${first.id}\\n`))
})

it('is refused without anything live, and for sources that are gone', async () => {
  const { id } = await deploy(team)
  expect(await svc(['redeploy'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('web has no live deployment: pass the id of one'),
  })
  expect(await svc(['redeploy', `${id}0`])).toMatchObject({ code: 4 })
  const { body: project } = await team.owner('GET', '/v1/projects/web')
  const build = { ...project.build, build_command: 'make' }
  const old = await insertDeployment(node, team, { state: 'ready', build })
  expect(await svc(['redeploy', old])).toMatchObject({
    code: 5,
    stderr: expect.stringContaining('not kept any more: deploy the files themselves'),
  })
})

it('the server knows that the command made a deployment, and with which key', async () => {
  await team.owner('PUT', '/v1/projects/web')
  const first = await deploy(team, { target: 'production' })
  expect(first.source).toEqual({ kind: 'api', name: 'owner' })
  const printed = await svc(['deployments', 'show', first.id])
  expect(printed.stdout).toMatch(/\ncreated\t\S+ by owner, with the API \(key owner\)\n/)
})
