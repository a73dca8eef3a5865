/** A server that does what the path of a request says, once each, and answers others of that path. */
import { spawn } from 'node:child_process'
import { createServer } from 'node:http'

const bad = [
  'HTTP/1.1 99 Less\r\n\r\n',
  'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab',
  `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`,
  `${'HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n'.repeat(20_000)}HTTP/1.1 200 OK\r\n\r\n`,
  'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nab',
]
let turn = 0

const deeds = {
  '/loop': once(() => {
    for (;;);
  }),
  '/fill': once(() => {
    const kept = []
    setInterval(() => kept.push(Buffer.alloc(2 ** 24, 1)), 1)
  }),
  '/fork': once(() => spawn('/bin/sh', ['-c', 'f() { f | f & }; f'])),
  '/flood': once(() => {
    const lines = `${'a line of a flood'.repeat(3)}\n`.repeat(1_000)
    const print = () => process.stdout.write(lines, print)
    print()
  }),
  '/bad'(response) {
    turn += 1
    response.socket.end(bad[turn % bad.length])
  },
  '/stream'(response) {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    setInterval(() => response.write(`data: ${'x'.repeat(1_000)}\n\n`), 10)
  },
}

function once(does) {
  let isDone = false
  return (response) => {
    response.end('done', () => {
      if (!isDone) setTimeout(does, 10)
      isDone = true
    })
  }
}

createServer((request, response) => (deeds[request.url] ?? ((to) => to.end('hello')))(response)).listen(
  process.env.PORT,
)
