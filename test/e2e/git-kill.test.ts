/**
 * The program is killed in the middle of pushes, and of what a forge or a deploy hook sent: what was
 * acknowledged is live after the next start, and nothing is half live.
 * @module-tag long
 */
import { readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { runGit } from '../../src/platform/git/run-git.ts'
import { pushOf, send } from '../platform/forges/steps.ts'
import { type DnsServer, startDnsServer } from '../support/dns-server.ts'
import { eventually } from '../support/eventually.ts'
import { type Forge, startForge } from '../support/git-forge.ts'
import { knowSecret } from '../support/kept-logs.ts'
import { newDataDirectory, type Program, startProgram, visit } from '../support/program.ts'
import { newWorkTree } from '../support/work-tree.ts'

vi.setConfig({ testTimeout: 300_000 })

let forge: Forge
let resolver: DnsServer

beforeAll(async () => {
  ;[forge, resolver] = await Promise.all([startForge(), startDnsServer()])
  resolver.set(forge.host, 'A', [forge.address])
})

afterAll(() => Promise.all([forge.close(), resolver.close()]))

const answerSchema = z.object({
  id: z.string().optional(),
  data: z.array(z.object({ slug: z.string().optional() })).optional(),
  production_url: z.string().optional(),
})

/** A program that is killed and started again, with one key. */
async function newInstallation(environment: Record<string, string> = {}) {
  const directory = await newDataDirectory()
  const start = () => startProgram({ SVC_DATA_DIR: directory, ...environment })
  let program = await start()
  const key = program.key ?? ''
  return {
    directory,
    key,
    program: (): Program => program,
    async restart() {
      program = await start()
    },
    async call(method: string, path: string, body?: unknown) {
      const response = await fetch(`${program.apiUrl}${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
        ...(body !== undefined && { body: JSON.stringify(body) }),
      })
      return answerSchema.parse(await response.json())
    },
    /** What is live of the project `web`. */
    async live(path = '/'): Promise<string> {
      const { production_url = '' } = await this.call('GET', '/v1/projects/web')
      const label = new URL(production_url).hostname.split('.')[0] ?? ''
      return (await visit(`${program.siteUrl(label)}${path}`)).text
    },
  }
}

const fileCount = 60

/** Files whose content all names the version, too many for one turn of the program. */
function filesOf(version: string): Record<string, string> {
  const pages = Array.from({ length: fileCount }, (_, at) => [`page-${at}.txt`, `${version} ${at}`])
  return Object.fromEntries([['index.html', version], ...pages])
}

it('a push is live as a whole where it was acknowledged, and else as a whole or not at all', async () => {
  const svc = await newInstallation()
  const { data } = await svc.call('GET', '/v1/teams')
  const tree = await newWorkTree()
  const push = () => {
    const url = svc.program().apiUrl.replace('//', `//x:${svc.key}@`)
    return tree.git('push', `${url}/git/${data?.[0]?.slug}/web.git`, 'main')
  }
  let before = 'version 0'
  await tree.commit(filesOf(before))
  expect((await push()).said).toContain('remote: Live: ')
  for (const afterMs of [0, 60, 150, 300, 600, 1_200]) {
    const version = `version after ${afterMs} ms`
    await tree.commit(filesOf(version))
    const pushing = push()
    await sleep(afterMs)
    await svc.program().end('SIGKILL')
    const { ok } = await pushing
    await svc.restart()
    const now = await svc.live()
    expect(ok ? [version] : [before, version]).toContain(now)
    for (const at of [0, fileCount / 2, fileCount - 1])
      expect(await svc.live(`/page-${at}.txt`)).toBe(`${now} ${at}`)
    const again = await push()
    expect(again.said).toMatch(/remote: Live: |Everything up-to-date/)
    expect(await svc.live()).toBe(version)
    before = version
  }
  const git = join(svc.directory, 'git')
  const names = await readdir(git, { recursive: true })
  expect(names.filter((name) => name.startsWith('incoming-'))).toEqual([])
  const repository = names.find((name) => /\/prj_\w+\.git$/.test(name)) ?? ''
  const check = await runGit(join(git, repository), ['fsck', '--connectivity-only'])
  expect(check.toString()).not.toMatch(/missing|broken/)
  await svc.program().end('SIGTERM')
})

it('what was answered 202 to a forge or to a CMS is deployed after the next start', async () => {
  const ca = join(await newDataDirectory(), 'forge.pem')
  await writeFile(ca, forge.ca)
  const svc = await newInstallation({
    SVC_RESOLVERS: resolver.address,
    SVC_GIT_HOSTS: `${forge.host}:${forge.port}`,
    SVC_GIT_CA: ca,
  })
  const secret = 'secret of the repository'
  knowSecret('the secret of a repository', secret)
  const { id } = await svc.call('PUT', '/v1/projects/web', {
    git: { url: forge.url, provider: 'github', secret },
  })
  const answers = {
    'a push': async (commit: string) => {
      const node = { apiUrl: svc.program().apiUrl }
      return (await send({ node, project: { id }, secret }, 'push', pushOf(forge, { commit }))).status
    },
    'a deploy hook': async () => {
      const made = await fetch(`${svc.program().apiUrl}/trpc/hooks.create`, {
        method: 'POST',
        headers: { authorization: `Bearer ${svc.key}`, 'content-type': 'application/json' },
        body: JSON.stringify({ project: 'web', name: 'cms' }),
      })
      const { result } = z
        .object({ result: z.object({ data: z.object({ url: z.string() }) }) })
        .parse(await made.json())
      knowSecret('the secret of a deploy hook', result.data.url.split('/').at(-1))
      return (await fetch(result.data.url, { method: 'POST' })).status
    },
  }
  for (const [what, sent] of Object.entries(answers))
    for (const isBegun of [false, true]) {
      const version = `by ${what}, ${isBegun ? 'begun' : 'waiting'}`
      const commit = await forge.commit(filesOf(version))
      forge.requests.length = 0
      // A fetch never ends until the program is there again.
      forge.switches.before = () => new Promise(() => {})
      expect(await sent(commit), version).toBe(202)
      if (isBegun) await eventually(async () => expect(forge.requests).not.toEqual([]), { limitMs: 60_000 })
      await svc.program().end('SIGKILL')
      forge.switches = {}
      await svc.restart()
      await eventually(async () => expect(await svc.live()).toBe(version), { limitMs: 120_000 })
      expect(await svc.live(`/page-${fileCount - 1}.txt`)).toBe(`${version} ${fileCount - 1}`)
    }
  await svc.program().end('SIGTERM')
})
