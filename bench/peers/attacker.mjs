/**
 * Does its worst to a node until it is ended, from an address of its own. Arguments: which of these attacks,
 * and where and as whom, as JSON.
 */
import { randomBytes } from 'node:crypto'
import { Agent, request } from 'node:http'
import { connect } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { newToken } from '../../dist/platform/callers/token.js'

const localAddress = '127.0.0.2'
const [what, given] = process.argv.slice(2)
const { apiPort, edgePort, dnsPort, key, ...settings } = JSON.parse(given)
const agent = new Agent({ keepAlive: true, localAddress })
const authorization = `Bearer ${key}`
const json = { authorization, 'content-type': 'application/json' }
const burn = 'for i in 1 2 3 4; do (while :; do :; done) & done; echo burning; wait'

/** What a team on the free plan may ask a second. */
const perSecond = 20

/** Deployments to cancel in the end. */
const building = []

/** How often what was answered; where nothing was, for what reason. */
const answers = {}

const attacks = {
  async 'builds that burn'() {
    for (let number = 0; number < 3; number += 1) {
      const body = {
        project: settings.project,
        files: [{ path: 'a', content: 'a' }],
        build: { build_command: burn },
      }
      const { text } = await send('POST', '/v1/deployments', body)
      building.push(JSON.parse(text).id)
    }
    // Until its commands run.
    await wait(2_000)
  },
  'webhooks to slow receivers': () =>
    atRate((number) => send('PUT', `/v1/projects/${settings.project}`, { spa: number % 2 === 0 })),
  'bodies that are half sent': () => Promise.all(times(100, holdHalf)),
  'whole bodies of 10 MiB'() {
    const content = 'a'.repeat(10 * 1024 * 1024 - 1_000)
    const body = JSON.stringify({ project: settings.project, files: [{ path: 'a', content }] })
    return atOnce(8, () => send('POST', '/v1/deployments', body))
  },
  'DNS answers of 4,000 addresses': () => Promise.all(times(4, askNames)),
  'searches of logs': () => atRate(() => send('GET', '/v1/logs?q=nowhere&limit=100')),
  'logs that are followed': () =>
    atOnce(20, () => send('GET', `/v1/logs?order=asc&wait_s=30&since_ms=${Date.now()}`)),
  'long series of metrics'() {
    const sinceMs = Date.now() - 1_400 * 60_000
    return atRate(() => send('GET', `/v1/metrics?metric=latency_p99&step_ms=60000&since_ms=${sinceMs}`))
  },
  'made-up hosts': () =>
    atOnce(50, () =>
      ask({ port: edgePort, headers: { host: `x${randomBytes(6).toString('hex')}.localhost` } }),
    ),
  'made-up keys': () =>
    atOnce(50, () =>
      ask({ port: apiPort, path: '/v1/overview', headers: { authorization: `Bearer ${newToken()}` } }),
    ),
  'deployments of 20,000 files'() {
    const files = times(20_000, (number) => ({ path: `${number}.html`, content: '' }))
    const body = JSON.stringify({ project: settings.project, files })
    return atOnce(4, () => send('POST', '/v1/deployments', body))
  },
  'many large sites'() {
    let turn = 0
    return atOnce(8, () => {
      turn += 1
      return ask({ port: edgePort, headers: { host: settings.hosts[turn % settings.hosts.length] } })
    })
  },
  'servers that loop': () => atOnce(4, () => visit('/loop')),
  'servers that fill their memory': () => atOnce(4, () => visit('/fill')),
  'servers that fork': () => atOnce(4, () => visit('/fork')),
  'servers that flood their log': () => atOnce(4, () => visit('/flood')),
  'servers that answer badly': () => atOnce(20, () => visit('/bad')),
  'servers that stream without end': () => atOnce(32, () => visit('/stream')),
}

/** A request to the team's own server; after a failure the visitor takes a short rest. */
async function visit(path) {
  const headers = { host: settings.host }
  const answer = await ask({ port: edgePort, path, headers, timeout: 2_000 })
  if (answer.status !== 200) await wait(20)
  return answer
}

