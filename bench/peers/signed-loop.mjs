/**
 * The least that can be done: sends signed messages with the same HTTP client, over and over. Argument: the
 * receiver.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { Agent } from 'undici'

/** As many at a time as the program sends to receivers that answer at once. */
const atOnce = 1_024

const [url] = process.argv.slice(2)
const { origin, pathname: path } = new URL(url)
const key = randomBytes(32)
const agent = new Agent()
const data = { project: { id: `prj_${'0'.repeat(32)}`, name: 'web' } }

async function send(number) {
  const id = `evt_${number}`
  const timestamp = Math.floor(Date.now() / 1_000)
  const content = { id, type: 'project.created', created_ms: Date.now(), team: 'personal', data }
  const body = JSON.stringify(content)
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'svc',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': `v1,${signature}`,
  }
  const answer = await agent.request({ origin, path, method: 'POST', headers, body })
  await answer.body.dump()
}

console.log('ready')
await Promise.all(
  Array.from({ length: atOnce }, async (_, first) => {
    for (let number = first; ; number += atOnce) await send(number)
  }),
)
