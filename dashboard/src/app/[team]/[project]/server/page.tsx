import { Suspense } from 'react'
import { Server } from '@/views/server/server'

export default function Page() {
  return (
    <Suspense>
      <Server />
    </Suspense>
  )
}
