/** Debian's pebble, a certificate authority for tests that speaks ACME, as a process of its own. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { get } from 'node:https'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import { keepSelfSigned, selfSignedFiles } from '../../src/lib/tls/self-signed.ts'
import { eventually } from './eventually.ts'
import { pebblePath } from './has-pebble.ts'
import { freePort } from './ports.ts'

export type Pebble = {
  /** For `SVC_ACME_DIRECTORY` and `SVC_ACME_CA`. */
  directoryUrl: string
  caFile: string
  /** The certificate that signs all that it issues, PEM. */
  root(): Promise<string>
  /** Has the files of its own certificate, below `tls`. */
  directory: string
  output(): string
  /** Ends it and starts another one at its place, which knows nothing. */
  restart(): Promise<void>
  close(): Promise<void>
}

type Options = {
  /** The ports of the names that it validates. */
  httpPort: string
  tlsPort: string
  /** Resolves names. */
  dnsServer: string
  /** Its own settings: faults, sleeps. */
  environment?: Record<string, string>
  config?: Record<string, unknown>
}

/** Starts it without its random sleeps and faults, and waits until it listens. */
export async function startPebble({
  httpPort,
  tlsPort,
  dnsServer,
  environment = {},
  config = {},
}: Options): Promise<Pebble> {
  const directory = await mkdtemp(join(inject('directory'), 'pebble-'))
  const files = selfSignedFiles(directory)
  await mkdir(join(directory, 'tls'), { recursive: true })
  await keepSelfSigned(files, ['localhost', '127.0.0.1'], Date.now())
  const [port, managementPort] = [await freePort(), await freePort()]
  const configFile = join(directory, 'config.json')
  const pebble = {
    listenAddress: `127.0.0.1:${port}`,
    managementListenAddress: `127.0.0.1:${managementPort}`,
    certificate: files.certFile,
    privateKey: files.keyFile,
    httpPort: Number(httpPort),
    tlsPort: Number(tlsPort),
    ocspResponderURL: '',
    externalAccountBindingRequired: false,
    ...config,
  }
  await writeFile(configFile, JSON.stringify({ pebble }))
  const run = async () => {
    const child = spawn(pebblePath, ['-config', configFile, '-dnsserver', dnsServer], {
      env: { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '0', PEBBLE_AUTHZREUSE: '0', ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => (output += String(text)))
    const exited = once(child, 'exit')
    while (!output.includes('ACME directory available')) {
      if (child.exitCode !== null) throw new Error(`pebble ended: ${output}`)
      await Promise.race([once(child.stdout, 'data'), exited])
    }
    // It names its directory before it listens.
    await eventually(() => connectTo(port))
    const end = async () => {
      child.kill('SIGKILL')
      await exited
    }
    return { output: () => output, end }
  }
  let running = await run()
  return {
    directoryUrl: `https://localhost:${port}/dir`,
    directory,
    caFile: files.certFile,
    async root() {
      const sent = get(`https://localhost:${managementPort}/roots/0`, { ca: await readFile(files.certFile) })
      const [response] = await once(sent, 'response')
      return text(response)
    },
    output: () => running.output(),
    async restart() {
      await running.end()
      running = await run()
    },
    close: () => running.end(),
  }
}

async function connectTo(port: string): Promise<void> {
  const socket = connect({ host: '127.0.0.1', port: Number(port) })
  await once(socket, 'connect').finally(() => socket.destroy())
}
