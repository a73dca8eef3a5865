/** The data of deployment events. */
import type { NewEvent } from '../events/record-events.ts'
import { shortEntries } from '../events/short.ts'
import type { EventData } from '../events/types.ts'
import type { DeploymentRecord } from './record.ts'

type Kind = 'created' | 'ready' | 'error' | 'canceled' | 'deleted'

/** The team and project of a deployment. */
export type Owner = { teamId: string; projectId: string }

/** The event of a change of a deployment, which is `record` now. */
export function deploymentEvent(
  kind: Kind,
  { teamId, projectId }: Owner,
  record: DeploymentRecord,
): NewEvent {
  const data = { deployment: summaryOf(record) }
  return { teamId, type: `deployment.${kind}`, projectId, deploymentId: record.id, data }
}

/** The event that a deployment replaced `previous` as its project's production. */
export function promotedEvent(
  { teamId, projectId }: Owner,
  record: DeploymentRecord,
  { previous, rollback }: { previous: string | null; rollback: boolean },
): NewEvent {
  const data = { deployment: summaryOf(record), previous, rollback }
  return { teamId, type: 'deployment.promoted', projectId, deploymentId: record.id, data }
}

function summaryOf(record: DeploymentRecord): EventData<'deployment.created'>['deployment'] {
  const { id, project, target, state, url, meta, error, created_by, created_ms } = record
  return { id, project, target, state, url, meta: shortEntries(meta), error, created_by, created_ms }
}
