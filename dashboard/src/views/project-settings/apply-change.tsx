'use client'
/** Offers to deploy what is live again, so that a change of variables applies. */
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTRPC } from '@/lib/api'
import { Button } from '@/ui/button'
import { needsWorker } from '../../../../src/lib/needs-worker.ts'

const Redeploy = lazy(() =>
  import('../deployments/redeploy').then((module) => ({ default: module.Redeploy })),
)

export function ApplyChange({ live }: { live: string }) {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.deployments.get.queryOptions({ deployment: live }))
  const [isAsking, setAsking] = useState(false)
  if (!data || !needsWorker(data.build)) return null
  return (
    <div
      role="status"
      className="mb-4 flex flex-wrap items-center justify-between gap-3 rounded-md border border-line p-3"
    >
      <p>The change applies to what is deployed from now on.</p>
      <Button onClick={() => setAsking(true)}>Deploy what is live again</Button>
      <Suspense>{isAsking && <Redeploy deployment={data} onClose={() => setAsking(false)} />}</Suspense>
    </div>
  )
}
