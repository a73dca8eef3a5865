/** The file of `svc login`: readable by its user only, and always replaced as a whole. */
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { isRecord } from '../../lib/is-record.ts'
import { parseJsonText } from '../../lib/json-text.ts'
import { readBounded } from '../../stores/data-dir/read-bounded.ts'
import { failed } from '../command-failure.ts'

export type Config = {
  /** The origin of the default server. */
  url?: string
  /** The API key of each server, by origin. */
  tokens: Record<string, string>
}

/**
 * Where the file is: `svc/credentials.json` in `$XDG_CONFIG_HOME`, `%APPDATA%` on Windows, or `~/.config`. A
 * relative path counts as none, as the XDG Base Directory Specification says.
 */
export function configPath(env: NodeJS.ProcessEnv, platform = process.platform): string {
  const given = [env.XDG_CONFIG_HOME, platform === 'win32' ? env.APPDATA : undefined]
  const directory = given.find((path) => path && isAbsolute(path)) ?? join(homedir(), '.config')
  return join(directory, 'svc', 'credentials.json')
}

/** The largest file: one of thousands of servers. */
const maxBytes = 1024 * 1024

/**
 * The content of the file; empty if there is none.
 * @throws Failure if others can read it, if it is malformed, no regular file, or too large.
 */
export function readConfig(path: string): Config {
  // People keep such files elsewhere, and link them.
  const found = readBounded(path, { maxBytes, links: 'followed' })
  if (!found) return { tokens: {} }
  if ('problem' in found) throw failed(`${path} ${found.problem}.`)
  if (process.platform !== 'win32') refuseShared(path, found.stat.mode)
  const config = parseConfig(found.bytes.toString('utf8'))
  if (config) return config
  throw failed(`${path} is damaged. Remove it and run \`svc login\` again.`)
}

/** Replaces the file atomically. */
export async function writeConfig(path: string, config: Config): Promise<void> {
  // Loaded on demand: most commands only read the file.
  const { chmod, mkdir, open, rename, rm } = await import('node:fs/promises')
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  await chmod(dirname(path), 0o700)
  const temporary = `${path}.${crypto.randomUUID()}`
  try {
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(`${JSON.stringify(config, null, 2)}\n`)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, path)
  } catch (error) {
    await rm(temporary, { force: true })
    throw error
  }
}

function refuseShared(path: string, mode: number): void {
  if ((mode & 0o077) === 0) return
  throw failed(
    `${path} is readable by other users of this machine, with the API keys in it. ` +
      'Revoke the keys if other people use this machine; ' +
      `then run \`chmod 600 ${path}\`, or remove it and run \`svc login\` again.`,
  )
}

function parseConfig(text: string): Config | undefined {
  try {
    const value: unknown = parseJsonText(text)
    if (!isRecord(value) || !isRecord(value.tokens)) return undefined
    const tokens = Object.entries(value.tokens).flatMap(([url, token]) =>
      typeof token === 'string' ? [[url, token] as const] : [],
    )
    const url = typeof value.url === 'string' ? { url: value.url } : {}
    return { ...url, tokens: Object.fromEntries(tokens) }
  } catch {
    return undefined
  }
}
