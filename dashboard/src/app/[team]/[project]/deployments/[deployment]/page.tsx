import { Suspense } from 'react'
import { Deployment } from '@/views/deployment/deployment'

/** A placeholder: the server sends this page for every deployment. */
export const generateStaticParams = () => [{ deployment: '_' }]

export default function Page() {
  return (
    <Suspense>
      <Deployment />
    </Suspense>
  )
}
