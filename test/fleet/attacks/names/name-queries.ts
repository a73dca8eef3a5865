/** Floods of DNS by UDP: random names in zones of others, questions with large answers, and no packets. */
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { query } from '../../../roles/nameserver/client.ts'
import type { Attack } from '../attack.ts'
import { attackerAddress, inTurn } from '../target.ts'

const sockets = 20
const atOnce = 10
const pauseMs = 10

export const nameQueries: Attack = {
  name: 'floods of DNS queries',
  prepare:
    ({ dnsPort, others }) =>
    async (signal) => {
      const senders = await Promise.all(
        Array.from({ length: sockets }, async (_, index) => {
          const socket = createSocket('udp4')
          socket.on('error', () => {})
          socket.bind(0, attackerAddress(index * 200))
          await once(socket, 'listening')
          return socket
        }),
      )
      let answers = 0
      for (const socket of senders)
        socket.on('message', () => {
          answers += 1
        })
      let sent = 0
      while (!signal.aborted) {
        for (let each = 0; each < atOnce; each += 1) {
          sent += 1
          inTurn(senders, sent).send(questionOf(sent, inTurn(others, sent).zone), dnsPort, '127.0.0.1')
        }
        await sleep(pauseMs, undefined, { signal }).catch(() => {})
      }
      for (const socket of senders) socket.close()
      return `${sent} sent, ${answers} answered`
    },
}

function questionOf(index: number, zone: string): Buffer {
  const random = randomBytes(8).toString('hex')
  if (index % 5 === 0) return randomBytes(40)
  if (index % 5 === 1) return query(zone, 'ANY')
  if (index % 5 === 2) return query(`${random}.example.org`, 'A')
  return query(`${random}.${zone}`, 'A')
}
