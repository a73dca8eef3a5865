/** Opens a site in the user's browser. */
import { spawn } from 'node:child_process'
import { isIP } from 'node:net'
import { win32 } from 'node:path'
import { parseUrl } from '../../lib/names/parse-url.ts'
import { allowedBy } from '../../lib/net/address-kind.ts'
import { isLoopback } from '../../lib/net/loopback.ts'
import { withoutRepositories } from '../outside-path.ts'

/** The program that opens a URL on this machine, and its first arguments; none without a display. */
function opener(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['/usr/bin/open']
  if (platform === 'win32') {
    // By its path, since Windows looks into the current directory first; not `start`, which would interpret
    // the URL.
    const program = win32.join(env.SystemRoot ?? 'C:\\Windows', 'System32', 'rundll32.exe')
    return [program, 'url.dll,FileProtocolHandler']
  }
  return env.DISPLAY || env.WAYLAND_DISPLAY || env.BROWSER ? ['xdg-open'] : undefined
}

/**
 * Whether `text` is what a server that was reached at the address `peer` may have opened: the origin of a
 * site, without a path, and on this machine or in its network only if the server is there, too.
 */
export function isSite(text: string, peer: string | undefined): boolean {
  const url = parseUrl(text)
  if (!url) return false
  const { protocol, username, password, hostname, pathname, search, hash } = url
  if (!['http:', 'https:'].includes(protocol) || pathname !== '/') return false
  if (username + password + search + hash !== '') return false
  const host = hostname.replace(/^\[|\]$|\.$/g, '')
  const address = isLoopback(`http://${hostname.replace(/\.$/, '')}`) ? '127.0.0.1' : host
  return isIP(address) === 0 || allowedBy(peer)(address)
}

/** Opens the URL if there is a browser, else does nothing. */
export function openBrowser(url: string, env: NodeJS.ProcessEnv, platform = process.platform): void {
  const [program, ...args] = opener(env, platform) ?? []
  if (!program) return
  const child = spawn(program, [...args, new URL(url).href], {
    // `xdg-open` finds further programs by it.
    env: { ...env, PATH: withoutRepositories(env.PATH ?? '') },
    detached: true,
    stdio: 'ignore',
  })
  child.on('error', () => {})
  child.unref()
}
