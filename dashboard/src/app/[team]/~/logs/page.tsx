import { Suspense } from 'react'
import { Logs } from '@/views/logs/logs'

export default function Page() {
  return (
    <Suspense>
      <Logs />
    </Suspense>
  )
}
