/** The file in which `svc` keeps what it is logged in to: for its user's eyes only, and always whole. */
import { readFileSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, isAbsolute, join } from 'node:path'
import { hasCode } from '../../data-dir/read-if-any.ts'
import { failed } from '../failure.ts'
import { isRecord } from '../is-record.ts'

export type Config = {
  /** The origin of the server that is used when none is named. */
  url?: string
  /** The API key of each server, by origin. */
  tokens: Record<string, string>
}

/**
 * Where the file is: `svc/credentials.json` in `$XDG_CONFIG_HOME`, `%APPDATA%` on Windows, or `~/.config`. A relative
 * path counts as none, as the XDG Base Directory Specification says.
 */
export function configPath(env: NodeJS.ProcessEnv, platform = process.platform): string {
  const given = [env.XDG_CONFIG_HOME, platform === 'win32' ? env.APPDATA : undefined]
  const directory = given.find((path) => path && isAbsolute(path)) ?? join(homedir(), '.config')
  return join(directory, 'svc', 'credentials.json')
}

/**
 * What the file holds; nothing when there is none.
 * @throws Failure when others can read it, or when it isn't what `writeConfig` writes.
 */
export function readConfig(path: string): Config {
  let text: string
  try {
    if (process.platform !== 'win32') refuseShared(path, statSync(path).mode)
    text = readFileSync(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return { tokens: {} }
    throw error
  }
  const config = parseConfig(text)
  if (config) return config
  throw failed(`${path} is damaged. Remove it and run \`svc login\` again.`)
}

/** Writes the file as a whole, or leaves the old one. */
export async function writeConfig(path: string, config: Config): Promise<void> {
  // Commands only read it, as a rule, and this takes a while to load.
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
    `${path} can be read by other users of this machine, and so can the API keys in it. ` +
      `Revoke them if anybody else uses it; then run \`chmod 600 ${path}\`, or remove it and run \`svc login\` again.`,
  )
}

function parseConfig(text: string): Config | undefined {
  try {
    const value: unknown = JSON.parse(text)
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
