/** The data of deployment events. */
import { shortEntries } from '../../stores/events/limit-event-size.ts'
import type { NewEvent } from '../../stores/events/record-events.ts'
import type { EventData } from '../../stores/events/types.ts'
import type { DeploymentRecord } from './deployment-output.ts'

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
  const { id, project, target, state, url, source, meta, error, created_by, created_ms } = record
  return { id, project, target, state, url, source, meta: shortEntries(meta), error, created_by, created_ms }
}
