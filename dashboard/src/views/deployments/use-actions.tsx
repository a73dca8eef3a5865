'use client'
/** The actions on a deployment, each confirmed in a dialog. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, type ReactNode, Suspense, useState } from 'react'
import { useTRPC } from '@/lib/api'
import { useRole } from '@/lib/role'
import { useToast } from '@/ui/toasts'
import { type DeploymentRecord, isUnfinished, titleOf } from './about'

const Confirm = lazy(() => import('@/ui/dialog').then((module) => ({ default: module.Confirm })))

const Redeploy = lazy(() => import('./redeploy').then((module) => ({ default: module.Redeploy })))

type Kind = 'promote' | 'redeploy' | 'cancel' | 'delete'

export type Action = {
  kind: Kind
  label: string
  danger: boolean
  /** Why it can't be done now; undefined if it can. */
  problem: string | undefined
  start: () => void
}

/** The actions for a deployment, and the dialog that is open. `onDeleted` is called once it is gone. */
export function useActions(
  deployment: DeploymentRecord,
  onDeleted?: () => void,
): { actions: Action[]; dialog: ReactNode } {
  const role = useRole()
  const [open, setOpen] = useState<Kind>()
  const actions = possible(deployment, role).map((each) => ({ ...each, start: () => setOpen(each.kind) }))
  const close = () => setOpen(undefined)
  const dialog = open && (
    <Suspense>
      {open === 'promote' && <Promote deployment={deployment} onClose={close} />}
      {open === 'redeploy' && <Redeploy deployment={deployment} onClose={close} />}
      {(open === 'cancel' || open === 'delete') && (
        <Remove deployment={deployment} onClose={close} onDeleted={onDeleted} />
      )}
    </Suspense>
  )
  return { actions, dialog }
}

function possible(
  deployment: DeploymentRecord,
  role: 'owner' | 'member' | undefined,
): Omit<Action, 'start'>[] {
  const { state, live, rollback_candidate, untrusted } = deployment
  const distrust = untrusted ? 'Its sources are those of somebody outside the team.' : undefined
  if (isUnfinished(deployment)) {
    return [{ kind: 'cancel', label: 'Cancel', danger: true, problem: undefined }]
  }
  const promote: Omit<Action, 'start'> = {
    kind: 'promote',
    label: rollback_candidate && !live ? 'Make live again' : 'Promote',
    danger: false,
    problem: live ? 'It is live.' : distrust,
  }
  const redeploy: Omit<Action, 'start'> = {
    kind: 'redeploy',
    label: 'Deploy again',
    danger: false,
    problem: distrust,
  }
  const remove: Omit<Action, 'start'> = {
    kind: 'delete',
    label: 'Delete',
    danger: true,
    problem: live
      ? 'A live deployment stays.'
      : role === 'member'
        ? 'Only owners delete deployments.'
        : undefined,
  }
  return state === 'ready' ? [promote, redeploy, remove] : [redeploy, remove]
}

type DialogProps = { deployment: DeploymentRecord; onClose: () => void }

function Promote({ deployment, onClose }: DialogProps) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const toast = useToast()
  const { id, project, rollback_candidate } = deployment
  const promote = useMutation(
    trpc.deployments.promote.mutationOptions({
      onSuccess() {
        queries.invalidateQueries(trpc.deployments.pathFilter())
        queries.invalidateQueries(trpc.projects.pathFilter())
        toast(`“${titleOf(deployment)}” is live.`)
        onClose()
      },
    }),
  )
  return (
    <Confirm
      title={rollback_candidate ? `Make this deployment of ${project} live again?` : 'Promote to production?'}
      note={
        `“${titleOf(deployment)}” becomes what visitors of ${project} get, at once. ` +
        'Nothing is built again: variables and settings that changed since do not apply to it. ' +
        'The deployment that is live now stays, and can be promoted again.'
      }
      action={rollback_candidate ? 'Make live' : 'Promote'}
      busy={promote.isPending}
      error={promote.error}
      onClose={onClose}
      onSubmit={() => promote.mutate({ deployment: id })}
    />
  )
}

function Remove({ deployment, onClose, onDeleted }: DialogProps & { onDeleted?: (() => void) | undefined }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const isCancel = isUnfinished(deployment)
  const remove = useMutation(
    trpc.deployments.delete.mutationOptions({
      onSuccess() {
        onClose()
        if (!isCancel) onDeleted?.()
        queries.invalidateQueries(trpc.deployments.pathFilter())
        queries.invalidateQueries(trpc.projects.pathFilter())
      },
    }),
  )
  return (
    <Confirm
      title={isCancel ? 'Cancel this deployment?' : 'Delete this deployment?'}
      note={
        isCancel
          ? 'Its build ends at once. The deployment stays in the list as canceled.'
          : `“${titleOf(deployment)}” ` +
            `and its address ${new URL(deployment.url).host} go. This can't be undone.`
      }
      action={isCancel ? 'Cancel the deployment' : 'Delete'}
      danger
      busy={remove.isPending}
      error={remove.error}
      onClose={onClose}
      onSubmit={() => remove.mutate({ deployment: deployment.id })}
    />
  )
}
