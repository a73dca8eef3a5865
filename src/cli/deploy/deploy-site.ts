/** Deploys the files of a directory, uploading only what the server doesn't have. */
import { setTimeout as wait } from 'node:timers/promises'
import { isTRPCClientError } from '@trpc/client'
import type { AppRouter, RouterInputs, RouterOutputs } from '../../api/client/index.ts'
import { answeredStatus } from '../connection/answered-status.ts'
import type { Api, Peer } from '../connection/connect.ts'
import { type HashedFile, hashFiles } from './hash-files.ts'
import { ignoreFile, includedByRule } from './ignore-rules.ts'
import type { Memory } from './last-deployment.ts'
import type { Progress } from './progress.ts'
import { readHashed } from './read-hashed.ts'
import { sendFiles } from './send-files.ts'
import type { SiteFile } from './site-file.ts'

type CreateInput = RouterInputs['deployments']['create']
type Deployment = RouterOutputs['deployments']['create']

export type Site = {
  files: SiteFile[]
  project: string
  target: 'production' | 'preview'
  meta: Record<string, string>
}

type Deps = {
  api: Api
  /** Says which proxy to use. */
  env: NodeJS.ProcessEnv
  server: { url: string; peer: Peer }
  /** The server and the project. */
  destination: string
  memory: Memory
  progress: Progress
  signal: AbortSignal
  /** Gets what the person should know of the files that are sent. */
  note: (sentence: string) => void
}

/** Memory is written after this delay, when the request has usually been sent, so as not to hold it up. */
const sentMs = 10

/**
 * The largest body of the call that creates a deployment: the server's default limit, minus room for meta.
 * Content sent inline saves a request per file.
 */
const maxCallBytes = 10 * 1024 * 1024 - 64 * 1024

/** Bytes of a file's entry besides its path and content, and of a character of its path at most. */
const bytesAFile = 130
const bytesACharacter = 3

/** How many files a warning names. */
const maxNamed = 20

/** Blobs may be collected while others are uploaded; the server then reports them missing again. */
const maxRounds = 4

/**
 * Deploys the site.
 * @throws Failure for what can't be deployed or sent; TRPCClientError for the server's refusals.
 */
export async function deploySite(deps: Deps, site: Site): Promise<Deployment> {
  const { memory, progress, signal, destination } = deps
  const found = site.files
  const included = includedByRule(found.map(({ path }) => path))
  if (included.length > 0) deps.note(warningOf(included))
  progress.begin('Reading', found.length, sum(found))
  const files = await hashFiles(found, memory.digestOf, { signal, onDone: progress.add })
  const unsent = distinct(files).filter(({ sha256 }) => !memory.wasSent(destination, sha256))
  const inline = inlineOf(unsent, files, 'all')
  const creating = create(deps, site, { files, inline, direct: true, apart: false, round: 1 })
  // Written while the server works. It is true whatever the server answers: what it turns out not to have, it
  // asks for.
  const [deployment] = await Promise.all([
    creating,
    wait(sentMs).then(() => memory.remember(destination, files)),
  ])
  return deployment
}

/** The files that a rule includes, some by name: the rules may be somebody else's. */
function warningOf(included: string[]): string {
  const named = included.slice(0, maxNamed).join(', ')
  const more = included.length > maxNamed ? ` and ${included.length - maxNamed} more` : ''
  return (
    `${ignoreFile} includes what is never deployed otherwise: ${named}${more}. ` +
    `To leave it out, remove the lines with ! from ${ignoreFile}.`
  )
}

const refusedTogether =
  'A request with the files inside is too large for the server or a proxy in front of it (status 413): ' +
  'they are sent one by one.'

/**
 * Files of which those `inline` go along with the call, unless all are sent `apart`, and the missing ones
 * straight to the blob store where that is offered.
 */
type Attempt = {
  files: HashedFile[]
  inline: HashedFile[]
  direct: boolean
  apart: boolean
  round: number
}

async function create(deps: Deps, site: Site, attempt: Attempt): Promise<Deployment> {
  const { files, direct, apart, round } = attempt
  try {
    const { api, signal } = deps
    return await api.deployments.create.mutate(toInput(site, attempt), { signal })
  } catch (error) {
    if (direct && isUnknown(error, 'direct_uploads')) return create(deps, site, { ...attempt, direct: false })
    if (attempt.inline.length > 0 && answeredStatus(error) === 413) {
      deps.progress.say(refusedTogether)
      return create(deps, site, { ...attempt, inline: [], apart: true })
    }
    const missing = missingIn(error)
    if (!missing || round === maxRounds) throw error
    const places = new Map(missing.map((each) => [each.sha256, each]))
    const wanted = distinct(files).filter(({ sha256 }) => places.has(sha256))
    // What went along with a call that was refused isn't kept.
    const inline = apart ? [] : inlineOf([...attempt.inline, ...wanted], files, 'some')
    const goesAlong = new Set(inline)
    const sent = wanted.filter((file) => !goesAlong.has(file))
    await sendFiles(deps, sent, places)
    return create(deps, site, { ...attempt, inline, round: round + 1 })
  }
}

function toInput({ project, target, meta }: Site, { files, inline, direct }: Attempt): CreateInput {
  const contents = new Map(inline.map((file) => [file.path, readHashed(file).toString('base64')]))
  return {
    project,
    target,
    meta,
    ...(direct && { direct_uploads: true }),
    files: files.map(({ path, size, sha256 }) => {
      const content_base64 = contents.get(path)
      return content_base64 === undefined ? { path, size, sha256 } : { path, size, sha256, content_base64 }
    }),
  }
}

/** Which of `wanted` to send inline: all if they fit, else the smallest ones of `some`. */
function inlineOf(wanted: HashedFile[], all: HashedFile[], which: 'all' | 'some'): HashedFile[] {
  const listBytes = all.reduce((bytes, { path }) => bytes + path.length * bytesACharacter + bytesAFile, 0)
  const room = Math.floor(((maxCallBytes - listBytes) * 3) / 4)
  if (sum(wanted) <= room) return wanted
  if (which === 'all') return []
  let bytes = 0
  return wanted
    .toSorted((a, b) => a.size - b.size)
    .filter(({ size }) => {
      bytes += size
      return bytes <= room
    })
}

function missingIn(error: unknown) {
  return isTRPCClientError<AppRouter>(error) && error.data?.reason === 'files_missing'
    ? error.data.missing
    : undefined
}

/** Whether the server is of a version before the field. */
function isUnknown(error: unknown, field: string): boolean {
  const issues = isTRPCClientError<AppRouter>(error) ? error.data?.issues : undefined
  return issues?.some(({ path }) => path === field) ?? false
}

/** One file for each digest. */
function distinct(files: HashedFile[]): HashedFile[] {
  return [...new Map(files.map((file) => [file.sha256, file])).values()]
}

function sum(files: { size: number }[]): number {
  return files.reduce((bytes, { size }) => bytes + size, 0)
}
