/**
 * Asks a forge for the default branch of a repository, and whether it has another one, before anything is
 * fetched (gitprotocol-http, gitprotocol-v2 "ls-refs"; servers that know version 0 alone send all refs).
 */
import { isBranchName } from '../../../lib/names/branch-name.ts'
import { flush, lengthOf, packet } from '../../git/pkt-line.ts'
import type { ForgeFailure, ForgeFetch, ForgeResponse } from '../api/forge-fetch.ts'

export type Question = {
  /** The web address of the repository, https. */
  url: string
  /** The user's name that the forge expects with a token. */
  user: string
  /** Undefined for a repository that all may read. */
  token: string | undefined
  /** A branch that is looked for beside the default one. */
  branch: string | undefined
  signal: AbortSignal
}

/** `defaultBranch` is undefined in a repository without commits. */
export type Refs = { defaultBranch: string | undefined; hasBranch: boolean }

export type Unasked = { answer: ForgeResponse | ForgeFailure }

const service = 'git-upload-pack'

/** Resolves to the answer of the forge instead where that is no list of refs. Never rejects. */
export async function askRefs(
  { url, user, token, branch: wanted, signal }: Question,
  fetch: ForgeFetch,
): Promise<Refs | Unasked> {
  // Anything else would be other lines of the request.
  const branch = wanted !== undefined && isBranchName(wanted) ? wanted : undefined
  // Without the ending GitLab redirects.
  const base = `${url}.git`
  const headers = { 'git-protocol': 'version=2', ...authorization(user, token) }
  const answer = await fetch({
    method: 'GET',
    url: `${base}/info/refs?service=${service}`,
    headers,
    body: undefined,
    signal,
  })
  const offered = packetsIn(answer)
  if (!offered) return { answer }
  if (!offered.includes('version 2')) return refsIn(offered, branch)
  const listed = await fetch({
    method: 'POST',
    url: `${base}/${service}`,
    headers: {
      ...headers,
      'content-type': `application/x-${service}-request`,
      accept: `application/x-${service}-result`,
    },
    body: command(branch),
    signal,
  })
  const lines = packetsIn(listed)
  return lines ? refsIn(lines, branch) : { answer: listed }
}

function authorization(user: string, token: string | undefined): Record<string, string> {
  if (token === undefined) return {}
  return { authorization: `Basic ${Buffer.from(`${user}:${token}`).toString('base64')}` }
}

const delimiter = '0001'

function command(branch: string | undefined): string {
  const wanted = ['HEAD', ...(branch === undefined ? [] : [refOf(branch)])]
  const lines = ['symrefs', ...wanted.map((ref) => `ref-prefix ${ref}`)]
  const packets = [packet('command=ls-refs\n'), delimiter, ...lines.map((line) => packet(`${line}\n`)), flush]
  return packets.map(String).join('')
}

const refOf = (branch: string) => `refs/heads/${branch}`

/** The packets' lines; undefined for a response that has no packets. */
function packetsIn(answer: ForgeResponse | ForgeFailure): string[] | undefined {
  if ('failure' in answer || answer.status !== 200) return undefined
  const bytes = Buffer.from(answer.text)
  const lines: string[] = []
  let at = 0
  while (at < bytes.length) {
    const length = lengthOf(bytes.subarray(at))
    // Flush and delimiter have no content.
    const isEmpty = length === 0 || length === 1
    if (!isEmpty && !(length >= 4 && at + length <= bytes.length)) return undefined
    if (!isEmpty) lines.push(bytes.toString('utf8', at + 4, at + length).replace(/\n$/, ''))
    at += isEmpty ? 4 : length
  }
  return lines.length > 0 ? lines : undefined
}

/** Version 2 says beside `HEAD` where it leads, version 0 among the capabilities after the first ref. */
const pointsTo = / symref-target:refs\/heads\/(\S+)|[\0 ]symref=HEAD:refs\/heads\/(\S+)/

function refsIn(lines: string[], branch: string | undefined): Refs {
  const refs = lines.map((line) => /^[0-9a-f]{40,64} (\S+)/.exec(line.replace('\0', ' \0'))?.[1])
  const head = lines[refs.indexOf('HEAD')]
  const [, second, first] = pointsTo.exec(head ?? '') ?? []
  return {
    defaultBranch: second ?? first,
    hasBranch: branch !== undefined && refs.includes(refOf(branch)),
  }
}
