/** Fetches a commit, or a branch, of a repository at a forge, which can be any host that a project names. */
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { isBranchName } from '../../lib/names/branch-name.ts'
import { noBranch, problemIn, tooLate, type Unfetched, unfetched } from './fetch-problem.ts'
import type { ForgeAccess } from './forge-access.ts'
import { type ForgeAddress, findForge } from './forge-address.ts'
import { namesIn } from './names-in.ts'
import { openQuarantine } from './quarantine.ts'
import { exitOf, gitVersion, maxPackBytes, runGit, startGitTree } from './run-git.ts'

export type Source = {
  /** The address of the repository, over https. */
  url: string
  /** The user's name that the forge expects with a token, such as `x-access-token` or `oauth2`. */
  user: string
  /** Undefined for a repository that all may read. */
  token: string | undefined
  /** The bare repository to fetch into, which is held by the caller; made if it is not there. */
  directory: string
  signal: AbortSignal
}

/** `commit` is its id, in hexadecimal digits. */
export type Wanted = Source & { commit: string }

export type Fetched = { fetched: true; commit: string } | Unfetched

const usual = { packBytes: maxPackBytes, totalMs: 5 * 60_000 }

/** From this version on git has `http.curloptResolve`, and ignores it before. */
const pinningVersion = [2, 37]

/**
 * Fetches a commit without its history. A failure leaves nothing in the repository, and says nothing of the
 * token.
 * @throws the reason of `signal` once it aborts, when no process is left either.
 */
export async function fetchCommit(wanted: Wanted, access: ForgeAccess, limits = usual): Promise<Fetched> {
  const { commit } = wanted
  if (!/^([0-9a-f]{40}|[0-9a-f]{64})$/.test(commit))
    return unfetched('The id of the commit must have 40 or 64 hexadecimal digits, in lower case.')
  const format = commit.length === 40 ? 'sha1' : 'sha256'
  return fetchTip(wanted, { refspec: commit, name: commit, format }, access, limits)
}

/**
 * Fetches the newest commit of a branch, as `fetchCommit` does. The repository has ids of SHA-1.
 * @throws the reason of `signal` once it aborts, when no process is left either.
 */
export async function fetchBranch(
  { branch, ...source }: Source & { branch: string },
  access: ForgeAccess,
  limits = usual,
): Promise<Fetched> {
  if (!isBranchName(branch)) return noBranch
  const tip = { refspec: `+refs/heads/${branch}:${ownRef}`, name: ownRef, format: 'sha1' } as const
  return fetchTip(source, tip, access, limits)
}

/** In a quarantine, which ends with it. */
const ownRef = 'refs/svc/fetched'

/** The refspec that git is to fetch, and the name by which its commit is known afterwards. */
type Tip = { refspec: string; name: string; format: 'sha1' | 'sha256' }

async function fetchTip(
  source: Source,
  { refspec, name, format }: Tip,
  access: ForgeAccess,
  limits: typeof usual,
): Promise<Fetched> {
  const { directory, signal } = source
  if (!canPin(await gitVersion()))
    return unfetched('Commits can not be fetched on this server: its operator installs git 2.37 or later.')
  const forge = await findForge(source.url, access)
  signal.throwIfAborted()
  if ('fetched' in forge) return forge
  const quarantine = await openQuarantine(directory, format)
  try {
    await writeFile(join(quarantine.directory, authoritiesName), access.authorities)
    const failure = await fetchInto(quarantine.directory, { source, refspec, forge, limits })
    signal.throwIfAborted()
    if (failure) return failure
    const commit = await commitAt(quarantine.directory, name)
    if (commit === undefined) return unfetched('The id is not that of a commit.')
    await quarantine.release()
    return { fetched: true, commit }
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

type Fetch = { source: Source; refspec: string; forge: ForgeAddress; limits: typeof usual }

async function fetchInto(
  directory: string,
  { source, refspec, forge, limits }: Fetch,
): Promise<Unfetched | undefined> {
  const late = AbortSignal.timeout(limits.totalMs)
  const child = startGitTree(
    directory,
    ['fetch', '--quiet', '--depth=1', '--no-tags', '--no-write-fetch-head', '--', forge.url, refspec],
    {
      settings: [
        ...connection,
        `http.sslCAInfo=${join(directory, authoritiesName)}`,
        ...(forge.pinned === undefined ? [] : [`http.curloptResolve=${forge.pinned}`]),
      ],
      variables: { GIT_ALLOW_PROTOCOL: 'https', ...authorization(source) },
      maxFileBytes: limits.packBytes,
      signal: AbortSignal.any([source.signal, late]),
    },
  )
  child.stdin.end()
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

/** The most that is kept of git's standard error, which is its end. */
const maxSaid = 8_000

/** Settings in variables, since every user of the system sees arguments. */
function authorization({ user, token }: Source): Record<string, string> {
  if (token === undefined) return {}
  const credentials = Buffer.from(`${user}:${token}`).toString('base64')
  return {
    GIT_CONFIG_COUNT: '1',
    GIT_CONFIG_KEY_0: 'http.extraHeader',
    GIT_CONFIG_VALUE_0: `Authorization: Basic ${credentials}`,
  }
}

/** The id of the commit that has the name; undefined if it is something else. */
async function commitAt(directory: string, name: string): Promise<string | undefined> {
  const output = await runGit(directory, ['cat-file', '--batch-check'], `${name}\n`)
  return /^([0-9a-f]+) commit /.exec(output.toString())?.[1]
}
