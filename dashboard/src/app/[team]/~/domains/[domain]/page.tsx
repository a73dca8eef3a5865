import { Suspense } from 'react'
import { DomainPage } from '@/views/domains/domain'

/** A placeholder: the server sends this page for every domain. */
export const generateStaticParams = () => [{ domain: '_' }]

export default function Page() {
  return (
    <Suspense>
      <DomainPage />
    </Suspense>
  )
}
