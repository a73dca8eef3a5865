'use client'
/** How a person proves the address that the account only claims. */
import { useMutation } from '@tanstack/react-query'
import { type Outputs, useTRPC } from '@/lib/api'
import { Button } from '@/ui/button'
import { Problem } from '@/ui/problem'

export function Proof({ account: { user, proof_by_mail } }: { account: Outputs['account']['get'] }) {
  const trpc = useTRPC()
  const request = useMutation(trpc.account.proveAddress.mutationOptions())
  if (user.email === null) {
    return <p className="mt-1 text-dim">Somebody else has proven the address that this account claimed.</p>
  }
  return (
    <div className="mt-1 grid gap-2 rounded-md bg-warn-soft px-3 py-2">
      <p>
        Not proven: you get no other invitations, and whoever proves the address takes it from this account,
        which then can't sign in any more.
      </p>
      {request.error && <Problem error={request.error} />}
      {request.data ? (
        <p role="status">
          A mail to {request.data.email} is on its way. Open its link in this browser, within an hour.
        </p>
      ) : proof_by_mail ? (
        <div>
          <Button busy={request.isPending} onClick={() => request.mutate({})}>
            Mail me a link that proves it
          </Button>
        </div>
      ) : (
        <p>Ask the operator for a link, and open it in this browser.</p>
      )}
    </div>
  )
}
