/**
 * Sends the files that a server lacks: straight to its blob store where it offers that, else to the server.
 */
import { inParallel } from '../../lib/async/in-parallel.ts'
import type { Peer } from '../connection/connect.ts'
import { findProxy, findThrough } from '../connection/proxy/find-proxy.ts'
import type { HashedFile } from './hash-files.ts'
import type { Progress } from './progress.ts'
import { checkDirect, type Direct, uploadAddress } from './upload-places.ts'

/** Where a file may be sent: to the server, or to a place that may be closer, with headers. */
export type Place = {
  upload_url: string
  direct?: Direct | undefined
}

const uploadsAtATime = 32

type Deps = {
  env: NodeJS.ProcessEnv
  server: { url: string; peer: Peer }
  progress: Progress
  signal: AbortSignal
}

/**
 * Sends the files to their places, by digest. Once a file didn't arrive at the blob store, which may be out
 * of reach from here, it and those that follow go to the server.
 * @throws Failure if the server refuses one, or stays unreachable.
 */
export async function sendFiles(
  { env, server, progress, signal }: Deps,
  files: HashedFile[],
  places: Map<string, Place>,
): Promise<void> {
  if (files.length === 0) return
  // Loads all of TLS, which takes a while; usually all content is inline.
  const { putBlob, tryBlob } = await import('./put-blob.ts')
  const { allowedBy } = await import('../../lib/net/address-kind.ts')
  const { createDirectAgents } = await import('./request-upload.ts')
  const isAllowed = allowedBy(server.peer.address)
  const agents = createDirectAgents(isAllowed)
  const through = await findThrough(env, server.url)
  progress.begin(
    'Sending',
    files.length,
    files.reduce((bytes, { size }) => bytes + size, 0),
  )
  let isReachable = true
  await inParallel(files, uploadsAtATime, async (file) => {
    const { direct, upload_url } = places.get(file.sha256) ?? {}
    const checked = isReachable && direct ? checkDirect(server.url, direct, isAllowed) : undefined
    // A proxy would look its name up, unjudged: it is left to the server.
    const isOpen = checked !== undefined && (await findProxy(env, checked.url)) === undefined
    const arrived = isOpen && (await tryBlob(file, { ...checked, agents }, signal))
    if (direct && !arrived) isReachable = false
    if (!arrived) await putBlob(file, { url: uploadAddress(server.url, upload_url), through }, signal)
    progress.add(1, file.size)
  })
}
