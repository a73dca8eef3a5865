/**
 * Starts a server by hand at each request, in the sandbox that servers have, and passes its first answer on;
 * `/end` ends it. Arguments: a directory with `server.mjs`, and one for its socket.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import {
  accountFiles,
  bubblewrapOptions,
  descriptors,
  firstFile,
  inMemory,
  sandboxedCommand,
} from '../../dist/platform/sandbox/bubblewrap.js'
import { preloadPath, serverMemoryFiles, socketInside } from '../../dist/platform/sandbox/launch-server.js'
import { buildFilter } from '../../dist/platform/sandbox/refused-calls.js'
import { runtimeOf } from '../../dist/platform/sandbox/runtime-of.js'
import { startScript } from '../../dist/platform/sandbox/start-script.js'
import { readToolchain, systemPath } from '../../dist/platform/sandbox/toolchain.js'
import { bindSocket } from '../../dist/platform/servers/listening-socket.js'
import { nodeOptions } from '../../dist/platform/servers/node-options.js'
import { preload } from '../../dist/platform/servers/preload.js'
import { serverEnvironment } from '../../dist/platform/servers/server-env.js'

const [files, directory] = process.argv.slice(2)
const memoryBytes = 512 * 1024 * 1024
const { reservedBytes } = await runtimeOf(process.execPath)
const limits = { processes: 512, openFiles: 4_096, memoryBytes, reservedBytes }
const startPath = '/server/start'
const home = '/server/home'
const owner = process.getuid() === 0 ? 61_000 : undefined
const place = { isolation: 'bubblewrap', owner }
const pauseMs = 5

const toolchain = await readToolchain(process.execPath)
const env = {
  ...{ PATH: toolchain.path, HOME: home, LANG: 'C.UTF-8' },
  ...serverEnvironment({}, { NODE_OPTIONS: nodeOptions(preloadPath(place), memoryBytes) }),
}
const profile = {
  ...{ name: 'server', owner, network: 'own', toolchain, home },
  mounts: [
    ...['--dir', '/server', '--ro-bind', files, '/workspace'],
    ...serverMemoryFiles(memoryBytes).flatMap(inMemory),
    ...['--dir', '/var', '--symlink', '/tmp', '/var/tmp'],
  ],
  files: {
    [startPath]: startScript({ command: 'node server.mjs', directory: '/workspace', env, before: [] }),
    [preloadPath(place)]: preload({ hasOwnNetwork: true }),
  },
}
const contents = { ...accountFiles(profile), ...profile.files }
const options = bubblewrapOptions({ ...profile, files: contents })
const command = sandboxedCommand(profile, startPath, limits, { perProcess: true })
const given = {
  [descriptors.options]: options.map((option) => `${option}\0`).join(''),
  [descriptors.filter]: buildFilter(process.arch, { counted: false }),
  // The answer to the first process, which says that it is there.
  [descriptors.word]: '\n',
  ...Object.fromEntries(Object.values(contents).map((text, index) => [firstFile + index, text])),
}
const pipes = firstFile + Object.keys(contents).length

let started = 0
let running

async function startOne() {
  started += 1
  const path = join(directory, `by-hand-${started}`)
  const socket = await bindSocket(path)
  const child = spawn('bwrap', ['--args', `${descriptors.options}`, ...command], {
    cwd: '/',
    env: { PATH: systemPath },
    stdio: Array.from({ length: socketInside + 1 }, (_, at) => {
      if (at === socketInside) return socket.fd
      return at > 0 && at < pipes ? 'pipe' : 'ignore'
    }),
  })
  socket.release()
  for (const [at, text] of Object.entries(given)) child.stdio[at].end(text)
  child.stdout.resume()
  child.stderr.pipe(process.stderr)
  running = { child, ended: once(child, 'close') }
  while (!(await canConnect(path))) await wait(pauseMs)
  return path
}

function canConnect(path) {
  return new Promise((resolve) => {
    const socket = connect(path)
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false))
    socket.once('connect', () => socket.destroy())
  })
}

async function endIt() {
  running?.child.kill('SIGKILL')
  await running?.ended
}

const server = createServer(async (visitor, response) => {
  if (visitor.url === '/end') {
    await endIt()
    response.end('Ended')
    return
  }
  const socketPath = await startOne()
  request({ socketPath, agent: false }, (answer) => {
    response.writeHead(answer.statusCode, answer.headers)
    answer.pipe(response)
  }).end()
})
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
