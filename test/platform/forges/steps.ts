/** Steps shared by tests of repositories at forges: connected projects, and what a forge sends of them. */
import { createHmac, randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inject } from 'vitest'
import { createClient, type RouterInputs, type RouterOutputs } from '../../../src/api/client/index.ts'
import type { Answer } from '../../support/api.ts'
import { type DnsServer, startDnsServer } from '../../support/dns-server.ts'
import { eventually } from '../../support/eventually.ts'
import { type Forge, startForge } from '../../support/git-forge.ts'
import { knowSecret } from '../../support/kept-logs.ts'
import type { TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'
import { startBuildNodes } from '../builds/build-node.ts'

export type Delivery = RouterOutputs['git']['deliveries']['data'][number]

export type Connected = {
  node: TestNode
  forge: Forge
  team: TestTeam
  project: Answer['body']
  secret: string
}

type Forges = { forge: Forge; resolver: DnsServer; stop(): Promise<void> }

/** A forge, and nodes that may reach it, on a database that no other test's workers use. */
export async function startForgeNodes(
  environment: Record<string, string> = {},
): Promise<Forges & Pick<Awaited<ReturnType<typeof startBuildNodes>>, 'node' | 'start'>> {
  const [forge, resolver] = await Promise.all([startForge(), startDnsServer()])
  resolver.set(forge.host, 'A', [forge.address])
  const ca = join(inject('directory'), `forge-${randomUUID().slice(0, 8)}.pem`)
  await writeFile(ca, forge.ca)
  const nodes = await startBuildNodes({
    SVC_RESOLVERS: resolver.address,
    SVC_GIT_HOSTS: `${forge.host}:${forge.port}`,
    SVC_GIT_CA: ca,
    ...environment,
  })
  return {
    ...nodes,
    forge,
    resolver,
    async stop() {
      await nodes.stop()
      await Promise.all([forge.close(), resolver.close()])
    },
  }
}

/** A team's project `web` that is connected to the forge's repository, as if that were GitHub's. */
export async function connect(
  node: TestNode,
  forge: Forge,
  git: RouterInputs['projects']['put']['git'] = {},
): Promise<Connected> {
  const team = await newTeam(node)
  const secret = `secret-of-${team.slug}`
  knowSecret('the secret of a repository', secret)
  const settings = { url: forge.url, provider: 'github', secret, ...git }
  const { body: project } = await team.owner('PUT', '/v1/projects/web', { git: settings })
  return { node, forge, team, project, secret }
}

type Sent = { id?: string; secret?: string; headers?: Record<string, string>; project?: string }

/** The response to a delivery as GitHub sends it. */
export async function send(
  { node, project, secret }: Pick<Connected, 'project' | 'secret'> & { node: Pick<TestNode, 'apiUrl'> },
  event: string,
  payload: unknown,
  sent: Sent = {},
): Promise<{ status: number; body: Answer['body'] }> {
  const body = JSON.stringify(payload)
  const digest = createHmac('sha256', sent.secret ?? secret)
    .update(body)
    .digest('hex')
  const response = await fetch(`${node.apiUrl}/hooks/git/${sent.project ?? project.id}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'x-github-event': event,
      'x-github-delivery': sent.id ?? randomUUID(),
      'x-hub-signature-256': `sha256=${digest}`,
      ...sent.headers,
    },
    body,
  })
  return { status: response.status, body: await response.json() }
}

const zeros = '0'.repeat(40)

/** The repository as GitHub names it in a payload. */
function repositoryOf({ url }: Pick<Forge, 'url'>, id = 1) {
  const web = url.replace(/\.git$/, '')
  const name = new URL(web).pathname.slice(1)
  return { id, full_name: name, html_url: web, clone_url: url, default_branch: 'main' }
}

type Push = { branch?: string; commit: string; changed?: string[]; deleted?: boolean }

/** A push as GitHub documents it, with the fields that matter. */
export function pushOf(
  forge: Pick<Forge, 'url'>,
  { branch = 'main', commit, changed = ['index.html'], deleted }: Push,
) {
  const author = { name: 'Ada', email: 'ada@example.com' }
  const head = { id: commit, message: 'Change\n\nMore', author, added: changed, modified: [], removed: [] }
  return {
    ref: `refs/heads/${branch}`,
    before: '1'.repeat(40),
    after: deleted ? zeros : commit,
    created: false,
    deleted: deleted ?? false,
    forced: false,
    head_commit: deleted ? null : head,
    commits: deleted ? [] : [head],
    size: 1,
    pusher: { name: 'ada' },
    sender: { login: 'ada' },
    repository: repositoryOf(forge),
  }
}

type PullRequest = { action?: string; branch?: string; commit: string; fork?: boolean; number?: number }

/** A pull request as GitHub documents it, with the fields that matter. */
export function pullRequestOf(
  forge: Pick<Forge, 'url'>,
  { action = 'opened', branch = 'next', commit, fork = false, number = 7 }: PullRequest,
) {
  const repository = repositoryOf(forge)
  const head = fork ? { ...repositoryOf(forge, 2), full_name: 'eve/site' } : repository
  return {
    action,
    number,
    pull_request: {
      number,
      title: 'A change',
      user: { login: 'ada' },
      head: { ref: branch, sha: commit, repo: { ...head, fork } },
      base: { ref: 'main', sha: '1'.repeat(40), repo: repository },
      merged: false,
    },
    repository,
    sender: { login: 'ada' },
  }
}

/**
 * A commit of a fork, which the repository has as the head of its pull request alone; files that are
 * undefined are removed.
 */
export async function commitOfFork(
  { tree }: Forge,
  files: Record<string, string | undefined>,
  number = 7,
): Promise<string> {
  await tree.git('checkout', '--quiet', '--detach')
  const commit = await tree.commit(files)
  await tree.git('update-ref', `refs/pull/${number}/head`, commit)
  await tree.git('checkout', '--quiet', '-B', 'main', 'HEAD~1')
  return commit
}

/** The delivery of a pull request of a fork, whose branch is called as the production branch is. */
export async function sendFork(
  site: Connected,
  { action, commit, number = 7 }: { action?: string; commit: string; number?: number },
): Promise<Answer['body']> {
  const pullRequest = { commit, number, branch: 'main', fork: true, ...(action && { action }) }
  return (await send(site, 'pull_request', pullRequestOf(site.forge, pullRequest))).body
}

/** What came of an approval: the delivery, or why it was refused. */
export async function approve(
  { team, project }: Connected,
  approval: { delivery: string; commit: string },
  as = team.owner,
): Promise<{ status: number; body: Answer['body'] }> {
  const { status, body } = await as('POST', '/trpc/git.approve', { project: project.id, ...approval })
  return { status, body: body.result?.data ?? body.error?.data ?? body }
}

/** What the forge sent, newest first. */
export async function deliveriesOf({ node, team }: Connected): Promise<Delivery[]> {
  const client = createClient({ url: node.apiUrl, token: team.ownerKey, retry: false })
  return (await client.git.deliveries.query({ project: 'web' })).data
}

/** The delivery of this id once it has ended. */
export async function whenDone(site: Connected, id: string): Promise<Delivery> {
  return eventually(
    async () => {
      const found = (await deliveriesOf(site)).find((delivery) => delivery.id === id)
      if (!found || found.status === 'pending')
        throw new Error(`${id} is ${found?.status}: ${found?.outcome}`)
      return found
    },
    { limitMs: 60_000 },
  )
}
