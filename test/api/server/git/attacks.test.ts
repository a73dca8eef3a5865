/** Pushes that mean harm: names that lead out of a repository, floods of refs, keys that end meanwhile. */
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, readdir, readFile, symlink } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { visit } from '../../../platform/deployments/steps.ts'
import { logOf } from '../../../support/event-log.ts'
import { eventually } from '../../../support/eventually.ts'
import { addLimited, limitMember } from '../../../support/limits.ts'
import { sharedNode, type TestNode, unique } from '../../../support/node.ts'
import { poisonIn } from '../../../support/poison.ts'
import { newTeam, type TestTeam } from '../../../support/team.ts'
import { newWorkTree, type WorkTree } from '../../../support/work-tree.ts'

vi.setConfig({ testTimeout: 120_000 })

let node: TestNode
let team: TestTeam
let tree: WorkTree
let commit: string
let project: string

beforeAll(async () => {
  node = await sharedNode()
  team = await newTeam(node)
})

beforeEach(async () => {
  project = unique('site')
  tree = await newWorkTree()
  commit = await tree.commit({ 'index.html': 'first' })
})

const remote = (password = team.ownerKey) =>
  node.apiUrl.replace('//', `//x:${password}@`).concat(`/git/${team.slug}/${project}.git`)

const listed = async (at = project) =>
  (await team.owner('GET', `/v1/deployments?project=${at}`)).body.data ?? []

const zeros = '0'.repeat(40)

/** The commands of a push that makes these refs, or deletes them, and its pack, as git sends them. */
async function pushOf(refs: string[], deleted: string[] = []): Promise<{ commands: Buffer; pack: Buffer }> {
  const file = join(tree.directory, 'pushed.bundle')
  await tree.git('bundle', 'create', '--quiet', file, 'main')
  const bundle = await readFile(file)
  const commands = [
    ...refs.map((ref) => `${zeros} ${commit} ${ref}`),
    ...deleted.map((ref) => `${commit} ${zeros} ${ref}`),
  ]
  const lines = commands.map((command, at) => {
    const line = Buffer.from(`${command}${at === 0 ? '\0 report-status side-band-64k delete-refs' : ''}`)
    return Buffer.concat([Buffer.from((line.length + 4).toString(16).padStart(4, '0')), line])
  })
  return {
    commands: Buffer.concat([...lines, Buffer.from('0000')]),
    pack: bundle.subarray(bundle.indexOf('\n\n') + 2),
  }
}

