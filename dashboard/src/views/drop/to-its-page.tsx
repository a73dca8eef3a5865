'use client'
/** Leads on to the page of a deployment that the server builds, which follows its log. */
import { useRouter } from 'next/navigation'
import { useEffect } from 'react'
import { deploymentPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import type { Deployment } from './deploy-files'

export function ToItsPage({ deployment, onLeave }: { deployment: Deployment; onLeave: () => void }) {
  const { team } = useRequiredRoute()
  const router = useRouter()
  const path = deploymentPath(team, deployment.project, deployment.id)
  useEffect(() => {
    router.push(path)
    onLeave()
  }, [router, path, onLeave])
  return null
}
