import { once } from 'node:events'
import { cp, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConnectionOptions, connect, type TLSSocket } from 'node:tls'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { defaultTimeouts } from '../../../src/api/server/http/timeouts.ts'
import { keepSelfSigned } from '../../../src/lib/tls/self-signed.ts'
import { startTestNode, unique } from '../../support/node.ts'
import { freePort } from '../../support/ports.ts'
import { sharedTlsNode, startTlsNode, type TlsNode } from '../../support/tls.ts'
import { openSession, sendRequest } from './http2-client.ts'
import { connectRaw, exchange, head } from './raw-http.ts'

/** Connects and resolves to the open connection; rejects when the server refuses. */
async function shake(node: TlsNode, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const { hostname, port } = new URL(node.secure.apiUrl)
  const socket = connect({
    host: hostname,
    port: Number(port),
    servername: hostname,
    ca: node.secure.ca,
    ...options,
  })
  onTestFinished(() => void socket.destroy())
  await once(socket, 'secureConnect')
  return socket
}

// Started here, because it takes longer than a test may.
beforeAll(() => sharedTlsNode())

describe('the handshake', () => {
  it.each([
    ['h2', ['h2', 'http/1.1']],
    ['h2', ['http/1.1', 'h2']],
    ['http/1.1', ['http/1.1']],
    [false, undefined],
  ])('agrees on %s where the client offers %j', async (agreed, offered) => {
    const socket = await shake(await sharedTlsNode(), offered && { ALPNProtocols: offered })
    expect(socket.alpnProtocol).toBe(agreed)
  })

  it.each<[string, ConnectionOptions]>([
    ['a protocol that the server does not offer', { ALPNProtocols: ['spdy/3'] }],
    ['TLS 1.1', { minVersion: 'TLSv1.1', maxVersion: 'TLSv1.1', ciphers: 'ALL:@SECLEVEL=0' }],
    ['a cipher without forward secrecy', { maxVersion: 'TLSv1.2', ciphers: 'AES128-GCM-SHA256' }],
    ['a cipher in CBC mode', { maxVersion: 'TLSv1.2', ciphers: 'ECDHE-RSA-AES128-SHA256' }],
  ])('fails with %s', async (_name, options) => {
    await expect(shake(await sharedTlsNode(), options)).rejects.toThrow()
  })

  it('works with TLS 1.2 and 1.3', async () => {
    for (const version of ['TLSv1.2', 'TLSv1.3'] as const) {
      const socket = await shake(await sharedTlsNode(), { minVersion: version, maxVersion: version })
      expect(socket.getProtocol()).toBe(version)
    }
  })
})

describe('a self-signed certificate', () => {
  it('is valid for this machine, and sets no Strict-Transport-Security', async () => {
    const { secure } = await sharedTlsNode()
    const answer = await exchange(secure, head('GET /healthz'))
    expect(answer.status).toBe(200)
    expect(answer.headers.has('strict-transport-security')).toBe(false)
  })

  it('makes the API’s URL the HTTPS one', async () => {
    const node = await startTestNode({ SVC_TLS_PORT: '0', SVC_TLS_SELF_SIGNED: '1' })
    expect(node.apiUrl).toMatch(/^https:\/\/localhost:\d+$/)
    await node.stop()
  })
})

