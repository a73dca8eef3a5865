'use client'
/** Ends an API key. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { useTRPC } from '@/lib/api'
import { Button } from '@/ui/button'

const Confirm = lazy(() => import('@/ui/dialog').then((module) => ({ default: module.Confirm })))

export function RevokeKey({ id, name }: { id: string; name: string }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [isOpen, setOpen] = useState(false)
  const revoke = useMutation(
    trpc.tokens.revokeKey.mutationOptions({
      onSuccess() {
        setOpen(false)
        queries.invalidateQueries(trpc.tokens.pathFilter())
      },
    }),
  )
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)} aria-label={`Revoke ${name}`}>
        Revoke
      </Button>
      {isOpen && (
        <Suspense>
          <Confirm
            title={`Revoke ${name}?`}
            note="Programs that use this key are refused from now on. This can't be undone."
            action="Revoke"
            danger
            busy={revoke.isPending}
            error={revoke.error}
            onClose={() => setOpen(false)}
            onSubmit={() => revoke.mutate({ key: id })}
          />
        </Suspense>
      )}
    </>
  )
}
