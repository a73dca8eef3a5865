/**
 * No acknowledged deployment or key is lost: each list has all that was acknowledged before it was requested.
 */
import type { History, Operation } from '../history/history.ts'
import type { Violation } from './violation.ts'

export function findLostChanges({ operations }: Pick<History, 'operations'>): Violation[] {
  const acknowledged = operations.filter(({ outcome }) => outcome === 'ok')
  const lists = acknowledged.filter(({ result }) => result.list !== undefined)
  return [
    ...lists
      .filter(({ kind }) => kind === 'deployments.list')
      .flatMap((list) => lostDeployments(acknowledged, list)),
    ...lists.filter(({ kind }) => kind === 'keys.list').flatMap((list) => wrongKeys(operations, list)),
    ...missingPreviews(acknowledged),
  ]
}

function lostDeployments(acknowledged: Operation[], list: Operation): Violation[] {
  const made = acknowledged.filter(
    ({ kind, subject, endMs }) =>
      ['deploy', 'preview'].includes(kind) && subject === list.subject && endMs < list.invokeMs,
  )
  return made.filter(isNotIn(list)).map((lost) => lostIn(list, lost, 'was acknowledged, but is not listed'))
}

function wrongKeys(operations: Operation[], list: Operation): Violation[] {
  const ofTeam = operations.filter(({ subject }) => subject.startsWith(`${list.subject}/`))
  const revokes = ofTeam.filter(({ kind }) => kind === 'key.revoke')
  const created = ofTeam.filter(({ kind, endMs }) => kind === 'key.create' && endMs < list.invokeMs)
  const kept = created.filter(
    ({ subject }) => !revokes.some((each) => each.subject === subject && each.invokeMs <= list.endMs),
  )
  const revoked = revokes.filter(({ outcome, endMs }) => outcome === 'ok' && endMs < list.invokeMs)
  return [
    ...kept.filter(isNotIn(list)).map((lost) => lostIn(list, lost, 'was acknowledged, but is not listed')),
    ...revoked
      .filter(({ result }) => list.result.list?.includes(result.made ?? ''))
      .map((back) => lostIn(list, back, 'was revoked, but is listed')),
  ]
}

/** The address of a preview serves it from its acknowledgement on. */
function missingPreviews(acknowledged: Operation[]): Violation[] {
  const previews = new Map(
    acknowledged.filter(({ kind }) => kind === 'preview').map((made) => [made.wanted ?? '', made]),
  )
  return acknowledged.flatMap((read) => {
    const made = read.kind === 'page.preview' ? previews.get(read.subject) : undefined
    return made && made.endMs < read.invokeMs && read.result.value === null
      ? [lostIn(read, made, 'was acknowledged, but is not served')]
      : []
  })
}

function isNotIn({ result: { list = [] } }: Operation) {
  const ids = new Set(list)
  return ({ result: { made } }: Operation) => made !== undefined && !ids.has(made)
}

function lostIn(by: Operation, lost: Operation, what: string): Violation {
  return {
    rule: 'lost change',
    message: `${lost.kind} of ${lost.wanted ?? lost.subject} (${lost.result.made ?? '?'}) ${what}.`,
    timeMs: by.invokeMs,
    operations: [lost.id, by.id],
  }
}
