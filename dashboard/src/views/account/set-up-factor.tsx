'use client'
/** Sets an app for codes up: the password, then a code of the app that has read the secret. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { type Outputs, useTRPC } from '@/lib/api'
import { problemOf } from '@/lib/api-error'
import { Button } from '@/ui/button'
import { Copyable } from '@/ui/copy'
import { Problem } from '@/ui/problem'
import { CodeField, ProofForm } from './proof-form'

const QrCode = lazy(() => import('./qr-code').then((module) => ({ default: module.QrCode })))

type Started = Outputs['account']['startSecondFactor']

type SetUpProps = { account: Outputs['account']['get']; onCodes: (codes: string[]) => void }

export function SetUpFactor({ account, onCodes }: SetUpProps) {
  const [started, setStarted] = useState<Started>()
  return started ? (
    <Confirm started={started} isFirst={!account.second_factor.on} onCodes={onCodes} />
  ) : (
    <Start account={account} onStarted={setStarted} />
  )
}

type StartProps = { account: Outputs['account']['get']; onStarted: (started: Started) => void }

function Start({ account, onStarted }: StartProps) {
  const trpc = useTRPC()
  const start = useMutation(trpc.account.startSecondFactor.mutationOptions({ onSuccess: onStarted }))
  return (
    <ProofForm action="Set up an app for codes" account={account} call={start}>
      <p className="text-dim">
        An app on your device shows a code that signing in takes beside the password, so that whoever learns
        the password alone stays out.
      </p>
    </ProofForm>
  )
}

type ConfirmProps = { started: Started; isFirst: boolean; onCodes: (codes: string[]) => void }

function Confirm({ started, isFirst, onCodes }: ConfirmProps) {
  const trpc = useTRPC()
  const [code, setCode] = useState('')
  const confirm = useMutation(
    trpc.account.confirmSecondFactor.mutationOptions({
      onSuccess: ({ recovery_codes: codes }) => onCodes(codes),
    }),
  )
  const { fields } = problemOf(confirm.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    confirm.mutate({ code })
  }
  return (
    <form onSubmit={submit} className="grid max-w-md gap-3">
      <p>
        Scan this with an app for codes, or type the key into it. Then type the code that it shows, within 15
        minutes.{isFirst ? ' All your other sessions end with it.' : ''}
      </p>
      <Suspense fallback={<div className="size-44" />}>
        <QrCode text={started.url} label="The key of the second factor as a QR code" />
      </Suspense>
      <Copyable text={started.secret} label="Copy the key" />
      <CodeField value={code} error={fields.get('code')} onChange={setCode} />
      {confirm.error && fields.size === 0 && <Problem error={confirm.error} />}
      <div>
        <Button look="primary" type="submit" busy={confirm.isPending}>
          Confirm
        </Button>
      </div>
    </form>
  )
}
