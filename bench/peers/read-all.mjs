/**
 * Reads an answer again and again, all of it and into the same memory, which costs less than any server's
 * part. Writes how many bytes came in how many seconds. Arguments: address, header fields as JSON,
 * connections, seconds.
 */
import { connect } from 'node:net'

const [address, fields, connections, seconds] = process.argv.slice(2)
const { hostname, port, pathname } = new URL(address)
const lines = Object.entries(JSON.parse(fields)).map(([name, value]) => `${name}: ${value}\r\n`)
const request = `GET ${pathname} HTTP/1.1\r\n${lines.join('')}\r\n`
const bufferBytes = 1024 * 1024

let total = 0
for (let index = 0; index < Number(connections); index += 1) read()

function read() {
  let left = 0
  const socket = connect({
    host: hostname,
    port: Number(port),
    onread: {
      buffer: Buffer.alloc(bufferBytes),
      callback(size, buffer) {
        total += size
        if (left === 0) left = announced(buffer.toString('latin1', 0, Math.min(size, 4096)))
        left -= size
        if (left === 0) socket.write(request)
        else if (left < 0) throw new Error('There came more than was announced.')
      },
    },
  })
  socket.on('connect', () => socket.write(request))
  socket.on('end', () => {
    throw new Error('The server closed the connection.')
  })

  /** The bytes of head and content. */
  function announced(text) {
    const headEnd = text.indexOf('\r\n\r\n') + 4
    const length = /^HTTP\/1\.1 200 .*?\r\ncontent-length: (\d+)\r\n/is.exec(text)?.[1]
    if (headEnd < 4 || length === undefined)
      throw new Error(`The answer isn't the file: ${text.slice(0, 500)}`)
    return headEnd + Number(length)
  }
}

const startMs = performance.now()
setTimeout(() => {
  console.log(JSON.stringify({ bytes: total, seconds: (performance.now() - startMs) / 1000 }))
  process.exit(0)
}, Number(seconds) * 1000)
