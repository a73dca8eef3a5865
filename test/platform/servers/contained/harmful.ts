/** Programs of applications that mean harm, or that can't stand a crowd. */

/** Answers byte by byte, as its paths say. */
export const harmful = `
  const { createServer } = require('node:net')
  const empty = 'Content-Length: 0\\r\\n\\r\\n'
  const answers = {
    '/ok': 'HTTP/1.1 200 OK\\r\\n' + empty,
    '/status-099': 'HTTP/1.1 099 x\\r\\n' + empty,
    '/status-99': 'HTTP/1.1 99 x\\r\\n' + empty,
    '/status-999': 'HTTP/1.1 999 x\\r\\n' + empty,
    '/status-1000': 'HTTP/1.1 1000 x\\r\\n' + empty,
    '/switch': 'HTTP/1.1 101 x\\r\\nUpgrade: x\\r\\nConnection: upgrade\\r\\n\\r\\n',
    '/hints':
      'HTTP/1.1 103 x\\r\\nLink: </a>; rel=preload\\r\\n\\r\\n'.repeat(20000) +
      'HTTP/1.1 200 OK\\r\\n' + empty,
    '/two-lengths': 'HTTP/1.1 200 OK\\r\\nContent-Length: 1\\r\\nContent-Length: 2\\r\\n\\r\\nab',
    '/length-and-chunks':
      'HTTP/1.1 200 OK\\r\\nContent-Length: 5\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n0\\r\\n\\r\\n',
    '/two-locations': 'HTTP/1.1 302 x\\r\\nLocation: /a\\r\\nLocation: /b\\r\\n' + empty,
    '/two-types': 'HTTP/1.1 200 OK\\r\\nContent-Type: a/b\\r\\nContent-Type: c/d\\r\\n' + empty,
    '/two-tags': 'HTTP/1.1 200 OK\\r\\nETag: "a"\\r\\nETag: "b"\\r\\n' + empty,
    '/control': 'HTTP/1.1 200 OK\\r\\nX-A: a\\x01b\\r\\n' + empty,
    '/zero': 'HTTP/1.1 200 OK\\r\\nX-A: a\\x00b\\r\\n' + empty,
    '/large': 'HTTP/1.1 200 OK\\r\\nX-A: ' + 'x'.repeat(100000) + '\\r\\n' + empty,
    '/no-http': 'SSH-2.0-x\\r\\n',
    '/nothing': '',
    '/cut-length': 'HTTP/1.1 200 OK\\r\\nContent-Length: 100\\r\\n\\r\\npart',
    '/cut-chunks': 'HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n4\\r\\npart\\r\\n',
    '/bad-chunk': 'HTTP/1.1 200 OK\\r\\nTransfer-Encoding: chunked\\r\\n\\r\\n4\\r\\npart\\r\\nzz\\r\\n',
  }
  createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (head) => {
      const path = String(head).split(' ')[1]
      if (path === '/loop') for (;;);
      if (path === '/endless') {
        socket.write('HTTP/1.1 200 OK\\r\\n\\r\\n')
        const sending = setInterval(() => socket.write('more'), 50)
        socket.once('close', () => {
          clearInterval(sending)
          console.log('left ' + path)
        })
        return
      }
      socket.end(answers[path] ?? answers['/ok'], 'latin1')
    })
  }).listen(process.env.PORT)`

/** Takes some seconds to listen, and says who comes. */
export const slow = `
  const { createServer } = require('node:http')
  const server = createServer((request, response) => {
    console.log(request.method + ' ' + request.url)
    response.end('late')
  })
  setTimeout(() => server.listen(process.env.PORT), 5000)`

export const streaming = `
  const { createServer } = require('node:http')
  createServer((request, response) => {
    if (request.url !== '/events') return response.end('ok')
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    response.write('data: 1\\n\\n')
  }).listen(process.env.PORT)`

export const crashing = `
  console.log('here')
  process.exit(1)`
