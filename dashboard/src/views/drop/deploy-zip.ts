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
      'idempotency-key': idempotencyKey,
      ...(await credential(client, team)),
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

/**
 * A JWT of the team, where the server issues any, which then decides; else the team of the session.
 * @throws where the team can't be entered, or the JWT is of another.
 */
async function credential(client: Destination['client'], team: string): Promise<Record<string, string>> {
  const { jwt_required } = await client.account.get.query({})
  if (!jwt_required) return { 'x-svc-team': team }
  const minted = await client.tokens.mint.mutate({ team })
  if (minted.team !== team) throw new Error(`The server issued a JWT of the team "${minted.team}".`)
  return { authorization: `Bearer ${minted.token}` }
}
