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
    return <p className="mt-1 text-dim">Somebody else has confirmed the address that this account had.</p>
  }
  return (
    <div className="mt-1 grid gap-2">
      <p className="text-dim">
        You can use everything. Confirm your address so that nobody else can take it.
      </p>
      {request.error && <Problem error={request.error} />}
      {request.data ? (
        <p role="status">
          A mail to {request.data.email} is on its way. Open its link in this browser, within an hour.
        </p>
      ) : proof_by_mail ? (
        <div>
          <Button busy={request.isPending} onClick={() => request.mutate({})}>
            Mail me a link
          </Button>
        </div>
      ) : (
        <p className="text-dim">The operator of this server can make you a link; open it in this browser.</p>
      )}
    </div>
  )
}
