'use client'
/** The button that has the production branch of a connected repository deployed. */
import { Button } from '@/ui/button'
import { Problem } from '@/ui/problem'
import { FetchedBranch } from './fetched-branch'
import { useDeployBranch } from './use-deploy-branch'

type Props = { project: { id: string; name: string }; branch: string | null }

export function DeployNow({ project, branch }: Props) {
  const deploy = useDeployBranch()
  return (
    <div className="mt-3 grid justify-items-start gap-2">
      <Button busy={deploy.isPending} onClick={() => deploy.mutate({ project: project.id })}>
        {branch === null ? 'Deploy the default branch now' : `Deploy ${branch} now`}
      </Button>
      {deploy.data && <FetchedBranch key={deploy.data.id} project={project} queued={deploy.data} />}
      {deploy.error !== null && <Problem error={deploy.error} />}
    </div>
  )
}
