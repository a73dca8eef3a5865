/** Members who are limited to some projects: what they see and do, wherever they look. */
import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { beforeAll, describe, expect, it } from 'vitest'
import { members } from '../../../src/stores/db/schema/teams.ts'
import { type Api, apiOf } from '../../support/api.ts'
import { openEvents } from '../../support/event-stream.ts'
import { addLimited, limitMember } from '../../support/limits.ts'
import { sharedNode, type TestNode, unique } from '../../support/node.ts'
import { newSession } from '../../support/session.ts'
import { addMember, newTeam, type TestTeam } from '../../support/team.ts'
import { byDigest, deploy, sha256, upload } from '../deployments/steps.ts'
import { writeLines } from '../observability/logs/lines.ts'
import { count } from '../observability/metrics/counting.ts'

let node: TestNode

beforeAll(async () => {
  node = await sharedNode()
})

type Scene = {
  team: TestTeam
  /** Of which the member sees the first alone. */
  seen: { id: string; name: string }
  hidden: { id: string; name: string }
  member: { userId: string; key: string; api: Api }
}

async function newScene(): Promise<Scene> {
  const team = await newTeam(node)
  const [{ body: seen }, { body: hidden }] = await Promise.all([
    team.owner('PUT', `/v1/projects/${unique('seen')}`),
    team.owner('PUT', `/v1/projects/${unique('hidden')}`),
  ])
  return { team, seen, hidden, member: await addLimited(node, team, [seen.id]) }
}

const ids = ({ body }: { body: { data: { id: string }[] } }) => body.data.map(({ id }) => id)

