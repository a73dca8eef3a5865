'use client'
/** Why a deployment failed, with the last lines of its log that say so. */
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { Icon } from '@/ui/icons'
import type { DeploymentRecord } from '../deployments/about'
import { plainText } from './plain-text'

const quoted = 5

export function Failure({ deployment: { id, error } }: { deployment: DeploymentRecord }) {
  const trpc = useTRPC()
  const { data } = useQuery(
    trpc.observability.logs.queryOptions({ kind: 'build', deployment: id, level: 'error', limit: quoted }),
  )
  if (!error) return null
  // The log ends with the same message.
  const lines = data?.data.filter(({ message }) => message !== error.message).toReversed() ?? []
  return (
    <div role="alert" className="mb-6 rounded-lg border border-bad/40 bg-bad-soft p-4">
      <p className="flex gap-2 font-medium text-bad">
        <Icon name="alert" className="mt-0.5" />
        {error.message}
      </p>
      <p className="mt-1 pl-6 text-dim">
        <code className="font-mono text-xs">{error.reason}</code>
      </p>
      {lines.length > 0 && (
        <pre tabIndex={0} className="mt-3 overflow-x-auto pl-6 font-mono text-xs leading-5">
          {lines.map(({ message }) => `${plainText(message)}\n`)}
        </pre>
      )}
    </div>
  )
}
