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
    queries.invalidateQueries(trpc.account.sessions.queryFilter())
  }
  if (codes) return <RecoveryCodes codes={codes} onDone={done} />
  // Without codes, those of before remain.
  const onCodes = (made: string[]) => (made.length > 0 ? setCodes(made) : done())
  const { on, app } = account.second_factor
  if (!on && !account.password_set) {
    return (
      <p className="max-w-prose text-dim">
        It is asked for beside a password, and you have none: {account.provider ?? 'your provider'} decides
        how you sign in.
      </p>
    )
  }
  return (
    <div className="grid gap-4">
      {on && <FactorInUse account={account} onCodes={setCodes} />}
      {!app && <SetUpFactor account={account} onCodes={onCodes} />}
    </div>
  )
}

type InUseProps = { account: AccountRecord; onCodes: (codes: string[]) => void }

function FactorInUse({ account, onCodes }: InUseProps) {
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
        toast('The app was taken away.')
      },
    }),
  )
  const { app, passkeys, recovery_codes: left } = account.second_factor
  const many = left === 1 ? 'One recovery code is left.' : `${left} recovery codes are left.`
  return (
    <div className="grid gap-3">
      <p className="max-w-prose">
        Signing in with your password takes {takenBeside(app, passkeys)} as well. {many}
      </p>
      {wanted === undefined ? (
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => setWanted('codes')}>New recovery codes</Button>
          {app && (
            <Button look="danger" onClick={() => setWanted('none')}>
              Take the app away
            </Button>
          )}
        </div>
      ) : wanted === 'codes' ? (
        <ProofForm
          action="Make new recovery codes"
          account={account}
          call={renew}
          onCancel={() => setWanted(undefined)}
        />
      ) : (
        <ProofForm
          action="Take the app for codes away"
          account={account}
          call={stop}
          onCancel={() => setWanted(undefined)}
        >
          <p>
            {passkeys > 0
              ? 'Your passkeys and recovery codes stay.'
              : 'It is your only second factor: the password alone signs you in then.'}
          </p>
        </ProofForm>
      )}
    </div>
  )
}

function takenBeside(hasApp: boolean, passkeys: number): string {
  if (passkeys === 0) return 'a code of your app'
  return hasApp ? 'a passkey or a code of your app' : 'a passkey or a recovery code'
}
