/** Deploys a zip, which the server unpacks. */

import { refusalOf } from '../../lib/refusal'
import { send } from '../../lib/send'
import type { Deployment, Destination, Progress } from './deploy-files'

type Options = { team: string; signal: AbortSignal; onProgress: (progress: Progress) => void }

/** @throws Refusal; the signal's reason when aborted. */
export async function deployZip(
  { client, project, target, idempotencyKey }: Destination,
  zip: File,
  { team, signal, onProgress }: Options,
): Promise<Deployment> {
  let doneBytes = 0
  const onSent = (bytes: number) => {
    doneBytes += bytes
    onProgress({ step: 'sending', doneBytes, totalBytes: zip.size })
  }
  onSent(0)
  const what = `${zip.name} could not be deployed`
  const sent = await send({
    method: 'POST',
    url: `/v1/deployments?${new URLSearchParams({ project, target })}`,
    headers: {
      'content-type': 'application/zip',
      'x-svc-team': team,
      'idempotency-key': idempotencyKey,
      ...(await authorization(client)),
    },
    body: zip,
    signal,
    onSent,
  }).catch((error: Error) => {
    signal.throwIfAborted()
    throw refusalOf(error, what)
  })
  if (sent.status !== 200) throw refusalOf(sent, what)
  return JSON.parse(sent.text)
}

/** A JWT, where the server issues any: it may require one. */
async function authorization(client: Destination['client']): Promise<Record<string, string>> {
  const minted = await client.tokens.mint.mutate({}).catch(() => undefined)
  return minted ? { authorization: `Bearer ${minted.token}` } : {}
}