describe('a limited member', () => {
  it('deploys, promotes and sets variables of its projects; makes, renames and deletes none', async () => {
    const { team, seen, hidden, member } = await newScene()
    const files = [{ path: 'index.html', content: 'hello' }]
    const made = await member.api('POST', '/v1/deployments', { project: seen.name, files })
    expect(made.status).toBe(200)
    const { api } = member
    expect((await api('POST', `/v1/deployments/${made.body.id}/promote`)).status).toBe(200)
    const env = [{ key: 'A', value: '1', target: ['production'] }]
    expect((await api('PUT', `/v1/projects/${seen.name}`, { env })).status).toBe(200)
    const before = (await team.owner('GET', '/v1/projects')).body.data
    const refusals = [
      await api('PUT', `/v1/projects/${seen.id}`, { name: unique('renamed') }),
      await api('DELETE', `/v1/projects/${seen.id}`),
      await api('PUT', `/v1/projects/${hidden.name}`, { env }),
      await api('PUT', `/v1/projects/${unique('new')}`, { env }),
      await api('POST', '/v1/deployments', { project: hidden.id, files }),
    ]
    expect(refusals.map(({ body }) => body.reason)).toEqual([
      'role_required',
      'role_required',
      'project_not_found',
      'project_not_found',
      'project_not_found',
    ])
    expect((await team.owner('GET', '/v1/projects')).body.data).toEqual(before)
  })

  it('without any project sees none, and nothing of them', async () => {
    const { team, member } = await newScene()
    await deploy(team)
    await limitMember(node, team, member.userId, [])
    for (const path of ['projects', 'deployments', 'domains', 'webhooks', 'logs']) {
      expect((await member.api('GET', `/v1/${path}`)).body.data).toEqual([])
    }
    expect((await member.api('GET', '/v1/overview')).body).toMatchObject({
      projects: 0,
      deployments: { total: 0 },
      requests_24h: 0,
      storage: { used_bytes: 0 },
    })
  })

  it('has a team without the other members, and lists that say so', async () => {
    const { team, seen, member } = await newScene()
    const { body } = await member.api('GET', `/v1/teams/${team.id}`)
    expect(body).toMatchObject({ limited: true, members: [{ name: 'member', projects: [seen.id] }] })
    expect(body.members).toHaveLength(1)
    expect((await member.api('GET', '/v1/teams')).body.data).toMatchObject([{ id: team.id, limited: true }])
    const { body: whole } = await team.owner('GET', `/v1/teams/${team.id}`)
    expect(whole.limited).toBe(false)
    expect(whole.members.map((each: { projects: unknown }) => each.projects)).toEqual([null, [seen.id]])
  })

  it('sees other projects than another limited one, newest first, also by filters and pages', async () => {
    const { team, seen, hidden, member } = await newScene()
    const other = await addLimited(node, team, [hidden.id, seen.id])
    const made: string[] = []
    for (const project of [seen, hidden, seen, hidden, seen]) {
      made.unshift((await deploy(team, { project: project.name, meta: { branch: 'main' } })).id)
    }
    const own = made.filter((_id, at) => at % 2 === 0)
    for (const query of ['', '?state=ready', '?branch=main', '?target=preview']) {
      expect(ids(await other.api('GET', `/v1/deployments${query}`))).toEqual(made)
      expect(ids(await member.api('GET', `/v1/deployments${query}`))).toEqual(own)
    }
    const { body: first } = await member.api('GET', '/v1/deployments?limit=2')
    const rest = await member.api('GET', `/v1/deployments?limit=2&cursor=${first.next_cursor}`)
    expect([...ids({ body: first }), ...ids(rest)]).toEqual(own)
    expect(ids(await member.api('GET', `/v1/projects?q=${hidden.name.slice(0, 6)}`))).toEqual([])
    expect(ids(await other.api('GET', '/v1/projects?q=HIDDEN'))).toEqual([hidden.id])
    const { body } = await member.api('GET', '/v1/overview')
    expect(body).toMatchObject({ projects: 1, deployments: { total: 3, by_state: { ready: 3 } } })
    expect(body.recent_deployments.map(({ id }: { id: string }) => id)).toEqual(own)
    expect(body.storage.used_bytes).toBe(3 * 'hello'.length)
  })

  it('has sums of traffic and lines of logs of its projects alone', async () => {
    const { team, seen, hidden, member } = await newScene()
    const nowMs = Date.now()
    const missing = { endedMs: nowMs, status: 404 }
    await count(node, { ...team, projectId: seen.id }, [missing])
    await count(node, { ...team, projectId: hidden.id }, [missing, missing])
    const sum = async (api: Api, metric: string) => {
      const { body } = await api('GET', `/v1/metrics?metric=${metric}`)
      return body.points.reduce(
        (total: number, [, value]: [number, number | null]) => total + (value ?? 0),
        0,
      )
    }
    expect(await sum(member.api, 'requests')).toBe(1)
    expect(await sum(team.owner, 'requests')).toBe(3)
    expect(await sum(member.api, 'responses_404')).toBe(1)
    expect(await sum(team.owner, 'responses_404')).toBe(3)
    expect(await sum(member.api, 'latency_p50')).toBeGreaterThan(0)
    expect((await member.api('GET', '/v1/overview')).body.requests_24h).toBe(1)
    await writeLines(node, team, [
      { message: 'seen line', projectId: seen.id },
      { message: 'hidden line', projectId: hidden.id, deploymentId: 'dpl_hidden' },
      { message: 'line of none' },
    ])
    const messages = async (query: string) => {
      const { body } = await member.api('GET', `/v1/logs?kind=build${query}`)
      return body.data.map(({ message }: { message: string }) => message)
    }
    for (const query of ['', '&q=line', '&order=asc', `&project=${seen.name}`, `&project=${seen.id}`]) {
      expect(await messages(query)).toEqual(['seen line'])
    }
    for (const filter of [`project=${hidden.id}`, `project=${hidden.name}`, 'deployment=dpl_hidden']) {
      expect(await messages(`&${filter}`)).toEqual([])
    }
    const { body: audit } = await member.api('GET', '/v1/logs?kind=audit')
    expect(audit.data.map(({ project }: { project: string }) => project)).toEqual([seen.name])
  })

  it('has the limit by a session, and by keys that it made before and after', async () => {
    const { team, seen, hidden, member } = await newScene()
    await limitMember(node, team, member.userId, null)
    const { body: before } = await member.api('POST', '/v1/apikeys', { name: 'before' })
    expect((await apiOf(node, before.token)('GET', `/v1/projects/${hidden.id}`)).status).toBe(200)
    await limitMember(node, team, member.userId, [seen.id])
    const { body: after } = await member.api('POST', '/v1/apikeys', { name: 'after' })
    const session = await newSession(node, member.userId)
    for (const token of [before.token, after.token, session.token]) {
      expect(ids(await apiOf(node, token)('GET', '/v1/projects'))).toEqual([seen.id])
    }
    expect((await member.api('GET', '/v1/apikeys')).body.data).toHaveLength(3)
  })

  it('stays limited when its only project is deleted', async () => {
    const { team, seen, hidden, member } = await newScene()
    expect((await team.owner('DELETE', `/v1/projects/${seen.id}`)).status).toBe(200)
    expect(ids(await member.api('GET', '/v1/projects'))).toEqual([])
    const { body: again } = await team.owner('PUT', `/v1/projects/${seen.name}`)
    for (const reference of [seen.id, again.id, seen.name, hidden.id]) {
      expect((await member.api('GET', `/v1/projects/${reference}`)).status).toBe(404)
    }
    const { body } = await team.owner('GET', `/v1/teams/${team.id}`)
    expect(body.members[1].projects).toEqual([])
  })

  it('of which an earlier version made an owner sees all', async () => {
    const { hidden, member } = await newScene()
    expect((await member.api('GET', `/v1/projects/${hidden.id}`)).status).toBe(404)
    await node.installation.store.transact(async (tx) => {
      await tx.update(members).set({ role: 'owner' }).where(eq(members.userId, member.userId))
      tx.announce({ kind: 'member', id: member.userId })
    })
    expect((await member.api('GET', `/v1/projects/${hidden.id}`)).status).toBe(200)
  })
})

