/** Pushes of the attacker's teams, each to a project of its own. */
import { begin, send } from '../send.ts'
import { inTurn, type Target } from '../target.ts'

type Place = { index: number; project?: string; signal: AbortSignal }

/** Where a push goes, and with which key: teams and nodes in turn. */
function placeOf({ apiPorts, teams }: Target, { index, project = `p${index}`, signal }: Place) {
  const { slug, key } = inTurn(teams, index)
  return {
    port: inTurn(apiPorts, index),
    path: `/git/${slug}/${project}.git/git-receive-pack`,
    headers: {
      authorization: `Basic ${Buffer.from(`x:${key}`).toString('base64')}`,
      'content-type': 'application/x-git-receive-pack-request',
    },
    signal,
  }
}

/** Sends a whole push. Resolves to what became of it. */
export async function push(
  target: Target,
  body: Buffer,
  { isGzip = false, ...place }: Place & { isGzip?: boolean },
): Promise<string> {
  const { headers, ...to } = placeOf(target, place)
  const coding = isGzip ? { 'content-encoding': 'gzip' } : {}
  const { status, text } = await send({ ...to, headers: { ...headers, ...coding }, body })
  if (status !== 200) return String(status)
  const [, reason] = /ng \S+ ([^\n]{1,60})/.exec(text) ?? []
  if (reason !== undefined) return reason
  return /ok refs\//.test(text) ? 'taken' : 'not taken'
}

/** Begins one, whose body the caller sends. */
export function beginPush(target: Target, place: Place, bytes?: number) {
  const { headers, ...to } = placeOf(target, place)
  const length = bytes === undefined ? {} : { 'content-length': String(bytes) }
  return begin({ ...to, headers: { ...headers, ...length } })
}
