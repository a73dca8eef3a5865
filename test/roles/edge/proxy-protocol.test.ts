import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect, type Socket } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { connect as connectTls } from 'node:tls'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { deploy } from '../../platform/deployments/steps.ts'
import { newCertificate } from '../../support/certificate.ts'
import { startTestNode, type TestNode, unique } from '../../support/node.ts'
import { freePort } from '../../support/ports.ts'
import { newTeam, type TestTeam } from '../../support/team.ts'

describe('behind a proxy that sends PROXY headers', () => {
  let node: TestNode
  let team: TestTeam
  let host: string
  const ports = { http: '', tls: '', api: '' }

  beforeAll(async () => {
    for (const each of ['http', 'tls', 'api'] as const) ports[each] = await freePort()
    const { cert, key } = await newCertificate('*.localhost')
    const place = join(inject('directory'), unique('proxied'))
    await writeFile(`${place}.crt`, cert)
    await writeFile(`${place}.key`, key)
    node = await startTestNode({
      SVC_PORT: ports.api,
      SVC_EDGE_PORT: ports.http,
      SVC_EDGE_TLS_PORT: ports.tls,
      SVC_EDGE_TLS_CERT: `${place}.crt`,
      SVC_EDGE_TLS_KEY: `${place}.key`,
      SVC_EDGE_HTTPS_REDIRECT: '0',
      // So that the test itself can call the API without a header.
      SVC_TRUSTED_PROXIES: '127.0.0.2',
      SVC_PROXY_PROTOCOL: '1',
    })
    team = await newTeam(node)
    host = new URL((await deploy(team)).url).hostname
  })
  afterAll(() => node.stop())

  const open = async (port: string, localAddress = '127.0.0.2') => {
    const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress })
    await once(socket, 'connect')
    return socket
  }
  const requestFor = (name: string) => `GET / HTTP/1.1\r\nHost: ${name}\r\nConnection: close\r\n\r\n`
  const exchange = async (socket: Socket, ...parts: string[]) => {
    for (const part of parts) {
      socket.write(part)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
    return text(socket)
  }
  /** They are logged without their last part. */
  const addresses = async () => {
    const { body } = await team.owner('GET', '/v1/logs?kind=request&limit=50')
    return JSON.stringify(body)
  }

  it('a visitor’s address is the one in the header, whatever the pieces in which it comes', async () => {
    const response = await exchange(
      await open(ports.http),
      'PROXY TCP4 192.0.2.',
      `7 192.0.2.1 1 80\r\n${requestFor(host)}`,
    )
    expect(response).toMatch(/^HTTP\/1\.1 200 /)
    await expect.poll(addresses).toContain('192.0.2.')
  })

  it('so it is over TLS', async () => {
    const socket = await open(ports.tls)
    socket.write('PROXY TCP4 198.51.100.8 192.0.2.1 1 443\r\n')
    const secure = connectTls({
      socket,
      servername: host,
      rejectUnauthorized: false,
      ALPNProtocols: ['http/1.1'],
    })
    await once(secure, 'secureConnect')
    secure.write(requestFor(host))
    expect(await text(secure)).toMatch(/^HTTP\/1\.1 200 /)
    await expect.poll(addresses).toContain('198.51.100.')
  })

  it('a connection without a header is closed, and one from elsewhere needs none', async () => {
    for (const port of [ports.http, ports.api]) {
      expect(await exchange(await open(port), requestFor(host))).toBe('')
      expect(await exchange(await open(port, '127.0.0.3'), requestFor(host))).toMatch(/^HTTP\/1\.1 \d/)
    }
  })

  it('the API takes them, too', async () => {
    const answer = await exchange(
      await open(ports.api),
      'PROXY TCP6 2001:db8::1 2001:db8::2 1 2\r\n' +
        'GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n',
    )
    expect(answer).toMatch(/^HTTP\/1\.1 200 /)
  })
})
