/** Applications with a server, each as somebody begins one: `npm init`, a library, and a file. */

import type { Application } from './platform.ts'

const sockets = `
const { WebSocketServer } = require('ws')
module.exports = (server) =>
  new WebSocketServer({ server, path: '/socket' }).on('connection', (socket) => {
    socket.on('message', (said) => socket.send('you said ' + said))
  })
`

export const applications: Application[] = [
  {
    name: 'express',
    packages: ['express@5', 'ws@8'],
    files: {
      'sockets.js': sockets,
      'index.js': `
const express = require('express')
const app = express()
app.get('/', (req, res) => res.send('<h1>Made by express</h1>'))
app.get('/api/facts', (req, res) =>
  res.json({ host: req.headers.host, proto: req.headers['x-forwarded-proto'], node: process.version }))
app.post('/form', express.urlencoded({ limit: '10mb' }), (req, res) =>
  res.cookie('name', req.body.name).redirect(303, '/welcome'))
app.post('/length', express.raw({ type: () => true, limit: '10mb' }), (req, res) =>
  res.send(String(req.body.length)))
app.get('/stream', (req, res) => {
  res.type('text/event-stream')
  res.write('data: first\\n\\n')
  setTimeout(() => res.end('data: last\\n\\n'), 300)
})
require('./sockets.js')(app.listen(process.env.PORT, () => console.log('express is ready')))
`,
    },
  },
  {
    name: 'hono',
    packages: ['hono@4', '@hono/node-server@1', 'ws@8'],
    manifest: { scripts: { start: 'node server.mjs' } },
    files: {
      'sockets.cjs': sockets,
      'server.mjs': `
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { setCookie } from 'hono/cookie'
import { streamSSE } from 'hono/streaming'
import sockets from './sockets.cjs'
const app = new Hono()
app.get('/', (c) => c.html('<h1>Made by hono</h1>'))
app.get('/api/facts', (c) =>
  c.json({ host: c.req.header('host'), proto: c.req.header('x-forwarded-proto'), node: process.version }))
app.post('/form', async (c) => {
  setCookie(c, 'name', (await c.req.parseBody()).name)
  return c.redirect('/welcome', 303)
})
app.post('/length', async (c) => c.text(String((await c.req.arrayBuffer()).byteLength)))
app.get('/stream', (c) => streamSSE(c, async (stream) => {
  await stream.writeSSE({ data: 'first' })
  await stream.sleep(300)
  await stream.writeSSE({ data: 'last' })
}))
sockets(serve({ fetch: app.fetch, port: Number(process.env.PORT) }, () => console.log('hono is ready')))
`,
    },
  },
  {
    name: 'fastify',
    packages: ['fastify@5', '@fastify/formbody@8', '@fastify/cookie@11', 'ws@8'],
    files: {
      'sockets.js': sockets,
      Procfile: 'web: node app.js\n',
      'app.js': `
const fastify = require('fastify')({ bodyLimit: 10485760 })
fastify.register(require('@fastify/formbody'))
fastify.register(require('@fastify/cookie'))
fastify.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (req, body, done) =>
  done(null, body))
fastify.get('/', (req, reply) => reply.type('text/html').send('<h1>Made by fastify</h1>'))
fastify.get('/api/facts', async (req) =>
  ({ host: req.headers.host, proto: req.headers['x-forwarded-proto'], node: process.version }))
fastify.post('/form', (req, reply) => reply.setCookie('name', req.body.name).redirect('/welcome', 303))
fastify.post('/length', async (req) => String(req.body.length))
fastify.get('/stream', (req, reply) => {
  reply.hijack()
  reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
  reply.raw.write('data: first\\n\\n')
  setTimeout(() => reply.raw.end('data: last\\n\\n'), 300)
})
fastify.listen({ port: Number(process.env.PORT), host: '0.0.0.0' }).then(() => {
  require('./sockets.js')(fastify.server)
  console.log('fastify is ready')
})
`,
    },
  },
]
