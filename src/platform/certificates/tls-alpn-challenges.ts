/** Shows TLS-ALPN-01 challenges on the port of HTTPS (RFC 8737). */
import type { Socket } from 'node:net'
import { createSecureContext, createServer, type SecureContext } from 'node:tls'
import { peek } from '../../lib/net/peek.ts'
import { parseClientHello } from '../../lib/tls/client-hello.ts'
import type { Divert } from '../../lib/tls/tls-server.ts'
import type { Challenge } from './challenges.ts'
import type { PendingChallenges } from './pending.ts'
import { createChallengeCertificate } from './x509/challenge-certificate.ts'

const protocol = 'acme-tls/1'

type Options = {
  challenges: PendingChallenges
  /** How long a ClientHello, and then the handshake, may take, in milliseconds. */
  handshakeMs: number
  nowMs: () => number
}

/** While no challenge is under way, nothing is read before TLS does. */
export function createChallengeServer({ challenges, handshakeMs, nowMs }: Options): Divert {
  const server = createServer({
    ALPNProtocols: [protocol],
    handshakeTimeout: handshakeMs,
    SNICallback(name, done) {
      contextOf(name).then((context) => done(null, context), done)
    },
  })
  server.on('secureConnection', (socket) => socket.end())
  server.on('tlsClientError', (_, socket) => socket.destroy())

  async function contextOf(name: string): Promise<SecureContext> {
    const pending = await challenges.of('tls-alpn-01')
    const challenge = pending.find((each) => each.name === name.toLowerCase())
    if (!challenge) throw new Error('No challenge is under way for this name.')
    const { cert, key } = await createChallengeCertificate(
      challenge.name,
      challenge.keyAuthorization,
      nowMs(),
    )
    return createSecureContext({ cert, key })
  }

  async function divert(socket: Socket, pending: Challenge[]): Promise<boolean> {
    if (pending.length === 0) return false
    const protocols = await peek(socket, look, handshakeMs)
    if (!protocols?.includes(protocol)) return protocols === undefined
    server.emit('connection', socket)
    return true
  }

  return (socket) => {
    const pending = challenges.of('tls-alpn-01')
    if (Array.isArray(pending)) return pending.length === 0 ? undefined : divert(socket, pending)
    return pending.catch(() => []).then((list) => divert(socket, list))
  }
}

function look(bytes: Buffer) {
  const { isWhole, protocols } = parseClientHello(bytes)
  return { isEnough: isWhole, found: protocols }
}
