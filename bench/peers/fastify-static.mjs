/** `@fastify/static` as its documentation shows it. Argument: directory. */
import fastifyStatic from '@fastify/static'
import { fastify } from 'fastify'

const app = fastify()
app.register(fastifyStatic, { root: process.argv[2] })
await app.listen({ host: '127.0.0.1', port: 0 })
console.log(app.server.address().port)
