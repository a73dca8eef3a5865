/** A proxy as a process, in front of two nodes. */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { request } from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { eventually } from '../eventually.ts'
import type { NodePair } from '../node-pair.ts'

const run = promisify(execFile)

/** The name of the API. */
export const apiHost = 'api.svc.test'
/** Sites are below it. */
export const sitesHost = 'sites.test'

/** What a proxy's file makes of its arguments. `ca` is the file with the authority of its certificates. */
export type Started = { process: ChildProcess; port: number; ca: string }

/** Starts one in front of `pair`, with its files in `directory`. */
export type StartProxy = (pair: NodePair, directory: string) => Promise<Started>

/** One that answers; `ca` is the certificate of its authority. */
export type RunningProxy = { port: number; ca: string; close(): Promise<void> }

/** Resolves when the proxy passes requests on to the API. */
export async function openProxy(start: StartProxy, pair: NodePair): Promise<RunningProxy> {
  const directory = await mkdtemp(join(tmpdir(), 'svc-proxy-'))
  const started = await start(pair, directory)
  // The file may be there before all of it is.
  const ca = await eventually(async () => {
    const text = await readFile(started.ca, 'utf8')
    await isReady(started.port, text)
    return text
  })
  return {
    port: started.port,
    ca,
    async close() {
      const ended = once(started.process, 'exit')
      started.process.kill('SIGTERM')
      await ended
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** @throws when it isn't. */
function isReady(port: number, ca: string): Promise<void> {
  const place = { host: '127.0.0.1', port, path: '/readyz', servername: apiHost, ca, agent: false }
  return new Promise((resolve, reject) => {
    request({ ...place, headers: { host: apiHost } }, (response) => {
      response.resume()
      if (response.statusCode === 200) resolve()
      else reject(new Error(`The proxy says ${response.statusCode}.`))
    })
      .on('error', reject)
      .end()
  })
}

/** The process of `program`, with nothing of this one's environment but the path. */
export function spawnProxy(
  program: string,
  args: string[],
  environment: Record<string, string>,
): ChildProcess {
  return spawn(program, args, { env: { PATH: process.env.PATH, ...environment }, stdio: 'ignore' })
}

/** A certificate of the names above, and its key, as two files in `directory`. */
export async function makeCertificate(directory: string): Promise<{ key: string; certificate: string }> {
  const [key, certificate] = [join(directory, 'key'), join(directory, 'ca')]
  const names = `subjectAltName=DNS:${apiHost},DNS:*.${sitesHost}`
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']
  const made = ['-days', '2', '-subj', '/CN=svc.test', '-addext', names, '-keyout', key, '-out', certificate]
  await run('openssl', ['req', '-x509', ...curve, ...made])
  return { key, certificate }
}
