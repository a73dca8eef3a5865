/** `svc git` about a project that deploys a repository at a forge. */
import { createHmac } from 'node:crypto'
import { beforeAll, expect, it } from 'vitest'
import { pullRequestOf, send } from '../platform/forges/steps.ts'
import { knowSecret } from '../support/kept-logs.ts'
import { sharedNode, type TestNode } from '../support/node.ts'
import { addMember, newTeam, type TestTeam } from '../support/team.ts'
import { svcWith } from './svc.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

const gitOf = async (team: TestTeam) => (await team.owner('GET', '/v1/projects/web')).body.git

it('connects a repository, and prints what to paste where at the forge', async () => {
  const team = await newTeam(node)
  const { body: project } = await team.owner('PUT', '/v1/projects/web')
  const svc = await svcWith(node, team.ownerKey)
  const at = ['--project', 'web', '--no-deploy']
  const made = await svc(['git', 'connect', 'https://github.com/acme/web.git', ...at])
  const secret = /Secret \(printed only once\): (whsec_\S+)\n/.exec(made.stdout)?.[1] ?? ''
  knowSecret('the secret of a repository', secret)
  expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32)
  expect(made).toMatchObject({ code: 0, stderr: '' })
  expect(made.stdout).toContain(
    'web deploys what is pushed to https://github.com/acme/web, once the forge is configured:\n',
  )
  expect(made.stdout).toContain(`  Payload URL: ${node.apiUrl}/hooks/git/${project.id}\n`)
  expect(await gitOf(team)).toMatchObject({ provider: 'github', token_set: false, secret_set: true })

  expect((await svc(['git', 'deliveries', '--project', 'web'])).stderr).toContain(
    'Nothing was sent to web yet.',
  )
  const body = JSON.stringify({ zen: 'x', hook_id: 1 })
  const signature = createHmac('sha256', secret).update(body).digest('hex')
  const headers = {
    'content-type': 'application/json',
    'x-github-event': 'ping',
    'x-github-delivery': 'one',
    'x-hub-signature-256': `sha256=${signature}`,
  }
  expect(
    (await fetch(`${node.apiUrl}/hooks/git/${project.id}`, { method: 'POST', headers, body })).status,
  ).toBe(202)
  const listed = (await svc(['git', 'deliveries', '--project', 'web'])).stdout
  expect(listed).toMatch(/\tping\t-\t-\tdone\t-\tThe forge reaches this address/)
  const id = /\b(?:fdl_\w+)/.exec(listed)?.[0] ?? ''
  const retried = await svc(['git', 'retry', id, '--project', 'web'])
  expect({ id, code: retried.code, said: retried.stderr }).toEqual({
    id: expect.stringMatching(/^fdl_/),
    code: 5,
    said: expect.stringContaining('Only a delivery that failed is tried again; this one is done.'),
  })
  const fields = (await svc(['projects', 'show', 'web'])).stdout
  expect(fields).toContain('https://github.com/acme/web')
  expect(fields).toContain(`/hooks/git/${project.id}`)

  const again = ['git', 'connect', 'https://github.com/acme/web', ...at]
  expect((await svc([...again, '--root-directory', 'apps/web'])).stdout).toBe(
    'web deploys https://github.com/acme/web as before, with the same secret.\n',
  )
  const ping = () => fetch(`${node.apiUrl}/hooks/git/${project.id}`, { method: 'POST', headers, body })
  expect((await ping()).status).toBe(202)
  const other = JSON.parse((await svc([...again, '--new-secret', '--json'])).stdout).secret
  knowSecret('the secret of a repository', other)
  expect((await ping()).status).toBe(403)
  await expect
    .poll(async () => (await svc(['git', 'deliveries', '--project', 'web'])).stderr, { timeout: 20_000 })
    .toMatch(/^1 refused since \d\d:\d\d: the secret at the forge is another one\.$/m)

  const gone = await svc(['git', 'disconnect', '--project', 'web', '--yes'])
  expect(gone).toMatchObject({ code: 0, stdout: 'web is connected to no repository.\n' })
  expect(await gitOf(team)).toMatchObject({ url: null, secret_set: false })
})

it('takes a token from standard input, and the kind of forge of another host', async () => {
  const team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
  const svc = await svcWith(node, team.ownerKey)
  const address = 'https://git.example.com/acme/web'
  const unknown = await svc(['git', 'connect', address, '--project', 'web'])
  expect(unknown.code).not.toBe(0)
  expect(unknown.stderr).toContain('git.provider')
  const at = ['--project', 'web', '--provider', 'gitea', '--no-deploy']
  const args = ['git', 'connect', address, ...at, '--token', '--json']
  expect((await svc(args, { input: '\n' })).stderr).toContain('No token on standard input.')
  const watched = ['--watch', 'packages/ui', '--watch', 'lock.json']
  const options = ['--root-directory', 'apps/web', '--every-push', ...watched]
  const made = await svc([...args, ...options], { input: 'gitea-token\n' })
  knowSecret('the secret of a repository', JSON.parse(made.stdout).secret)
  expect(JSON.parse(made.stdout)).toMatchObject({ provider: 'gitea', token_set: true })
  expect(made.stdout).not.toContain('gitea-token')
  const watch = ['packages/ui', 'lock.json']
  expect(await gitOf(team)).toMatchObject({ root_directory: 'apps/web', watch, skip_unchanged: false })
  expect((await svc(['projects', 'show', 'web'])).stdout).toMatch(/^watched\s+packages\/ui, lock\.json$/m)
  const renewed = await svc(['git', 'connect', address, ...at, '--token'], { input: 'another-token\n' })
  expect(renewed.stdout).toBe(`web deploys ${address} as before, with the same secret and the new token.\n`)
  const again = ['git', 'connect', address, ...at]
  expect((await svc([...again, '--root-directory', 'none', '--watch', 'none'])).code).toBe(0)
  expect(await gitOf(team)).toMatchObject({ root_directory: null, watch: [], skip_unchanged: false })
})

