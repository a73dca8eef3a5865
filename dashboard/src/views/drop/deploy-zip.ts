/** Deploys a zip, which the server unpacks. */
import type { JwtSource } from '../../../../src/api/client/jwt-source.ts'
import { refusalOf } from '../../lib/refusal'
import { type Sent, send } from '../../lib/send'
import type { Deployment, Destination, Progress } from './deploy-files'

type Options = {
  team: string
  jwts: JwtSource
  signal: AbortSignal
  onProgress: (progress: Progress) => void
}

/** @throws Refusal; the signal's reason when aborted. */
export async function deployZip(
  { project, target, meta, idempotencyKey }: Omit<Destination, 'client'>,
  zip: File,
  { team, jwts, signal, onProgress }: Options,
): Promise<Deployment> {
  let doneBytes = 0
  const onSent = (bytes: number) => {
    doneBytes += bytes
    onProgress({ step: 'sending', doneBytes, totalBytes: zip.size })
  }
  onSent(0)
  const about = Object.entries(meta).map(([key, value]) => [`meta.${key}`, value])
  const query = new URLSearchParams([['project', project], ['target', target], ...about])
  const what = `${zip.name} could not be deployed`
  const post = (jwt: string | undefined) =>
    send({
      method: 'POST',
      url: `/v1/deployments?${query}`,
      headers: {
        'content-type': 'application/zip',
        'idempotency-key': idempotencyKey,
        ...(jwt === undefined ? { 'x-svc-team': team } : { authorization: `Bearer ${jwt}` }),
      },
      body: zip,
      signal,
      onSent,
    }).catch((error: Error) => {
      signal.throwIfAborted()
      throw refusalOf(error, what)
    })
  const sent = await withJwt(jwts, post)
  if (sent.status !== 200) throw refusalOf(sent, what)
  return JSON.parse(sent.text)
}

/** Sends a request with the JWT of the page's team, and once more where that has ended. */
async function withJwt(jwts: JwtSource, post: (jwt: string | undefined) => Promise<Sent>): Promise<Sent> {
  await jwts.settled()
  const used = jwts.current()
  const sent = await post(used)
  if (sent.status !== 401) return sent
  await jwts.renew(used)
  return post(jwts.current())
}
