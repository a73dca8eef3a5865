/** The module that a server's Node loads first, so that the server is reached by the platform's socket. */
import { serverPort } from '../projects/server-port.ts'
import { socketInside } from '../sandbox/launch-server.ts'

/** Above the time for which idle connections to a server are kept, so that it never closes one in use. */
const keepAliveMs = 65_000

/**
 * The module, CommonJS for every Node. Servers listen as they would anywhere: the port is one of the network
 * that the sandbox has to itself, where they also reach themselves. What connects to the passed socket is
 * handed to the one that listens on the port, which in a cluster is the primary process. The socket stays
 * open when a server closes, since the next may follow, and connections wait for it. Without a network of
 * its own, a server gets another port, of the host itself alone.
 */
export function preload({ hasOwnNetwork }: { hasOwnNetwork: boolean }): string {
  return `'use strict'
const { createServer, Server } = require('node:net')
const { listen } = Server.prototype
const port = ${serverPort}
const waiting = []
let handles = []
let outer

function isPort(given) {
  const options = given[0] !== null && typeof given[0] === 'object' ? given[0] : { port: given[0] }
  return !options.path && String(options.port) === String(port)
}

function anyPort(given) {
  return [{ port: 0, host: '127.0.0.1' }, ...given.filter((each) => typeof each === 'function')]
}

Server.prototype.listen = function (...given) {
  const isOurs = isPort(given)
  this.once('listening', () => {
    const at = this.address()
    if (at?.port === port || (isOurs && !${hasOwnNetwork})) serve(this)
  })
  return Reflect.apply(listen, this, isOurs && !${hasOwnNetwork} ? anyPort(given) : given)
}

function serve(server) {
  if (server.keepAliveTimeout > 0) server.keepAliveTimeout = Math.max(server.keepAliveTimeout, ${keepAliveMs})
  const handle = server._handle
  // A worker gets its connections from the primary process.
  if (handle.constructor === Object) return
  handles = [...handles.filter(isOpen), handle]
  open()
  for (const connection of waiting.splice(0)) hand(connection)
}

function isOpen(handle) {
  return handle.fd >= 0
}

function open() {
  if (outer) return
  outer = createServer()
  outer.on('error', (error) => console.error('The socket of the platform is out of reach: ' + error.message))
  Reflect.apply(listen, outer, [{ fd: ${socketInside}, exclusive: true }])
  if (!outer.listening) return
  outer._handle.onconnection = (error, connection) => error || hand(connection)
  outer.unref()
}

function hand(connection) {
  const handle = handles.findLast(isOpen)
  if (handle) handle.onconnection(0, connection)
  else waiting.push(connection)
}
`
}
