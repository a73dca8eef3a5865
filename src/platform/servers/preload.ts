/** The module that a server's Node loads first, so that it listens on the socket of the platform. */
import { socketInside } from '../sandbox/launch-server.ts'

/** The port of servers, in `PORT`. */
export const serverPort = 3_000

/** Above the time for which idle connections to a server are kept, so that it never closes one in use. */
const keepAliveMs = 65_000

/**
 * CommonJS, for every Node: the first server that listens on the port takes the passed descriptor. It listens
 * on the port, too: within the sandbox for requests to itself, and so that a second server there fails as it
 * would anywhere. A worker of `node:cluster` listens through its primary process, by the descriptor alone.
 */
export const preload = `'use strict'
const net = require('node:net')
const { isWorker } = require('node:cluster')
const { Server } = net
const { listen, address } = Server.prototype
const port = ${serverPort}
const taken = new WeakSet()

/** The options of a call, whichever of its forms it has; undefined for what is no port. */
function optionsOf([first]) {
  if (typeof first === 'number' || typeof first === 'string') return { port: first }
  const isOptions = first !== null && typeof first === 'object'
  if (!isOptions || first.path || first.fd !== undefined || first._handle || first.handle) return undefined
  return first
}

/** Listens on the port itself, and hands what comes to the server; whether the port was free. */
function listenInside(server) {
  const { allowHalfOpen } = server
  const inner = net.createServer({ allowHalfOpen }, (socket) => server.emit('connection', socket))
  inner.once('error', (error) => server.emit('error', error))
  Reflect.apply(listen, inner, [{ port, exclusive: true }])
  if (!inner.listening) return false
  inner.removeAllListeners('error').on('error', () => {}).unref()
  server.once('close', () => inner.close())
  return true
}

Server.prototype.listen = function (...given) {
  const options = optionsOf(given)
  if (!options || String(options.port) !== String(port) || this.listening)
    return Reflect.apply(listen, this, given)
  const then = given.findLast((each) => typeof each === 'function')
  if (!isWorker && !listenInside(this)) return this
  taken.add(this)
  if (this.keepAliveTimeout > 0) this.keepAliveTimeout = Math.max(this.keepAliveTimeout, ${keepAliveMs})
  const passed = { fd: ${socketInside}, signal: options.signal }
  return Reflect.apply(listen, this, then ? [passed, then] : [passed])
}

Server.prototype.address = function () {
  if (!taken.has(this) || !this.listening) return Reflect.apply(address, this, [])
  return { address: '0.0.0.0', family: 'IPv4', port }
}
`
