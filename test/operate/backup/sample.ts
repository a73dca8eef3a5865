/** An installation with something of all that a restore has to bring back. */
import { randomBytes } from 'node:crypto'
import { symlink, writeFile } from 'node:fs/promises'
import { request } from 'node:http'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { eq, isNotNull } from 'drizzle-orm'
import { Webhook } from 'standardwebhooks'
import { expect } from 'vitest'
import { openEnvValue } from '../../../src/platform/projects/env.ts'
import { removeWorkspace } from '../../../src/platform/sandbox/workspace.ts'
import { readKept } from '../../../src/platform/servers/kept-files/read-kept.ts'
import { encodeDue } from '../../../src/stores/blobs/encode-due.ts'
import { unseal } from '../../../src/stores/data-dir/seal.ts'
import { branchEnv } from '../../../src/stores/db/schema/branch-env.ts'
import { hosts } from '../../../src/stores/db/schema/hosts.ts'
import { manifests } from '../../../src/stores/db/schema/manifests.ts'
import { deployments, projectEnv } from '../../../src/stores/db/schema/projects.ts'
import { webhooks } from '../../../src/stores/db/schema/webhooks.ts'
import { newWorkspace } from '../../platform/builds/build.ts'
import { deploy, sha256 } from '../../platform/deployments/steps.ts'
import { collect, insertKept } from '../../platform/servers/kept-files/keep.ts'
import type { TestNode } from '../../support/node.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

export type Sample = { team: TestTeam; value: string; secret: string; pages: Page[] }

/** A request to a site, and what it got before the backup. */
type Page = { host: string; path: string; headers: Record<string, string | undefined>; answer: string }

/** Makes teams with sites, protected ones, variables and webhooks. */
export async function makeSample(node: TestNode): Promise<Sample> {
  const team = await newTeam(node)
  await deploy(team, {
    project: 'plain',
    target: 'production',
    files: [
      { path: 'index.html', content: '<h1>Hello</h1>'.repeat(100) },
      { path: 'binary.bin', content: randomBytes(3_000).toString('hex') },
      { path: 'empty.txt', content: '' },
      { path: 'übung/ñ.txt', content: 'other letters' },
      { path: '_redirects', content: '/old /binary.bin 302' },
    ],
  })
  await deploy(team, { project: 'plain', files: [{ path: 'index.html', content: 'a preview' }] })
  await keepServer(node, team)
  const hidden = [{ path: 'index.html', content: 'hidden' }]
  await deploy(team, { project: 'hidden', target: 'production', files: hidden })
  const [value, bypass] = [randomBytes(20).toString('hex'), randomBytes(20).toString('hex')]
  await team.owner('PUT', '/v1/projects/hidden', {
    protection: 'all',
    bypass_secret: bypass,
    env: [
      { key: 'TOKEN', value },
      { key: 'TOKEN', value, branch: 'next' },
    ],
  })
  const { body: webhook } = await team.owner('POST', '/v1/webhooks', {
    url: 'https://example.com/hook',
    events: ['deployment.ready'],
  })
  while (
    await encodeDue({
      db: node.installation.store.db,
      blobs: node.installation.blobs,
      nowMs: () => Date.now() + 1_000,
      stopping: new AbortController().signal,
    })
  );
  const labels = await node.installation.store.db.select().from(hosts).where(eq(hosts.teamId, team.id))
  const pages: Page[] = []
  const coded = [{ 'accept-encoding': 'br' }, { 'accept-encoding': 'gzip' }, { 'x-svc-bypass': bypass }]
  const wanted = [
    ...['/', '/binary.bin', '/empty.txt', '/%C3%BCbung/%C3%B1.txt', '/old', '/nothing'].map((path) => ({
      path,
      headers: {},
    })),
    ...coded.map((headers) => ({ path: '/', headers })),
  ]
  for (const { label } of labels)
    for (const { path, headers } of wanted) {
      const page = { host: label, path, headers }
      pages.push({ ...page, answer: await visit(node, page) })
    }
  return { team, value, secret: webhook.secret, pages }
}

const serverFile = 'the file of a server'

/** A deployment with the files of a server, which are its sources to older versions. */
async function keepServer(node: TestNode, team: TestTeam): Promise<void> {
  const { id } = await deploy(team, { project: 'plain' })
  const workspace = await newWorkspace()
  await writeFile(join(workspace.files, 'server.js'), serverFile)
  await symlink('server.js', join(workspace.files, 'link.js'))
  const serverManifestId = await insertKept(node, team.id, await collect(node, team.id, workspace))
  await removeWorkspace(workspace)
  const server = { command: 'node server.js', directory: '.', node: '24.0.0', platform: 'linux-x64-glibc' }
  const { db } = node.installation.store
  await db
    .update(deployments)
    .set({ state: 'error', server, serverManifestId, sourceManifestId: serverManifestId })
    .where(eq(deployments.id, id))
}

async function expectServerKept({ installation }: TestNode): Promise<void> {
  const { store, blobs } = installation
  // A backup of an older version has none.
  for (const { id } of await store.db.select().from(manifests).where(isNotNull(manifests.links))) {
    const kept = await readKept(store.db, id)
    expect(kept?.links).toEqual({ 'link.js': 'server.js' })
    expect(String(await blobs.read(kept?.files[0]?.object ?? ''))).toBe(serverFile)
  }
}

/** Fails unless the node serves every page as it was, and can use the secrets. */
export async function expectWhole(node: TestNode, { team, value, secret, pages }: Sample): Promise<void> {
  for (const page of pages) expect(await visit(node, page), `${page.host}${page.path}`).toBe(page.answer)
  expect(new Set(pages.map(({ answer }) => answer.slice(0, 3)))).toEqual(
    new Set(['200', '302', '401', '404']),
  )
  await expectServerKept(node)
  const { store, keys } = node.installation
  const [variable] = await store.db.select().from(projectEnv)
  if (!variable) throw new Error('There is no variable.')
  expect(openEnvValue(keys.env, variable, variable.sealed)).toBe(value)
  // A backup of an older version has none.
  for (const row of await store.db.select().from(branchEnv))
    expect(openEnvValue(keys.env, { ...row, target: 'preview' }, row.sealed)).toBe(value)
  const [webhook] = await store.db.select().from(webhooks)
  const sealed = webhook?.sealedSecret ?? ''
  expect(unseal(keys.webhooks, webhook?.id ?? '', sealed)).toBe(secret)
  expect(new Webhook(secret).sign('evt_1', new Date(), 'body')).toMatch(/^v1,/)
  const known = await fetch(`${node.apiUrl}/v1/projects`, {
    headers: { authorization: `Bearer ${team.ownerKey}` },
  })
  expect(known.status).toBe(200)
}

/** Status, headers that matter, and a digest of the body, for comparison. */
async function visit({ sitesUrl }: TestNode, { host, path, headers }: Omit<Page, 'answer'>): Promise<string> {
  const { hostname, port } = new URL(sitesUrl)
  const sent = request({
    host: '127.0.0.1',
    port,
    path,
    headers: { ...headers, host: `${host}.${hostname}:${port}` },
  }).end()
  return new Promise((resolve, reject) => {
    sent.on('error', reject)
    sent.on('response', async (response) => {
      const { etag, 'content-type': type, 'content-encoding': coding, location } = response.headers
      const body = sha256(await buffer(response))
      resolve([response.statusCode, etag, type, coding, location, body].join(' '))
    })
  })
}
