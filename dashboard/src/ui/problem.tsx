/** Errors of calls: the message of the API, its reason and the id of the request. */
import Link from 'next/link'
import type { ReactNode } from 'react'
import { problemOf } from '@/lib/api-error'
import { Button } from './button'
import { Copyable } from './copy'
import { Icon } from './icons'

type ProblemProps = {
  error: unknown
  /** The attempt that failed, such as "The project could not be saved". */
  title?: string
  retry?: (() => void) | undefined
}

/** A message that says what went wrong, and what to do. */
export function Problem({ error, title, retry }: ProblemProps) {
  const { message, reason, requestId } = problemOf(error)
  return (
    <div role="alert" className="rounded-md border border-bad/40 bg-bad-soft p-3">
      <div className="flex gap-2">
        <Icon name="alert" className="mt-0.5 text-bad" />
        <div className="min-w-0 flex-1">
          {title && <p className="font-medium text-bad">{title}</p>}
          <p className="break-words">{message}</p>
          {reason === 'second_factor_required' && (
            <p className="mt-1">
              <Link href="/account" className="underline">
                Set one up
              </Link>
              , or sign out and in again if you have one.
            </p>
          )}
          {(reason || requestId) && (
            <p className="mt-1 flex flex-wrap items-center gap-x-3 text-dim text-xs">
              {reason && <code className="font-mono">{reason}</code>}
              {requestId && (
                <span className="inline-flex min-w-0 items-center gap-1">
                  Request <Copyable text={requestId} label="Copy the request id" />
                </span>
              )}
            </p>
          )}
        </div>
        {retry && <Button onClick={retry}>Retry</Button>}
      </div>
    </div>
  )
}

/** For what only owners may do or see. */
export function OwnersOnly({ children }: { children: ReactNode }) {
  return <p className="rounded-md bg-sunken px-3 py-2 text-dim">{children}</p>
}
