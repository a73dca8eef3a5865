'use client'
/** A button that ends a credential, after a question. */
import { lazy, Suspense, useState } from 'react'
import { Button } from './button'

const Confirm = lazy(() => import('./dialog').then((module) => ({ default: module.Confirm })))

type RevokeProps<Input> = {
  /** As in "Revoke the link to …". */
  what: string
  /** The consequences for whoever has it. */
  note: string
  mutation: {
    isPending: boolean
    error: unknown
    mutate: (input: Input, options: { onSuccess: () => void }) => void
  }
  input: Input
}

export function Revoke<Input>({ what, note, mutation, input }: RevokeProps<Input>) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)} aria-label={`Revoke ${what}`}>
        Revoke
      </Button>
      {isOpen && (
        <Suspense>
          <Confirm
            title={`Revoke ${what}?`}
            note={note}
            action="Revoke"
            danger
            busy={mutation.isPending}
            error={mutation.error}
            onClose={() => setOpen(false)}
            onSubmit={() => mutation.mutate(input, { onSuccess: () => setOpen(false) })}
          />
        </Suspense>
      )}
    </>
  )
}