describe('a limit that comes while', () => {
  it('a stream is open holds for its next event, and asks the client to read again', async () => {
    const { team, seen, hidden, member } = await newScene()
    await limitMember(node, team, member.userId, null)
    const stream = await openEvents(node, { authorization: `Bearer ${member.key}` })
    await expect.poll(stream.types).toContain('connected')
    await deploy(team, { project: hidden.name })
    const last = { timeout: 5_000, interval: 20 }
    await expect.poll(stream.types, last).toContain('deployment.ready')
    await limitMember(node, team, member.userId, [seen.id])
    await expect.poll(stream.types, { timeout: 1_000, interval: 20 }).toContain('missed')
    const before = stream.received.length
    await deploy(team, { project: hidden.name })
    await team.owner('POST', '/v1/apikeys', { name: 'seen by owners' })
    await deploy(team, { project: seen.name })
    await expect.poll(() => stream.types().slice(before), last).toContain('deployment.ready')
    const later = stream.received.slice(before).map(({ message }) => message)
    expect(new Set(later.map((message) => 'project' in message && message.project))).toEqual(
      new Set([seen.id]),
    )

    const resumed = await openEvents(
      node,
      { authorization: `Bearer ${member.key}` },
      `input=${encodeURIComponent(JSON.stringify({ lastEventId: stream.received[1]?.id }))}`,
    )
    await expect.poll(resumed.types, last).toContain('deployment.ready')
    expect(JSON.stringify(resumed.received)).not.toContain(hidden.id)
  })

  it('a call waits holds for its response', async () => {
    const { team, seen, hidden, member } = await newScene()
    await limitMember(node, team, member.userId, null)
    const waiting = member.api('GET', `/v1/logs?kind=audit&order=asc&wait_s=5&since_ms=${Date.now() + 500}`)
    await new Promise((resolve) => setTimeout(resolve, 600))
    await limitMember(node, team, member.userId, [seen.id])
    await deploy(team, { project: hidden.name })
    expect((await waiting).body.data).toEqual([])
  })

  it('a response is kept for an Idempotency-Key refuses its replay', async () => {
    const { team, seen, hidden, member } = await newScene()
    await limitMember(node, team, member.userId, null)
    const files = [{ path: 'index.html', content: 'hello' }]
    const repeats = await Promise.all(
      [seen, hidden].map(async ({ name: project }) => {
        const headers = { 'idempotency-key': randomUUID() }
        const repeat = () => member.api('POST', '/v1/deployments', { project, files }, headers)
        const { body } = await repeat()
        const promoted = () => member.api('POST', `/v1/deployments/${body.id}/promote`, undefined, headers)
        expect((await promoted()).status).toBe(200)
        return { body, repeat, promoted }
      }),
    )
    const key = { 'idempotency-key': randomUUID() }
    const { body: made } = await member.api('POST', '/v1/apikeys', { name: 'own' }, key)
    await limitMember(node, team, member.userId, [seen.id])
    const [own, other] = repeats
    expect((await own?.repeat())?.body).toEqual(own?.body)
    expect((await own?.promoted())?.status).toBe(200)
    expect(await other?.repeat()).toMatchObject({ status: 404 })
    expect(await other?.promoted()).toMatchObject({ status: 404, body: { reason: 'deployment_not_found' } })
    expect((await member.api('POST', '/v1/apikeys', { name: 'own' }, key)).body.id).toBe(made.id)
  })
})

