'use client'
/** Signs the person out elsewhere. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTRPC } from '@/lib/api'
import { count } from '@/lib/format'
import { Button } from '@/ui/button'

const Confirm = lazy(() => import('@/ui/dialog').then((module) => ({ default: module.Confirm })))

/** Ends one session. */
export function EndSession({ id, device }: { id: string; device: string }) {
  const trpc = useTRPC()
  const [isOpen, setOpen] = useState(false)
  const ended = useEnded(() => setOpen(false))
  const end = useMutation(trpc.account.endSession.mutationOptions(ended))
  return (
    <>
      <Button look="quiet" aria-label={`End the session of ${device}`} onClick={() => setOpen(true)}>
        End
      </Button>
      {isOpen && (
        <Suspense>
          <Confirm
            title={`End the session of ${device}?`}
            note="Whoever uses it has to sign in again."
            action="End the session"
            danger
            busy={end.isPending}
            error={end.error}
            onClose={() => setOpen(false)}
            onSubmit={() => end.mutate({ id })}
          />
        </Suspense>
      )}
    </>
  )
}

/** Ends all sessions but this one. */
export function EndOtherSessions({ count: others }: { count: number }) {
  const trpc = useTRPC()
  const [isOpen, setOpen] = useState(false)
  const ended = useEnded(() => setOpen(false))
  const end = useMutation(trpc.account.endOtherSessions.mutationOptions(ended))
  return (
    <>
      <Button look="danger" onClick={() => setOpen(true)}>
        End all others
      </Button>
      {isOpen && (
        <Suspense>
          <Confirm
            title={`End ${count(others, 'other session')}?`}
            note="You stay signed in here only."
            action="End all others"
            danger
            busy={end.isPending}
            error={end.error}
            onClose={() => setOpen(false)}
            onSubmit={() => end.mutate({})}
          />
        </Suspense>
      )}
    </>
  )
}

/** Closes the question, and reads the list again. */
function useEnded(close: () => void) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  return {
    onSuccess() {
      close()
      queries.invalidateQueries(trpc.account.sessions.queryFilter())
    },
  }
}
