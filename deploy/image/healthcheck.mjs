/**
 * `node healthcheck.mjs [path] [seconds]`: succeeds if this node's internal port responds to the path with
 * 200, at once or within so many seconds.
 */
import { get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const [, , path = '/healthz', seconds = '0'] = process.argv
const { SVC_INTERNAL_HOST: host = '127.0.0.1', SVC_INTERNAL_PORT: port = '9000' } = process.env
const deadlineMs = Date.now() + Number(seconds) * 1_000

let answer = await request()
while (!answer.healthy && Date.now() < deadlineMs) {
  await sleep(200)
  answer = await request()
}
process.stdout.write(`${answer.text.trim()}\n`)
process.exitCode = answer.healthy ? 0 : 1

function request() {
  return new Promise((resolve) => {
    const refuse = ({ message }) => resolve({ healthy: false, text: message })
    const sent = get({ host, port, path, timeout: 4_000 }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('error', refuse)
      response.on('data', (chunk) => {
        text += chunk
      })
      response.on('end', () => resolve({ healthy: response.statusCode === 200, text }))
    })
    sent.on('timeout', () => sent.destroy(new Error('The node did not respond.'))).on('error', refuse)
  })
}
