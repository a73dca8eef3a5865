'use client'
/** Why a deployment failed, with the lines of its log that say so. */
import { Icon } from '@/ui/icons'
import type { DeploymentRecord } from '../deployments/about'
import { plainText } from './plain-text'

export function Failure({ error }: { error: NonNullable<DeploymentRecord['error']> }) {
  const { reason, message, excerpt = [] } = error
  return (
    <div role="alert" className="mb-6 rounded-lg border border-bad/40 bg-bad-soft p-4">
      <p className="flex gap-2 font-medium text-bad">
        <Icon name="alert" className="mt-0.5" />
        {message}
      </p>
      <p className="mt-1 pl-6 text-dim">
        <code className="font-mono text-xs">{reason}</code>
      </p>
      {excerpt.length > 0 && (
        <pre tabIndex={0} className="mt-3 overflow-x-auto pl-6 font-mono text-xs leading-5">
          {excerpt.map((line) => `${plainText(line)}\n`)}
        </pre>
      )}
    </div>
  )
}
