/** A program whose main thread is blocked makes the test fail that started it. */
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { join } from 'node:path'
import { expect, inject, it } from 'vitest'
import { readBlocks, refuseBlocks, watchBusy } from '../support/busy.ts'

/** Computes for as many rounds as its path says. */
const server = `
  require('node:http').createServer((request, response) => {
    for (let round = 0; round < Number(request.url.slice(1)); round += 1)
      JSON.parse(JSON.stringify(Array.from({ length: 50_000 }, String)))
    setTimeout(() => response.end(), 20)
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port) })`

it.runIf(process.platform === 'linux')(
  'reports the request that blocked the main thread',
  { timeout: 60_000 },
  async () => {
    const file = join(inject('directory'), `busy-${randomUUID()}`)
    const child = spawn(process.execPath, ['-e', server], { env: { ...process.env, ...watchBusy(file) } })
    const [port] = await once(child.stdout, 'data')
    const call = (rounds: number) => fetch(`http://127.0.0.1:${Number(port)}/${rounds}`)
    await call(0)
    await refuseBlocks(file)
    await call(150)
    child.kill()
    await once(child, 'exit')
    const [longest] = await readBlocks(file)
    expect(longest?.requests).toEqual(['GET /150'])
    await expect(refuseBlocks(file)).rejects.toThrow(/\d+ ms at a stretch while it answered GET \/150/)
  },
)
