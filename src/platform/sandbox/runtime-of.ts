/** The Node that runs builds and servers. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { SettingsError } from '../../lib/settings/error.ts'

const run = promisify(execFile)

/** A Node: its program, its version as in `24.11.0`, and what native modules for it are built for. */
export type NodeRuntime = { path: string; version: string; platform: string }

/** A Node prints its version and its platform. Only glibc has a version in its report. */
const script = `
const { glibcVersionRuntime } = process.report.getReport().header
const libc = process.platform !== 'linux' ? [] : [glibcVersionRuntime ? 'glibc' : 'musl']
console.log([process.versions.node, [process.platform, process.arch, ...libc].join('-')].join(' '))
`

const maxMs = 30_000

/**
 * The Node at `path`, whose platform is like `linux-x64-glibc`.
 * @throws SettingsError when it can't be run.
 */
export async function runtimeOf(path: string): Promise<NodeRuntime> {
  const { stdout } = await run(path, ['-e', script], { env: {}, timeout: maxMs }).catch((error: unknown) => {
    const detail = error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
    throw new SettingsError(`SVC_NODE (${path}) can't be run as Node: ${detail}`)
  })
  const [, version, platform] = /^(\d+\.\d+\.\d+\S*) (\S+)$/.exec(stdout.trim()) ?? []
  if (version && platform) return { path, version, platform }
  throw new SettingsError(`SVC_NODE (${path}) isn't Node: it printed something else than its version.`)
}
