/**
 * Loads a TLS server for a while and prints how much it did. Arguments, as JSON: `port`, `host`, `what`
 * (`full` or `resumed` handshakes, `http2` requests), `path`, `seconds`.
 */
import { once } from 'node:events'
import { connect as connectHttp2 } from 'node:http2'
import { connect } from 'node:tls'

const { port, host, what, path, seconds } = JSON.parse(process.argv[2])
const atOnce = 8
const streams = 10
const endMs = performance.now() + seconds * 1_000
let count = 0

const works = {
  full: () => shakeOnAndOn(false),
  resumed: () => shakeOnAndOn(true),
  http2: requestOnAndOn,
}
const startedMs = performance.now()
await Promise.all(Array.from({ length: atOnce }, works[what]))
console.log(JSON.stringify({ count, seconds: (performance.now() - startedMs) / 1_000 }))

async function shakeOnAndOn(isResumed) {
  let session
  while (performance.now() < endMs) {
    const options = { host: '127.0.0.1', port, servername: host, rejectUnauthorized: false }
    // TLS 1.3 sends its tickets behind the handshake, TLS 1.2 within it.
    const version = { minVersion: 'TLSv1.2', maxVersion: 'TLSv1.2' }
    const socket = connect({
      ...options,
      ...version,
      ...(isResumed && session && { session }),
      ALPNProtocols: ['http/1.1'],
    })
    if (isResumed) socket.on('session', (ticket) => (session = ticket))
    await once(socket, 'secureConnect')
    if (isResumed && count > 100 && !socket.isSessionReused()) throw new Error('The session was not resumed.')
    count += 1
    socket.destroy()
  }
}

async function requestOnAndOn() {
  const session = connectHttp2(`https://${host}:${port}`, {
    host: '127.0.0.1',
    servername: host,
    rejectUnauthorized: false,
  })
  await once(session, 'connect')
  await Promise.all(Array.from({ length: streams }, () => requestBy(session)))
  session.destroy()
}

async function requestBy(session) {
  while (performance.now() < endMs) {
    const stream = session.request({ ':path': path, ':authority': host })
    let bytes = 0
    stream.on('data', (chunk) => (bytes += chunk.length))
    await once(stream, 'end')
    if (bytes !== 10_000) throw new Error(`A response has ${bytes} bytes.`)
    count += 1
  }
}