/** Begins a push by hand; `send` sends the parts of its body, `answer` ends it. */
function beginPush(password = team.ownerKey) {
  const sent = request(remote('').replace('x:@', '').concat('/git-receive-pack'), {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`x:${password}`).toString('base64')}` },
  })
  const answered = once(sent, 'response')
  return {
    send: (part: Buffer) => new Promise((resolve) => sent.write(part, resolve)),
    async answer(): Promise<string> {
      sent.end()
      const [response] = await answered
      return text(response)
    },
  }
}

/** More than a push has to have sent before it is received. */
const begunBytes = 128 * 1024

/** Commits what makes a pack longer than that. */
const enlarge = () => tree.commit({ 'large.txt': randomBytes(4 * begunBytes).toString('base64') })

/** Until a push that has begun is known to be somebody's: then what arrives of it is put aside. */
const untilAdmitted = () =>
  eventually(async () => {
    const names = await readdir(join(node.settings.SVC_DATA_DIR, 'git'), { recursive: true })
    expect(names.some((name) => /(^|\/)svc-objects-[^/]*$/.test(name))).toBe(true)
  })

async function pushByHand(refs: string[]): Promise<string> {
  const { commands, pack } = await pushOf(refs)
  const push = beginPush()
  await push.send(Buffer.concat([commands, pack]))
  return push.answer()
}

describe('a branch', () => {
  it.each(['refs/heads/../../x', 'refs/heads/a/../../../config', 'refs/heads/.x', 'refs/heads/a.lock'])(
    'called %s is refused, and is nowhere on the disk',
    async (ref) => {
      await tree.git('push', remote(), 'main')
      const before = await listed()
      expect(await pushByHand([ref])).toContain(`ng ${ref} funny refname`)
      expect(await listed()).toEqual(before)
      const { id } = (await team.owner('GET', `/v1/projects/${project}`)).body
      const place = join(node.settings.SVC_DATA_DIR, 'git', team.id, `${id}.git`)
      const names = await readdir(place, { recursive: true })
      expect(names.filter((name) => /(^|\/)(x|\.x|a|a\.lock)$/.test(name))).toEqual([])
      expect(await readFile(join(place, 'config'), 'utf8')).toContain('[core]')
    },
  )

  it('of 250 bytes of emoji is deployed at its address', async () => {
    const branch = `${'🙂'.repeat(62)}ab`
    expect(Buffer.byteLength(branch)).toBe(250)
    const { said } = await tree.git('push', remote(), `main:refs/heads/${branch}`)
    expect(said).toContain('remote: Live: ')
    const [made] = await listed()
    expect(made.meta.branch).toBe(branch)
    const { branches } = (await team.owner('GET', `/v1/projects/${project}`)).body
    expect(branches).toMatchObject([{ name: branch }])
    expect((await visit(branches[0].url)).body).toBe('first')
    expect((await tree.git('push', remote(), `:refs/heads/${branch}`)).said).toContain('[deleted]')
  })
})

describe('a commit', () => {
  /** What the pusher of a commit reads. */
  const push = async (made: string) => (await tree.git('push', remote(), `${made}:refs/heads/main`)).said

  it('of directories without files is refused by their number', async () => {
    expect(await push(await poisonIn(tree).ofDirectories(60, 3))).toContain(
      'The commit has more than 200000 entries, with its directories.',
    )
    expect(await listed()).toEqual([])
  })

  it('of a name of two megabytes is refused by its beginning', async () => {
    const said = await push(await poisonIn(tree).ofLongName(2 * 1024 * 1024))
    expect(said).toContain(`"${'n'.repeat(100)}…" must have at most 1024 bytes.`)
    expect(said.length).toBeLessThan(5_000)
  })

  it('of long paths that would never be deployed is refused all the same', async () => {
    const poison = poisonIn(tree)
    const files = await tree.git(
      'rev-parse',
      `${await poison.ofDeepFiles(5, { levels: 6, nameBytes: 250 })}^{tree}`,
    )
    const page = { mode: '100644', name: 'index.html', id: await poison.blob() }
    const modules = { mode: '40000', name: 'node_modules', id: files.output }
    const said = await push(await poison.commitOf(await poison.treeOf([page, modules])))
    expect(said).toMatch(/"node_modules\/d{87}…" must have at most 1024 bytes\./)
  })

  it('of two megabytes of message is refused by its size, and one after it is not', async () => {
    const poison = poisonIn(tree)
    const large = await poison.ofLongMessage(2 * 1024 * 1024)
    expect(await push(large)).toMatch(/The commit has 2097\d+ bytes with its message; it may have 1048576\./)
    expect(await push(await poison.ofLongMessage(10, large))).toContain('remote: Live: ')
  })
})

describe('the beginning of a push', () => {
  const post = (body: Buffer) =>
    fetch(remote('').replace('x:@', '').concat('/git-receive-pack'), {
      method: 'POST',
      headers: {
        authorization: `Basic ${Buffer.from(`x:${team.ownerKey}`).toString('base64')}`,
        'content-encoding': 'gzip',
      },
      body: gzipSync(body),
    })

  it('of a megabyte of empty packets is refused by their number', async () => {
    const answer = await post(Buffer.from('0004'.repeat(256 * 1024)))
    expect({ status: answer.status, text: await answer.text() }).toEqual({
      status: 400,
      text: 'Push fewer branches at once.\n',
    })
  })

  it('is inflated to 64 MiB at most, also where the push is refused anyhow', async () => {
    const { commands } = await pushOf([`refs/heads/${'b'.repeat(300)}`])
    const answer = await post(Buffer.concat([commands, Buffer.alloc(65 * 1024 * 1024)]))
    expect({ status: answer.status, text: await answer.text() }).toMatchObject({
      status: 413,
      text: expect.stringContaining('A push with gzip may have 67108864 bytes'),
    })
  })
})

describe('nothing of where the server keeps its repositories is said', () => {
  it.each(['heads', 'tags'])('of names in refs/%s that are too long for a file', async (kind) => {
    const { said } = await tree.git('push', remote(), `main:refs/${kind}/${'x'.repeat(251)}`)
    const what = kind === 'heads' ? "branch's" : "ref's"
    expect(said).toContain(`remote: A ${what} name may have 250 bytes.`)
    expect(said).not.toContain(node.settings.SVC_DATA_DIR)
    expect((await team.owner('GET', `/v1/projects/${project}`)).status).toBe(404)
  })

  it('of a file in the way of a branch', async () => {
    await tree.git('push', remote(), 'main')
    const { id } = (await team.owner('GET', `/v1/projects/${project}`)).body
    const heads = join(node.settings.SVC_DATA_DIR, 'git', team.id, `${id}.git`, 'refs', 'heads')
    await mkdir(heads, { recursive: true })
    await symlink('/nonexistent/place', join(heads, 'a'))
    const { ok, said } = await tree.git('push', remote(), 'main:refs/heads/a/b')
    expect({ ok, said }).toEqual({ ok: false, said: expect.stringContaining('(the repository)') })
    for (const secret of [node.settings.SVC_DATA_DIR, team.id, id]) expect(said).not.toContain(secret)
  })
})

describe('ten thousand', () => {
  const count = 10_000

  /** Milliseconds and bytes of this process, which is the node, that `work` took. */
  async function costOf<T>(work: () => Promise<T>): Promise<{ result: T; ms: number; bytes: number }> {
    const [startMs, startBytes] = [performance.now(), process.memoryUsage().rss]
    const result = await work()
    return { result, ms: performance.now() - startMs, bytes: process.memoryUsage().rss - startBytes }
  }

  const refsOf = (kind: string) => Array.from({ length: count }, (_, at) => `refs/${kind}/b${at}`)

  it('branches in one push are refused, quickly and in little memory', async () => {
    const { result, ms, bytes } = await costOf(() => pushByHand(refsOf('heads')))
    expect(result).toContain(
      'Push at most 20 branches at once, not 10000. ' +
        'Begin with these, then the others: git push <remote> b0 b1 b2 ',
    )
    expect(result.match(/ng refs/g)).toHaveLength(count)
    expect((await team.owner('GET', `/v1/projects/${project}`)).status).toBe(404)
    // Tried: 0.3 s and 15 MB.
    expect(ms).toBeLessThan(10_000)
    expect(bytes).toBeLessThan(200 * 1024 * 1024)
  })

  it('tags in one push are taken, named shortly, and gone from the disk at its end', async () => {
    await tree.git('push', remote(), 'main')
    const { result, ms, bytes } = await costOf(() => pushByHand(refsOf('tags')))
    expect(result.match(/is not deployed: branches are/g)).toHaveLength(20)
    expect(result).toContain('Nor are 9980 others.')
    expect(ms).toBeLessThan(20_000)
    expect(bytes).toBeLessThan(200 * 1024 * 1024)
    const { id } = (await team.owner('GET', `/v1/projects/${project}`)).body
    const place = join(node.settings.SVC_DATA_DIR, 'git', team.id, `${id}.git`, 'refs')
    const files = async () => (await readdir(place, { recursive: true })).filter((name) => /\d$/.test(name))
    await eventually(async () => expect(await files()).toEqual([]), { limitMs: 60_000 })
    expect((await tree.git('push', remote(), 'main')).said).toContain('Everything up-to-date')
  })
})

it('a key that is revoked while its pack arrives deploys nothing', async () => {
  const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'ci' })
  commit = await enlarge()
  const { commands, pack } = await pushOf(['refs/heads/main'])
  const push = beginPush(key.token)
  await push.send(Buffer.concat([commands, pack.subarray(0, begunBytes)]))
  await untilAdmitted()
  expect((await team.owner('DELETE', `/v1/apikeys/${key.id}`)).status).toBe(200)
  await push.send(pack.subarray(begunBytes))
  expect(await push.answer()).toContain('ng refs/heads/main unauthorized')
  expect((await team.owner('GET', `/v1/projects/${project}`)).status).toBe(404)
})

describe('a member who is limited to other projects while the pack arrives', () => {
  async function pushOfLimited() {
    await tree.git('push', remote(), 'main', 'main:refs/heads/dev')
    const { id } = (await team.owner('GET', `/v1/projects/${project}`)).body
    const member = await addLimited(node, team, [id])
    await enlarge()
    commit = (await tree.git('rev-parse', 'main~1')).output
    const { commands, pack } = await pushOf(['refs/heads/new'], ['refs/heads/dev'])
    const push = beginPush(member.key)
    await push.send(Buffer.concat([commands, pack.subarray(0, begunBytes)]))
    await untilAdmitted()
    return { member, end: () => push.send(pack.subarray(begunBytes)).then(push.answer) }
  }
  const branches = async () =>
    (await team.owner('GET', `/v1/projects/${project}`)).body.branches.map(
      ({ name }: { name: string }) => name,
    )

  it('neither deletes nor deploys', async () => {
    const { member, end } = await pushOfLimited()
    await limitMember(node, team, member.userId, [])
    const answer = await end()
    expect(answer).toContain('ng refs/heads/dev project_not_found')
    expect(answer).toContain('ng refs/heads/new project_not_found')
    expect((await branches()).toSorted()).toEqual(['dev', 'main'])
    expect((await tree.git('push', remote(), ':refs/heads/dev')).said).toContain('[deleted]')
  })

  it('who still has this one does both, and the deletion has an event', async () => {
    const { member, end } = await pushOfLimited()
    const answer = await end()
    expect(answer).toContain('ok refs/heads/dev')
    expect(answer).toContain('ok refs/heads/new')
    expect((await branches()).toSorted()).toEqual(['main', 'new'])
    const deleted = (await logOf(node, team)).filter(({ type }) => type === 'git.branch_deleted')
    expect(deleted.at(-1)).toMatchObject({
      actorId: member.userId,
      data: { branch: { project, name: 'dev' } },
    })
  })
})

it('a key that is revoked while its push arrives deletes nothing', async () => {
  await tree.git('push', remote(), 'main', 'main:refs/heads/dev')
  await enlarge()
  const { body: key } = await team.owner('POST', '/v1/apikeys', { name: 'ci' })
  const { commands, pack } = await pushOf(['refs/heads/new'], ['refs/heads/dev'])
  const push = beginPush(key.token)
  await push.send(Buffer.concat([commands, pack.subarray(0, begunBytes)]))
  await untilAdmitted()
  expect((await team.owner('DELETE', `/v1/apikeys/${key.id}`)).status).toBe(200)
  await push.send(pack.subarray(begunBytes))
  expect(await push.answer()).toContain('ng refs/heads/dev unauthorized')
  const { branches } = (await team.owner('GET', `/v1/projects/${project}`)).body
  expect(branches.map(({ name }: { name: string }) => name).toSorted()).toEqual(['dev', 'main'])
})
