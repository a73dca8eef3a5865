'use client'
/** Has the production branch of a repository deployed that was just connected. */
import { useEffect, useRef } from 'react'
import { Problem } from '@/ui/problem'
import { FetchedBranch } from './fetched-branch'
import { useDeployBranch } from './use-deploy-branch'

export function FirstFetch({ project }: { project: { id: string; name: string } }) {
  const deploy = useDeployBranch()
  const { mutate } = deploy
  const isAsked = useRef(false)
  useEffect(() => {
    if (isAsked.current) return
    isAsked.current = true
    mutate({ project: project.id })
  }, [mutate, project.id])
  if (deploy.error !== null) return <Problem error={deploy.error} title="Nothing is deployed yet" />
  if (deploy.data) return <FetchedBranch project={project} queued={deploy.data} />
  return null
}
