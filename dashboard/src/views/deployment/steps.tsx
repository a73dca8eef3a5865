'use client'
/** How far a deployment is: queued, building, ready, each with its duration. */
import { duration } from '@/lib/format'
import { useNow } from '@/lib/now'
import { Icon } from '@/ui/icons'
import { Spinner } from '@/ui/spinner'
import { type DeploymentRecord, isUnfinished } from '../deployments/about'

type Step = { label: string; status: 'done' | 'running' | 'failed' | 'waiting'; note: string | undefined }

export function Steps({ deployment }: { deployment: DeploymentRecord }) {
  const now = useNow()
  const steps = stepsOf(deployment, now)
  if (steps.length === 0) return null
  return (
    <ol aria-label="Progress" className="mb-6 flex flex-wrap gap-2">
      {steps.map(({ label, status, note }) => (
        <li
          key={label}
          className="flex items-center gap-2 rounded-md border border-line bg-surface px-3 py-1.5"
        >
          <Mark status={status} />
          <span className={status === 'waiting' ? 'text-dim' : 'font-medium'}>{label}</span>
          {note && <span className="text-dim tabular-nums">{note}</span>}
        </li>
      ))}
    </ol>
  )
}

function Mark({ status }: { status: Step['status'] }) {
  if (status === 'running') return <Spinner className="text-busy" />
  if (status === 'done') return <Icon name="check" className="text-good" />
  if (status === 'failed') return <Icon name="close" className="text-bad" />
  return <Icon name="clock" className="text-dim" />
}

const endLabels: Record<string, string> = { error: 'Failed', canceled: 'Canceled' }

/** The steps of a deployment that is built; none of another. */
function stepsOf(deployment: DeploymentRecord, nowMs: number): Step[] {
  const { state, created_ms, building_ms, ready_ms, ended_ms } = deployment
  const endMs = ready_ms ?? ended_ms
  const end: Step = {
    label: endLabels[state] ?? 'Ready',
    status: isUnfinished(deployment) ? 'waiting' : state === 'ready' ? 'done' : 'failed',
    note: endMs === null ? undefined : duration(endMs - created_ms),
  }
  if (building_ms === null && state === 'ready') return []
  const queued: Step = {
    label: 'Queued',
    status: building_ms === null ? 'running' : 'done',
    note: queueNote(deployment, nowMs),
  }
  const building: Step = {
    label: 'Building',
    status:
      building_ms === null
        ? 'waiting'
        : state === 'building'
          ? 'running'
          : state === 'ready'
            ? 'done'
            : 'failed',
    note: building_ms === null ? undefined : duration((endMs ?? nowMs) - building_ms),
  }
  return [queued, building, end]
}

function queueNote({ building_ms, created_ms, queue_position }: DeploymentRecord, nowMs: number): string {
  const waited = duration((building_ms ?? nowMs) - created_ms)
  return queue_position === null || queue_position <= 1 ? waited : `${waited}, ${queue_position - 1} ahead`
}
