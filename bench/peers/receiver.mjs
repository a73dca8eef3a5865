/**
 * Takes webhooks: answers at `/live/…` at once, at `/slow/…` just before it is too late (but pings at once)
 * and at `/dead/…` never, and at `/seen` tells how many came, and how long after their events.
 */
import { createServer } from 'node:http'

const slowMs = 14_000

let count = 0
let ages = []

const server = createServer((request, response) => {
  if (request.url === '/seen') {
    response.end(JSON.stringify({ count, ages }))
    ages = []
    return
  }
  let body = ''
  request.setEncoding('utf8').on('data', (chunk) => {
    body += chunk
  })
  request.on('end', () => {
    if (request.url.startsWith('/dead')) return
    const { type, created_ms } = JSON.parse(body)
    if (request.url.startsWith('/slow') && type !== 'webhook.ping') {
      setTimeout(() => response.end(), slowMs)
      return
    }
    const ageMs = Date.now() - created_ms
    count += 1
    ages.push(ageMs)
    response.end()
  })
})
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
