/** Fetches one commit of a repository at a forge, which can be any host that a project names. */
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { problemIn, tooLate, type Unfetched, unfetched } from './fetch-problem.ts'
import type { ForgeAccess } from './forge-access.ts'
import { type ForgeAddress, findForge } from './forge-address.ts'
import { exitOf, gitVersion, maxPackBytes, runGit, startGitTree } from './program.ts'
import { openQuarantine } from './quarantine.ts'
import { namesIn } from './repositories.ts'

export type Wanted = {
  /** The address of the repository, over https. */
  url: string
  /** The user's name that the forge expects with a token, such as `x-access-token` or `oauth2`. */
  user: string
  /** Undefined for a repository that all may read. */
  token: string | undefined
  /** Its id, in hexadecimal digits. */
  commit: string
  /** The bare repository to fetch into, which is held by the caller; made if it is not there. */
  directory: string
  signal: AbortSignal
}

export type Fetched = { fetched: true } | Unfetched

const usual = { packBytes: maxPackBytes, totalMs: 5 * 60_000 }

/** From this version on git has `http.curloptResolve`, and ignores it before. */
const pinningVersion = [2, 37]

/**
 * Fetches a commit without its history. A failure leaves nothing in the repository, and says nothing of the
 * token.
 * @throws the reason of `signal` once it aborts, when no process is left either.
 */
export async function fetchCommit(wanted: Wanted, access: ForgeAccess, limits = usual): Promise<Fetched> {
  const { commit, directory, signal } = wanted
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(commit))
    return unfetched('The id of the commit must have 40 or 64 hexadecimal digits, in lower case.')
  if (!canPin(await gitVersion()))
    return unfetched('Commits can not be fetched on this server: its operator installs git 2.37 or later.')
  const forge = await findForge(wanted.url, access)
  signal.throwIfAborted()
  if ('fetched' in forge) return forge
  const quarantine = await openQuarantine(directory, commit.length === 40 ? 'sha1' : 'sha256')
  try {
    await writeFile(join(quarantine.directory, authoritiesName), access.authorities)
    const failure = await fetchInto(quarantine.directory, { wanted, forge, limits })
    signal.throwIfAborted()
    if (failure) return failure
    if (!(await isCommit(quarantine.directory, commit))) return unfetched('The id is not that of a commit.')
    await quarantine.release()
    return { fetched: true }
  } finally {
    await quarantine.close()
  }
}

/** Whether a version of git connects to the checked address and to no other. */
export function canPin(version: string | undefined): boolean {
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = pinningVersion
  return major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
}

const authoritiesName = 'svc-authorities.pem'

/** Nothing is taken from redirects, proxies, credential helpers or prompts. */
const connection = [
  'protocol.version=2',
  'http.followRedirects=false',
  'http.sslVerify=true',
  'http.sslVersion=tlsv1.2',
  'http.proxy=',
  'http.lowSpeedLimit=1000',
  'http.lowSpeedTime=30',
  'credential.helper=',
  'core.askPass=',
  'maintenance.auto=false',
  'fetch.recurseSubmodules=false',
]

type Fetch = { wanted: Wanted; forge: ForgeAddress; limits: typeof usual }

async function fetchInto(
  directory: string,
  { wanted, forge, limits }: Fetch,
): Promise<Unfetched | undefined> {
  const late = AbortSignal.timeout(limits.totalMs)
  const child = startGitTree(
    directory,
    ['fetch', '--quiet', '--depth=1', '--no-tags', '--no-write-fetch-head', '--', forge.url, wanted.commit],
    {
      settings: [
        ...connection,
        `http.sslCAInfo=${join(directory, authoritiesName)}`,
        ...(forge.pinned === undefined ? [] : [`http.curloptResolve=${forge.pinned}`]),
      ],
      variables: { GIT_ALLOW_PROTOCOL: 'https', ...authorization(wanted) },
      maxFileBytes: limits.packBytes,
      signal: AbortSignal.any([wanted.signal, late]),
    },
  )
  const exit = exitOf(child)
  let said = ''
  child.stdout.resume()
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-maxSaid)
  })
  const code = await exit
  if (code === 0) return undefined
  if (late.aborted) return tooLate
  return (await isFull(directory, limits.packBytes)) ? tooLarge(limits.packBytes) : problemIn(said)
}

/** Git does not say that a program was ended for the size of a file. */
async function isFull(directory: string, packBytes: number): Promise<boolean> {
  const packs = join(directory, 'objects', 'pack')
  const files = await Promise.all((await namesIn(packs)).map((name) => stat(join(packs, name))))
  return files.some(({ size }) => size >= packBytes)
}

function tooLarge(packBytes: number): Unfetched {
  return unfetched(`The commit is too large: its pack may have ${packBytes} bytes.`)
}

/** Of what git says on its standard error, the end. */
const maxSaid = 8_000

/** Settings in variables, since every user of the system sees arguments. */
function authorization({ user, token }: Wanted): Record<string, string> {
  if (token === undefined) return {}
  const credentials = Buffer.from(`${user}:${token}`).toString('base64')
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'http.extraHeader',
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${credentials}`,
  }
}

async function isCommit(directory: string, commit: string): Promise<boolean> {
  const output = await runGit(directory, ['cat-file', '--batch-check'], `${commit}\n`)
  return output.toString().startsWith(`${commit} commit `)
}