/**
 * So many at a time, each after another. Where it is refused it takes a rest, as one does who wants to be let
 * in.
 */
async function atOnce(count, attempt) {
  await Promise.all(
    times(count, async () => {
      for (;;) {
        const answer = await attempt()
        if (answer.status === undefined || answer.status === 429) await wait(count === 50 ? 1 : 200)
      }
    }),
  )
}

/** As often as a team may. */
async function atRate(attempt) {
  for (let number = 0; ; number += 1) {
    attempt(number)
    await wait(1_000 / perSecond)
  }
}

function send(method, path, body) {
  const text = typeof body === 'object' ? JSON.stringify(body) : body
  const headers = { ...json, ...(text && { 'content-length': Buffer.byteLength(text) }) }
  return ask({ port: apiPort, method, path, headers }, text)
}

function ask(options, body) {
  return new Promise((resolve) => {
    const asked = request({ host: '127.0.0.1', agent, localAddress, ...options }, async (answer) => {
      let text = ''
      answer.setEncoding('utf8').on('data', (chunk) => {
        text += chunk
      })
      answer.once('error', () => resolve({}))
      answer.once('end', () => {
        count(answer.statusCode)
        resolve({ status: answer.statusCode, text })
      })
    })
    asked.once('timeout', () => asked.destroy())
    asked.once('error', ({ code }) => {
      count(code)
      resolve({})
    })
    asked.end(body)
  })
}

/** Sends half of a body, keeps the connection, and begins again where it was closed. */
async function holdHalf() {
  for (;;) {
    await new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: apiPort, localAddress })
      const bytes = 8 * 1024 * 1024
      socket.once('connect', () => {
        socket.write(
          `POST /v1/deployments HTTP/1.1\r\nhost: localhost\r\nauthorization: ${authorization}\r\n` +
            `content-type: application/json\r\ncontent-length: ${bytes}\r\n\r\n`,
        )
        socket.write(Buffer.alloc(bytes / 2, ' '))
      })
      socket
        .on('error', ({ code }) => count(code))
        .on('data', (chunk) => count(chunk.toString().split(' ')[1]))
      socket.once('close', resolve)
    })
    await wait(200)
  }
}

/** Asks for one name after another that a wildcard answers, over TCP. */
async function askNames() {
  for (;;) {
    await new Promise((resolve) => {
      const socket = connect({ host: '127.0.0.1', port: dnsPort, localAddress })
      let received = Buffer.alloc(0)
      const next = () => socket.write(question(`x${randomBytes(6).toString('hex')}.w.${settings.zone}`))
      socket.once('connect', next)
      socket.on('error', () => {}).once('close', resolve)
      socket.on('data', (chunk) => {
        received = Buffer.concat([received, chunk])
        if (received.length < 2 || received.length < 2 + received.readUInt16BE(0)) return
        received = Buffer.alloc(0)
        count('answered')
        next()
      })
    })
    await wait(50)
  }
}

/** For addresses (RFC 1035, section 4), with its length before it. */
function question(name) {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]))
  const head = Buffer.from([0, 1, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0])
  const message = Buffer.concat([head, ...labels, Buffer.from([0, 0, 1, 0, 1])])
  return Buffer.concat([Buffer.from([message.length >> 8, message.length & 255]), message])
}

function count(what) {
  answers[what] = (answers[what] ?? 0) + 1
}

function times(length, make) {
  return Array.from({ length }, (_, number) => make(number))
}

process.on('SIGTERM', async () => {
  await Promise.all(building.map((id) => send('DELETE', `/v1/deployments/${id}`)))
  console.log(JSON.stringify(answers))
  process.exit()
})

const attack = attacks[what]
if (what === 'builds that burn') await attack()
console.log('ready')
if (what === 'builds that burn') setInterval(() => {}, 1_000)
else await attack()
