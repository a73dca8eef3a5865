'use client'
/** The person's second factor: setting it up, new recovery codes, and taking it away. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Outputs, useTRPC } from '@/lib/api'
import { Button } from '@/ui/button'
import { useToast } from '@/ui/toasts'
import { ProofForm } from './proof-form'
import { RecoveryCodes } from './recovery-codes'
import { SetUpFactor } from './set-up-factor'

type AccountRecord = Outputs['account']['get']

export function SecondFactor({ account }: { account: AccountRecord }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [codes, setCodes] = useState<string[]>()
  const done = () => {
    setCodes(undefined)
    queries.invalidateQueries(trpc.account.get.queryFilter())
  }
  if (codes) return <RecoveryCodes codes={codes} onDone={done} />
  if (account.second_factor.on) {
    return <FactorInUse left={account.second_factor.recovery_codes} onCodes={setCodes} />
  }
  if (!account.password_set) {
    return (
      <p className="max-w-prose text-dim">
        It is asked for beside a password, and you have none: {account.provider ?? 'your provider'} decides
        how you sign in.
      </p>
    )
  }
  return <SetUpFactor onCodes={setCodes} />
}

type InUseProps = { left: number; onCodes: (codes: string[]) => void }

function FactorInUse({ left, onCodes }: InUseProps) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const toast = useToast()
  const [wanted, setWanted] = useState<'codes' | 'none'>()
  const renew = useMutation(
    trpc.account.renewRecoveryCodes.mutationOptions({
      onSuccess: ({ recovery_codes: codes }) => onCodes(codes),
    }),
  )
  const stop = useMutation(
    trpc.account.stopSecondFactor.mutationOptions({
      onSuccess() {
        queries.invalidateQueries(trpc.account.get.queryFilter())
        toast('The second factor was taken away.')
      },
    }),
  )
  const many = left === 1 ? 'One recovery code is left.' : `${left} recovery codes are left.`
  return (
    <div className="grid gap-3">
      <p className="max-w-prose">Signing in with your password takes a code of your app as well. {many}</p>
      {wanted === undefined ? (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setWanted('codes')}>New recovery codes</Button>
          <Button look="danger" onClick={() => setWanted('none')}>
            Take it away
          </Button>
        </div>
      ) : wanted === 'codes' ? (
        <ProofForm action="Make new recovery codes" call={renew} onCancel={() => setWanted(undefined)} />
      ) : (
        <ProofForm action="Take the second factor away" call={stop} onCancel={() => setWanted(undefined)} />
      )}
    </div>
  )
}
