import { Suspense } from 'react'
import { TeamDomains } from '@/views/domains/domains'

export default function Page() {
  return (
    <Suspense>
      <TeamDomains />
    </Suspense>
  )
}
