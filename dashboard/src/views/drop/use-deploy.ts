/** A deployment from this page: its progress, and the ways to stop and to resume it. */
import { useEffect, useRef, useState } from 'react'
import { type Inputs, useJwts, useTRPCClient } from '@/lib/api'
import { useRequiredRoute } from '@/lib/route'
import { type Deployment, deployFiles, type Progress, type Target } from './deploy-files'
import { deployZip } from './deploy-zip'
import type { SiteFile } from './site-files'

/** The source of a deployment: the files of a folder, or a zip. */
export type Source =
  | { kind: 'files'; files: SiteFile[]; folder: string | undefined }
  | { kind: 'zip'; zip: File }

export type Deploying =
  | { state: 'idle' }
  | { state: 'running'; progress: Progress | undefined }
  | { state: 'canceled' }
  | { state: 'failed'; error: unknown }
  | { state: 'done'; deployment: Deployment }

export type Order = {
  source: Source
  project: string
  target: Target
  isNewProject: boolean
  /** Settings that the project gets before. */
  settings: Partial<Pick<Inputs['projects']['put'], 'build' | 'start'>> | undefined
}

/** `start` also resumes: what was hashed and uploaded stays so. */
export function useDeploy(): { deploying: Deploying; start(order: Order): void; cancel(): void } {
  const client = useTRPCClient()
  const jwts = useJwts()
  const { team } = useRequiredRoute()
  const [deploying, setDeploying] = useState<Deploying>({ state: 'idle' })
  const controller = useRef<AbortController>(undefined)
  const keys = useRef(new Map<string, string>())
  useEffect(() => () => controller.current?.abort(), [])

  async function run({ source, project, target, isNewProject, settings }: Order, signal: AbortSignal) {
    const onProgress = (progress: Progress) => {
      if (!signal.aborted) setDeploying({ state: 'running', progress })
    }
    if (isNewProject || settings) await client.projects.put.mutate({ project, ...settings }, { signal })
    const idempotencyKey = keyOf(keys.current, `${project} ${target}`)
    const to = { client, project, target, meta: metaOf(source), idempotencyKey }
    return source.kind === 'zip'
      ? deployZip(to, source.zip, { team, jwts, signal, onProgress })
      : deployFiles(to, source.files, { signal, onProgress })
  }

  function start(order: Order): void {
    controller.current?.abort()
    const own = new AbortController()
    controller.current = own
    setDeploying({ state: 'running', progress: undefined })
    run(order, own.signal).then(
      (deployment) => {
        if (!own.signal.aborted) setDeploying({ state: 'done', deployment })
      },
      (error: unknown) => {
        if (!own.signal.aborted) setDeploying({ state: 'failed', error })
      },
    )
  }

  function cancel(): void {
    controller.current?.abort()
    setDeploying({ state: 'canceled' })
  }

  return { deploying, start, cancel }
}

/** The name of the zip or of the folder, by which its deployment is recognized. */
function metaOf(source: Source): Record<string, string> {
  if (source.kind === 'zip') return { zip: source.zip.name }
  return source.folder ? { folder: source.folder } : {}
}

/** One key for each destination, so that a request whose response was lost makes no second deployment. */
function keyOf(keys: Map<string, string>, destination: string): string {
  const key = keys.get(destination) ?? randomKey()
  keys.set(destination, key)
  return key
}

/** `crypto.randomUUID` exists on https and localhost only. */
function randomKey(): string {
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) =>
    byte.toString(16).padStart(2, '0'),
  ).join('')
}
