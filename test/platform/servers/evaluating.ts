/** A server that evaluates what it is sent, as a program of its tenant could. */
import { get, type TestServer } from './server.ts'

export const evaluating = `
  const fs = require('node:fs'), net = require('node:net'), dns = require('node:dns')
  const { spawn, spawnSync } = require('node:child_process')
  const connect = (options) => new Promise((resolve) => net.connect(options)
    .on('connect', () => resolve('connected')).on('error', (error) => resolve(error.code)))
  const failing = (act) => { try { return act() ?? 'done' } catch (error) { return error.code } }
  require('node:http').createServer(async (request, response) => {
    const answer = await new Promise((resolve) => resolve(eval(decodeURIComponent(request.url.slice(1)))))
      .catch((error) => ({ failed: error.code ?? error.cause?.code ?? error.message }))
    response.end(JSON.stringify(answer))
  }).listen(3000)`

/** The value of an expression in such a server, or the code with which it failed. */
export async function evaluate({ socketPath }: TestServer, script: string): Promise<unknown> {
  return JSON.parse((await get(socketPath, `/${encodeURIComponent(script)}`)).body)
}
