/** Visitors of protected sites over HTTPS and HTTP/2, where the address of the sites is plain HTTP. */
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { type ClientHttp2Session, connect } from 'node:http2'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { members, users } from '../../../src/stores/db/schema/teams.ts'
import { newCertificate } from '../../support/certificate.ts'
import { knowSecret } from '../../support/kept-logs.ts'
import { startTestNode, type TestNode, unique } from '../../support/node.ts'
import { newPerson, signIn } from '../../support/person.ts'
import { freePort } from '../../support/ports.ts'
import { newVisitor, refreshUrlOf, signInUrlOf } from '../../support/visitor.ts'
import { newProtected } from './protected-site.ts'

const password = 'open sesame'
let node: TestNode
let site: Awaited<ReturnType<typeof newProtected>>
let session: ClientHttp2Session
let authority: string

beforeAll(async () => {
  knowSecret('a password', password)
  const { cert, key } = await newCertificate('*.localhost')
  const place = join(inject('directory'), unique('visitors'))
  await writeFile(`${place}.crt`, cert)
  await writeFile(`${place}.key`, key)
  const port = await freePort()
  node = await startTestNode({
    SVC_EDGE_TLS_PORT: port,
    SVC_EDGE_TLS_CERT: `${place}.crt`,
    SVC_EDGE_TLS_KEY: `${place}.key`,
  })
  site = await newProtected(node)
  await site.team.owner('PUT', '/v1/projects/web', { password })
  const { hostname } = new URL(site.url)
  authority = `${hostname}:${port}`
  session = connect(`https://127.0.0.1:${port}`, { servername: hostname, rejectUnauthorized: false })
})

afterAll(async () => {
  session.close()
  await node.stop()
})

/** Sends a request over HTTP/2, with the form if there is one. */
async function send(path: string, cookie?: string, form?: Record<string, string>) {
  const sent = session.request({
    ':method': form ? 'POST' : 'GET',
    ':path': path,
    ':authority': authority,
    accept: 'text/html',
    ...(cookie !== undefined && { cookie }),
    ...(form && { 'content-type': 'application/x-www-form-urlencoded' }),
  })
  sent.end(form && new URLSearchParams(form).toString())
  const [headers] = await once(sent, 'response')
  const [set = ''] = headers['set-cookie'] ?? []
  knowSecret('a cookie', set.split(/[=;]/)[1])
  return { status: headers[':status'], location: headers.location, set, text: await text(sent) }
}

const cookieIn = ({ set }: { set: string }) => set.split(';')[0] ?? ''

it('a password opens the site, with cookies that no other host can set', async () => {
  const page = await send('/')
  expect(page.set).toMatch(/^__Host-svc_nonce=.+; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
  const nonce = /name="nonce" value="([^"]+)"/.exec(page.text)?.[1] ?? ''
  const form = { path: '/?a=1', nonce, password }
  const opened = await send('/.well-known/svc/password', cookieIn(page), form)
  expect(opened).toMatchObject({ status: 303, location: '/?a=1' })
  expect(opened.set).toMatch(/^__Host-svc_visit=password\..+; Path=\/; HttpOnly; SameSite=Lax; Secure$/)
  expect((await send('/', cookieIn(opened))).text).toBe('hello')
  expect((await send('/', cookieIn(opened).replace('__Host-', ''))).status).toBe(401)
})

it('a person comes back over HTTPS, and a code that was sent over HTTP is led there first', async () => {
  const person = await signIn(node, await newPerson(node))
  const { db } = node.installation.store
  const [user] = await db.select().from(users).where(eq(users.email, person.email))
  await db
    .insert(members)
    .values({ teamId: site.team.id, userId: user?.id ?? '', role: 'member', joinedMs: Date.now() })
  const page = await send('/index.html')
  const code = new URL(refreshUrlOf(await person.browser.visit(signInUrlOf(page))))
  expect(code.origin).toBe(`https://${authority}`)
  const path = code.pathname + code.search
  expect(await newVisitor().open(new URL(path, site.url).href)).toMatchObject({
    status: 308,
    location: code.href,
  })
  const entered = await send(path, cookieIn(page))
  expect(entered).toMatchObject({ status: 303, location: '/index.html' })
  expect((await send('/', cookieIn(entered))).text).toBe('hello')
})
