'use client'
/** The question before the sources of a deployment are deployed again. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTRPC } from '@/lib/api'
import { deploymentPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { Confirm } from '@/ui/dialog'
import { type DeploymentRecord, titleOf } from './about'

export function Redeploy({ deployment, onClose }: { deployment: DeploymentRecord; onClose: () => void }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const router = useRouter()
  const { team } = useRequiredRoute()
  const { id, project, target } = deployment
  const redeploy = useMutation(
    trpc.deployments.create.mutationOptions({
      onSuccess(made) {
        queries.invalidateQueries(trpc.deployments.pathFilter())
        queries.invalidateQueries(trpc.projects.pathFilter())
        onClose()
        router.push(deploymentPath(team, project, made.id))
      },
    }),
  )
  const goal = target === 'production' ? 'for production' : 'as a preview'
  return (
    <Confirm
      title="Deploy this again?"
      note={
        `The sources of “${titleOf(deployment)}” are deployed once more ${goal}, ` +
        `with the settings and variables that ${project} has now.`
      }
      action="Deploy again"
      busy={redeploy.isPending}
      error={redeploy.error}
      onClose={onClose}
      onSubmit={() => redeploy.mutate({ project, from: id })}
    />
  )
}
