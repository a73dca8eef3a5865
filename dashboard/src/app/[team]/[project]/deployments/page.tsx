import { Suspense } from 'react'
import { Deployments } from '@/views/deployments/deployments'

export default function Page() {
  return (
    <Suspense>
      <Deployments />
    </Suspense>
  )
}
