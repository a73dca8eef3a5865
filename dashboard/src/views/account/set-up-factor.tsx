'use client'
/** Sets a second factor up: the password, then a code of the app that has read the secret. */
import { useMutation } from '@tanstack/react-query'
import { type FormEvent, lazy, Suspense, useState } from 'react'
import { type Outputs, useTRPC } from '@/lib/api'
import { problemOf } from '@/lib/api-error'
import { Button } from '@/ui/button'
import { Copyable } from '@/ui/copy'
import { Problem } from '@/ui/problem'
import { PresentPassword } from './present-password'
import { CodeField } from './proof-form'

const QrCode = lazy(() => import('./qr-code').then((module) => ({ default: module.QrCode })))

type Started = Outputs['account']['startSecondFactor']

export function SetUpFactor({ onCodes }: { onCodes: (codes: string[]) => void }) {
  const [started, setStarted] = useState<Started>()
  return started ? <Confirm started={started} onCodes={onCodes} /> : <Start onStarted={setStarted} />
}

function Start({ onStarted }: { onStarted: (started: Started) => void }) {
  const trpc = useTRPC()
  const [password, setPassword] = useState('')
  const start = useMutation(trpc.account.startSecondFactor.mutationOptions({ onSuccess: onStarted }))
  const { fields } = problemOf(start.error)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    start.mutate({ current_password: password })
  }
  return (
    <form onSubmit={submit} className="grid max-w-md gap-3">
      <p className="text-dim">
        An app on your device shows a code that signing in takes beside the password, so that whoever learns
        the password alone stays out.
      </p>
      <PresentPassword
        label="Password"
        value={password}
        error={fields.get('current_password')}
        onChange={setPassword}
      />
      {start.error && fields.size === 0 && <Problem error={start.error} />}
      <div>
        <Button type="submit" disabled={password === ''} busy={start.isPending}>
          Set up a second factor
        </Button>
      </div>
    </form>
  )
}

function Confirm({ started, onCodes }: { started: Started; onCodes: (codes: string[]) => void }) {
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
      <p>Scan this with an app for codes, or type the key into it. Then type the code that it shows.</p>
      <Suspense fallback={<div className="size-44" />}>
        <QrCode text={started.url} label="The key of the second factor as a QR code" />
      </Suspense>
      <Copyable text={started.secret} label="Copy the key" />
      <CodeField value={code} error={fields.get('code')} onChange={setCode} />
      {confirm.error && fields.size === 0 && <Problem error={confirm.error} />}
      <div>
        <Button look="primary" type="submit" disabled={code === ''} busy={confirm.isPending}>
          Confirm
        </Button>
      </div>
    </form>
  )
}
