/** The Node that runs builds and servers. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { SettingsError } from '../../lib/settings/error.ts'

const run = promisify(execFile)

/**
 * A Node: its program, its version as in `24.11.0`, what native modules for it are built for, and the memory
 * that each of its threads reserves without using it, as far as Linux counts that as data.
 */
export type NodeRuntime = { path: string; version: string; platform: string; reservedBytes: number }

/** A range is larger; what is less was allocated, and not used yet. */
const rangeKibibytes = 64 * 1024

/**
 * A Node prints its version, its platform, and what it reserves. Only glibc has a version in its report. V8
 * has a range for code, whose 512 MiB newer versions may write to from the beginning.
 */
const script = `
const { readFileSync } = require('node:fs')
const isLinux = process.platform === 'linux'
const { glibcVersionRuntime } = process.report.getReport().header
const libc = isLinux ? [glibcVersionRuntime ? 'glibc' : 'musl'] : []
const status = isLinux ? readFileSync('/proc/self/status', 'utf8') : ''
const kibibytes = (name) => Number(new RegExp(name + ':\\\\s+(\\\\d+)').exec(status)?.[1] ?? 0)
const unused = Math.max(0, kibibytes('VmData') - kibibytes('RssAnon'))
const reserved = Math.floor(unused / ${rangeKibibytes}) * ${rangeKibibytes} * 1024
console.log(process.versions.node, [process.platform, process.arch, ...libc].join('-'), reserved)
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
  const [, version, platform, reserved] = /^(\d+\.\d+\.\d+\S*) (\S+) (\d+)$/.exec(stdout.trim()) ?? []
  if (version && platform) return { path, version, platform, reservedBytes: Number(reserved) }
  throw new SettingsError(`SVC_NODE (${path}) isn't Node: it printed something else than its version.`)
}
