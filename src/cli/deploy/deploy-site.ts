/** Deploys a directory, uploading only what the server doesn't have. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { isTRPCClientError } from '@trpc/client'
import { inParallel } from '../../async/in-parallel.ts'
import type { AppRouter, RouterInputs, RouterOutputs } from '../../client/index.ts'
import type { Api } from '../connection/connect.ts'
import { failed } from '../failure.ts'
import { plain } from '../terminal/output.ts'
import { type HashedFile, hashFiles } from './hash-files.ts'
import type { Memory } from './memory.ts'
import type { Progress } from './progress.ts'
import { untilAnswered } from './until-answered.ts'
import { walkSite } from './walk-site.ts'

type CreateInput = RouterInputs['deployments']['create']
type Deployment = RouterOutputs['deployments']['create']

export type Site = {
  root: string
  project: string
  target: 'production' | 'preview'
  meta: Record<string, string>
}

type Deps = {
  api: Api
  /** The server and the project. */
  destination: string
  memory: Memory
  progress: Progress
  signal: AbortSignal
}

/** Memory is written after this delay, when the request has usually been sent, so as not to hold it up. */
const sentMs = 10

/** Concurrent uploads. */
const uploadsAtATime = 32

/**
 * The largest body of the call that creates a deployment: the server's default limit, minus room for meta. Content sent
 * inline saves a request per file.
 */
const maxCallBytes = 10 * 1024 * 1024 - 64 * 1024

/** Bytes of a file's entry besides its path and content, and of a character of its path at most. */
const bytesAFile = 130
const bytesACharacter = 3

/** Blobs may be collected while others are uploaded; the server then reports them missing again. */
const maxRounds = 4

/**
 * Deploys the site.
 * @throws Failure for what can't be deployed or sent; TRPCClientError for the server's refusals.
 */
export async function deploySite(deps: Deps, site: Site): Promise<Deployment> {
  const { memory, progress, signal, destination } = deps
  const found = await walkSite(site.root, signal)
  if (found.length === 0) throw failed(`No files to deploy in ${plain(site.root)}.`)
  progress.begin('Reading', found.length, sum(found))
  const files = await hashFiles(site.root, found, memory.digestOf, { signal, onDone: progress.add })
  const unsent = distinct(files).filter(({ sha256 }) => !memory.wasSent(destination, sha256))
  const creating = create(deps, site, { files, inline: inlineOf(unsent, files, 'all'), round: 1 })
  // Written while the server works. It is true whatever the server answers: what it turns out not to have, it asks for.
  const [deployment] = await Promise.all([
    creating,
    wait(sentMs).then(() => memory.remember(destination, files)),
  ])
  return deployment
}

/** Files of which those `inline` go along with the call. */
type Attempt = { files: HashedFile[]; inline: HashedFile[]; round: number }

async function create(deps: Deps, site: Site, { files, inline, round }: Attempt): Promise<Deployment> {
  const input = toInput(site, files, inline)
  try {
    const { api, signal } = deps
    return await untilAnswered((context) => api.deployments.create.mutate(input, { signal, context }), signal)
  } catch (error) {
    const missing = missingIn(error)
    if (!missing || round === maxRounds) throw error
    const urls = new Map(missing.map(({ sha256, upload_url }) => [sha256, upload_url]))
    const wanted = distinct(files).filter(({ sha256 }) => urls.has(sha256))
    const next = inlineOf(wanted, files, 'some')
    const goesAlong = new Set(next)
    await sendAll(
      deps,
      site.root,
      wanted.filter((file) => !goesAlong.has(file)),
      urls,
    )
    return create(deps, site, { files, inline: next, round: round + 1 })
  }
}

async function sendAll(
  { progress, signal }: Deps,
  root: string,
  files: HashedFile[],
  urls: Map<string, string>,
): Promise<void> {
  // Loads all of TLS, which takes a while; usually all content is inline.
  const { putBlob } = await import('./put-blob.ts')
  progress.begin('Sending', files.length, sum(files))
  await inParallel(files, uploadsAtATime, async ({ path, size, sha256 }) => {
    await putBlob({ absolute: join(root, path), path, size, url: urls.get(sha256) ?? '' }, signal)
    progress.add(1, size)
  })
}

function toInput(
  { root, project, target, meta }: Site,
  files: HashedFile[],
  inline: HashedFile[],
): CreateInput {
  const contents = new Map(inline.map((file) => [file.path, readContent(root, file)]))
  return {
    project,
    target,
    meta,
    files: files.map(({ path, size, sha256 }) => {
      const content_base64 = contents.get(path)
      return content_base64 === undefined ? { path, size, sha256 } : { path, size, sha256, content_base64 }
    }),
  }
}

function readContent(root: string, { path, sha256 }: HashedFile): string {
  const content = readFileSync(join(root, path))
  if (hash('sha256', content) !== sha256)
    throw failed(`${plain(path)} changed during the upload. Deploy again.`)
  return content.toString('base64')
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

/** One file for each digest. */
function distinct(files: HashedFile[]): HashedFile[] {
  return [...new Map(files.map((file) => [file.sha256, file])).values()]
}

function sum(files: { size: number }[]): number {
  return files.reduce((bytes, { size }) => bytes + size, 0)
}
