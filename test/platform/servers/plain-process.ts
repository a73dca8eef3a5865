/** Servers for tests as processes of this machine, without a sandbox. */
import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Ending, type ServerProcess, StartFailed } from '../../../src/platform/servers/server-process.ts'

/** A program that answers everything with its pid. */
export const answering =
  "require('http').createServer((req, res) => res.end(String(process.pid))).listen(process.env.SOCKET)"

/** A program that takes connections, and answers nothing. */
export const silent = "require('http').createServer(() => {}).listen(process.env.SOCKET)"

/** A program that answers everything with an error of its own. */
export const failing =
  "require('http').createServer((req, res) => res.writeHead(500).end()).listen(process.env.SOCKET)"

/** A program that answers nothing before `exit 3`. */
export const ending = 'process.exit(3)'

/** Runs a program of Node, which is to listen on `SOCKET`. */
export async function startPlain(program: string): Promise<ServerProcess> {
  const directory = await mkdtemp(join(tmpdir(), 'server-'))
  const socketPath = join(directory, 's')
  const child = spawn(process.execPath, ['-e', program], {
    env: { SOCKET: socketPath },
    stdio: 'ignore',
  })
  let isOver = false
  const ended = new Promise<Ending>((resolve) =>
    child.once('close', async (code, signal) => {
      isOver = true
      await rm(directory, { recursive: true })
      resolve({ code: code ?? 128, signal: signal ?? undefined, outOfMemory: false })
    }),
  )
  async function listen(): Promise<void> {
    while (!isOver) {
      if (await accepts(socketPath)) return
      await sleep(5)
    }
    throw new StartFailed('The server ended before it listened.')
  }
  const listening = listen()
  listening.catch(() => {})
  return {
    socketPath,
    listening,
    ended,
    memoryBytes: async () => 10,
    async stop(graceMs) {
      child.kill('SIGTERM')
      const late = setTimeout(() => child.kill('SIGKILL'), graceMs)
      await ended
      clearTimeout(late)
    },
    kill: () => void child.kill('SIGKILL'),
  }
}

function accepts(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(path, () => {
      socket.destroy()
      resolve(true)
    }).on('error', () => resolve(false))
  })
}
