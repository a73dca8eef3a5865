/** Opens a URL in the user's browser. */
import { spawn } from 'node:child_process'

/** The program that opens a URL on this machine, and its first arguments; none without a display. */
function opener(env: NodeJS.ProcessEnv, platform: NodeJS.Platform): [string, ...string[]] | undefined {
  if (platform === 'darwin') return ['open']
  // Not `start`, a shell built-in, which would interpret the URL.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler']
  return env.DISPLAY || env.WAYLAND_DISPLAY || env.BROWSER ? ['xdg-open'] : undefined
}

/** Opens `url` if there is a browser, else does nothing. Only `http:` and `https:`. */
export function openBrowser(url: string, env: NodeJS.ProcessEnv, platform = process.platform): void {
  if (!URL.canParse(url) || !['http:', 'https:'].includes(new URL(url).protocol)) return
  const [program, ...args] = opener(env, platform) ?? []
  if (!program) return
  const child = spawn(program, [...args, new URL(url).href], { env, detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
}