describe('a digest that only another project has', () => {
  const create = ({ member, seen }: Scene, files: unknown[]) =>
    member.api('POST', '/v1/deployments', { project: seen.name, files, direct_uploads: true })

  it('must be uploaded by a limited member, as one that nobody has', async () => {
    const scene = await newScene()
    const { team, hidden } = scene
    const [secret, nobodys] = [unique('secret'), unique('nobodys')]
    const { files: sent, id } = await deploy(team, {
      project: hidden.name,
      files: [{ path: 'index.html', content: secret }],
    })
    expect(sent).toBe(1)
    const wanted = [byDigest('a', secret), byDigest('b', nobodys)]
    const refused = await create(scene, wanted)
    expect(refused).toMatchObject({ status: 400, body: { reason: 'files_missing' } })
    const { missing } = refused.body
    expect(missing.map((each: { sha256: string }) => each.sha256)).toEqual([sha256(secret), sha256(nobodys)])
    // A size says nothing, either, nor do other bytes.
    const wrong = await create(scene, [{ ...byDigest('a', secret), size: 1 }])
    expect(wrong.body.reason).toBe('files_missing')
    expect((await upload(wrong.body.missing[0].upload_url, 'x')).status).toBe(400)
    const guess = 'x'.repeat(secret.length)
    expect((await upload(missing[0].upload_url, guess)).status).toBe(400)
    expect((await create(scene, wanted)).body.missing).toHaveLength(2)
    for (const [at, content] of [secret, nobodys].entries()) {
      expect((await upload(missing[at].upload_url, content)).status).toBe(200)
    }
    expect((await create(scene, wanted)).status).toBe(200)
    // Neither is it anybody else's.
    const other = await addLimited(node, team, [scene.seen.id])
    await limitMember(node, team, other.userId, [hidden.id])
    const elsewhere = { project: hidden.name, files: [byDigest('b', nobodys)] }
    expect((await other.api('POST', '/v1/deployments', elsewhere)).body.reason).toBe('files_missing')
    expect((await team.owner('POST', '/v1/deployments', elsewhere)).status).toBe(200)
    expect((await scene.member.api('GET', `/v1/deployments/${id}`)).status).toBe(404)
  })

  it('needs no upload once the project has it, nor when the bytes come along', async () => {
    const scene = await newScene()
    const [own, secret] = [unique('own'), unique('secret')]
    await deploy(scene.team, { project: scene.hidden.name, files: [{ path: 'a', content: secret }] })
    expect((await create(scene, [{ path: 'a', content: own }])).status).toBe(200)
    expect((await create(scene, [byDigest('b', own), { path: 'c', content: secret }])).status).toBe(200)
    const again = await create(scene, [byDigest('b', own), byDigest('c', secret)])
    expect(again.status).toBe(200)
    const { api } = scene.member
    const { body } = await api('POST', '/v1/deployments', { project: scene.seen.id, from: again.body.id })
    expect(body.files).toBe(2)
  })
})

it('a deployment of another project is no source, nor anything to compare with', async () => {
  const { team, seen, hidden, member } = await newScene()
  const own = await deploy(team, { project: seen.name })
  const other = await deploy(team, { project: hidden.name })
  const from = await member.api('POST', '/v1/deployments', { project: seen.name, from: other.id })
  expect(from).toMatchObject({ status: 404, body: { reason: 'deployment_not_found' } })
  const compare = async (input: object) => {
    const query = encodeURIComponent(JSON.stringify(input))
    return (await member.api('GET', `/trpc/deployments.compare?input=${query}`)).status
  }
  expect(await compare({ deployment: own.id })).toBe(200)
  expect(await compare({ deployment: own.id, with: other.id })).toBe(404)
  expect(await compare({ deployment: other.id, with: own.id })).toBe(404)
})

it('members without a limit are unaffected by the limits of others', async () => {
  const { team, hidden } = await newScene()
  const { api } = await addMember(node, team)
  expect((await api('GET', `/v1/projects/${hidden.id}`)).status).toBe(200)
})
