/**
 * A bare `node:http2` server over TLS that answers with the bytes of a file, by streams or by Node's
 * compatible requests. Arguments: certificate, key, file, `streams` or `requests`.
 */
import { readFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'

const [certFile, keyFile, file, by] = process.argv.slice(2)
const bytes = readFileSync(file)
const type = 'text/css; charset=utf-8'
const server = createSecureServer({
  cert: readFileSync(certFile),
  key: readFileSync(keyFile),
  allowHTTP1: true,
  minVersion: 'TLSv1.2',
})
if (by === 'streams') {
  server.on('stream', (stream) => {
    stream.respond({ ':status': 200, 'content-type': type, 'content-length': bytes.length })
    stream.end(bytes)
  })
} else {
  server.on('request', (_request, response) => {
    response.writeHead(200, { 'content-type': type, 'content-length': bytes.length })
    response.end(bytes)
  })
}
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
