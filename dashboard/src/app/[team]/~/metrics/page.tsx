import { Suspense } from 'react'
import { Metrics } from '@/views/metrics/metrics'

export default function Page() {
  return (
    <Suspense>
      <Metrics />
    </Suspense>
  )
}