it('says where what is watched has no effect', async () => {
  const team = await newTeam(node)
  const svc = await svcWith(node, team.ownerKey)
  const connect = ['git', 'connect', 'https://github.com/acme/web', '--project', 'web', '--no-deploy']
  const without = await svc([...connect, '--watch', 'packages/ui'])
  expect(without.stderr).toContain(
    'What is watched has no effect: all of the repository is deployed, and built at its root.',
  )
  expect((await svc([...connect, '--watch', 'x', '--root-directory', 'web'])).stderr).toBe('')
  await svc(['projects', 'set', 'web', '--root-directory', 'web'])
  expect((await svc([...connect, '--watch', 'x', '--root-directory', 'none'])).stderr).toBe('')
  const every = await svc([...connect, '--watch', 'x', '--every-push'])
  expect(every.stderr).toContain('What is watched has no effect: every push is deployed.')
  const back = await svc([...connect, '--root-directory', 'web', '--every-push', 'off'])
  expect({ said: back.stderr, skips: (await gitOf(team)).skip_unchanged }).toEqual({ said: '', skips: true })
  const wrong = await svc([...connect, '--watch', 'x', '--watch', '../y'])
  expect(wrong.stderr).toContain('git.watch.1: "../y" must not contain a .. segment')
})

it('has the server register the webhook with the token, or says why that does not work', async () => {
  const team = await newTeam(node)
  await team.owner('PUT', '/v1/projects/web')
  const svc = await svcWith(node, team.ownerKey)
  const without = await svc(['git', 'register', '--project', 'web'])
  expect(without.code).not.toBe(0)
  expect(without.stderr).toContain('connected to no repository')
  const at = ['https://forge.invalid/acme/web', '--provider', 'gitea', '--project', 'web', '--no-deploy']
  const options = ['--close-days', '14', '--token', '--register']
  const refused = await svc(['git', 'connect', ...at, ...options], { input: 'token-of-the-forge\n' })
  expect(refused.code).not.toBe(0)
  expect(refused.stderr).toContain('The webhook is not registered.')
  expect(refused.stdout + refused.stderr).not.toContain('token-of-the-forge')
  expect(await gitOf(team)).toMatchObject({ token_set: true, secret_set: false, close_days: 14 })
  await svc(['git', 'connect', ...at, '--close-days', 'none'])
  expect(await gitOf(team)).toMatchObject({ close_days: null })
  const wrong = await svc(['git', 'connect', ...at, '--close-days', 'soon'])
  expect(wrong.stderr).toContain('It should be a number from 0 on, or none.')
})

it('approves a commit of a fork by its whole id, and sets whether forks are deployed', async () => {
  const team = await newTeam(node)
  const { body: project } = await team.owner('PUT', '/v1/projects/web')
  const svc = await svcWith(node, team.ownerKey)
  const url = 'https://git.invalid/acme/web'
  const at = ['--provider', 'github', '--project', 'web', '--no-deploy']
  const { secret } = JSON.parse(
    (await svc(['git', 'connect', url, ...at, '--forks', 'approve', '--json'])).stdout,
  )
  knowSecret('the secret of a repository', secret)
  expect(await gitOf(team)).toMatchObject({ forks: 'approve' })
  expect((await svc(['projects', 'show', 'web'])).stdout).toMatch(
    /forks\s+deployed once an owner has approved/,
  )

  const commit = 'c0ffee'.padEnd(40, '0')
  const payload = pullRequestOf({ url: `${url}.git` }, { commit, fork: true, branch: 'main' })
  await send({ node, project, secret }, 'pull_request', payload)
  const listed = (await svc(['git', 'deliveries', '--project', 'web'])).stdout
  expect(listed).toMatch(/\tpull_request\t#7\tc0ffee0000\twaiting\t-\tIt waits for the approval of an owner/)
  const approve = (id: string, as = svc) => as(['git', 'approve', id, '--project', 'web', '--yes'])
  expect(await approve(commit.slice(0, 12))).toMatchObject({ code: 2 })
  expect((await approve('d'.repeat(40))).stderr).toContain('No such commit waits in web')
  const member = await svcWith(node, (await addMember(node, team)).key)
  expect((await approve(commit, member)).stderr).toContain('Only an owner of the team may')
  expect((await approve(commit)).stdout).toContain('Approved c0ffee0000 of pull request 7')
  expect((await approve(commit)).code).toBe(0)

  await svc(['projects', 'set', 'web', '--forks', 'off'])
  expect(await gitOf(team)).toMatchObject({ forks: false, url })
})