describe('a configured certificate', () => {
  let directory: string
  let node: TlsNode

  /** Creates a certificate in a directory of its own below `directory`. */
  async function makeCertificate(name: string): Promise<{ certFile: string; keyFile: string; cert: string }> {
    const files = { certFile: join(directory, name, 'tls.crt'), keyFile: join(directory, name, 'tls.key') }
    await keepSelfSigned(files, ['localhost', name], Date.now())
    return { ...files, cert: await readFile(files.certFile, 'utf8') }
  }

  /** The names in the certificate of a new connection. */
  async function served(): Promise<string | undefined> {
    const socket = await shake(node, { rejectUnauthorized: false })
    return socket.getPeerCertificate().subjectaltname
  }

  const warnings = () => node.logged.filter((line) => JSON.parse(line).level === 40)
  const live = () => join(directory, 'live')
  const serve = (name: string) => expect.poll(served, { timeout: 10_000 }).toContain(`DNS:${name}`)

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'svc-tls-'))
    await makeCertificate('first.example')
    await symlink('first.example', live())
    node = await startTlsNode(
      {
        SVC_TLS_CERT: join(live(), 'tls.crt'),
        SVC_TLS_KEY: join(live(), 'tls.key'),
      },
      { ...defaultTimeouts, checkMs: 100 },
    )
  })

  afterAll(async () => {
    await node.stop()
    await rm(directory, { recursive: true })
  })

  it('is served, with Strict-Transport-Security', async () => {
    expect(await served()).toContain('DNS:first.example')
    const overTls = await exchange(node.secure, head('GET /healthz'))
    expect(overTls.headers.get('strict-transport-security')).toBe('max-age=31536000')
    const plain = await exchange(node, head('GET /healthz'))
    expect(plain.headers.has('strict-transport-security')).toBe(false)
  })

  it('is replaced when the symbolic link to its directory is, and connections stay open', async () => {
    const session = await openSession(node.secure)
    const connection = await connectRaw(node.secure)
    const next = await makeCertificate('second.example')
    await symlink('second.example', `${live()}.new`)
    await rename(`${live()}.new`, live())
    await serve('second.example')
    connection.send(head('GET /healthz'))
    expect((await connection.answer()).status).toBe(200)
    expect((await sendRequest(session, { ':path': '/healthz' })).status).toBe(200)
    connection.socket.destroy()
    session.destroy()
    node.secure.ca = next.cert
  })

  it('stays while the new one is half written or is of another key, with one warning each', async () => {
    const next = await makeCertificate('third.example')
    const [certFile, keyFile] = [join(live(), 'tls.crt'), join(live(), 'tls.key')]
    const before = warnings().length
    await writeFile(certFile, next.cert.slice(0, 200))
    await expect.poll(warnings, { timeout: 10_000 }).toHaveLength(before + 1)
    expect(warnings().at(-1)).toContain('SVC_TLS_CERT should be a PEM file with a certificate')
    await writeFile(certFile, next.cert)
    await expect.poll(warnings, { timeout: 10_000 }).toHaveLength(before + 2)
    expect(warnings().at(-1)).toContain('SVC_TLS_KEY should be the key of SVC_TLS_CERT')
    expect(await served()).toContain('DNS:second.example')
    // A file that is written elsewhere and then moved into place.
    await rename(next.keyFile, keyFile)
    await serve('third.example')
    expect(warnings()).toHaveLength(before + 2)
  })

  it('is kept while its files are gone', async () => {
    const before = warnings().length
    await rm(live())
    await expect.poll(warnings, { timeout: 10_000 }).toHaveLength(before + 1)
    expect(await served()).toContain('DNS:third.example')
    await symlink('first.example', live())
    await serve('first.example')
  })

  it.each<[string, string, (to: { certFile: string; keyFile: string }) => Promise<unknown>]>([
    ['a missing file', 'SVC_TLS_CERT should be a PEM file, but', ({ certFile }) => rm(certFile)],
    ['a missing key', 'SVC_TLS_KEY should be a PEM file, but', ({ keyFile }) => rm(keyFile)],
    ['no PEM', 'SVC_TLS_CERT should be a PEM file with', ({ certFile }) => writeFile(certFile, 'no PEM')],
    ['an invalid key', 'SVC_TLS_KEY should be a PEM file with', ({ keyFile }) => writeFile(keyFile, '')],
    [
      'the key of another certificate',
      'SVC_TLS_KEY should be the key of SVC_TLS_CERT',
      async ({ keyFile }) => rename((await makeCertificate('other')).keyFile, keyFile),
    ],
  ])('stops the start: %s', async (_name, message, spoil) => {
    const bad = join(directory, unique('bad'))
    await cp(join(directory, 'first.example'), bad, { recursive: true })
    const [certFile, keyFile] = [join(bad, 'tls.crt'), join(bad, 'tls.key')]
    await spoil({ certFile, keyFile })
    const environment = { SVC_TLS_PORT: '0', SVC_TLS_CERT: certFile, SVC_TLS_KEY: keyFile }
    await expect(startTestNode(environment)).rejects.toThrow(message)
  })
})

it('a port in use stops the start, and the other ports are released', async () => {
  const { settings } = await sharedTlsNode()
  const port = await freePort()
  const environment = {
    SVC_PORT: port,
    SVC_TLS_PORT: String(settings.SVC_TLS_PORT),
    SVC_TLS_SELF_SIGNED: '1',
  }
  await expect(startTestNode(environment)).rejects.toThrow(/^Port \d+ of 127.0.0.1 is in use\./)
  const node = await startTestNode({ SVC_PORT: port })
  await node.stop()
})
