'use client'
/** Renames a passkey, or removes it. */
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type Outputs, useTRPC } from '@/lib/api'
import { Button } from '@/ui/button'
import { TextField } from '@/ui/field'
import { type Proof, ProofForm } from './proof-form'

const Dialog = lazy(() => import('@/ui/dialog').then((module) => ({ default: module.Dialog })))
const FormDialog = lazy(() => import('@/ui/dialog').then((module) => ({ default: module.FormDialog })))

type Passkey = Outputs['account']['passkeys']['data'][number]

type ChangeProps = { passkey: Passkey; account: Outputs['account']['get']; onChanged: () => void }

export function ChangePasskey(props: ChangeProps) {
  const [wanted, setWanted] = useState<'name' | 'removal'>()
  const { name } = props.passkey
  const close = () => setWanted(undefined)
  return (
    <>
      <Button look="quiet" aria-label={`Rename ${name}`} onClick={() => setWanted('name')}>
        Rename
      </Button>
      <Button look="quiet" aria-label={`Remove ${name}`} onClick={() => setWanted('removal')}>
        Remove
      </Button>
      <Suspense>
        {wanted === 'name' && <Rename {...props} onClose={close} />}
        {wanted === 'removal' && <Remove {...props} onClose={close} />}
      </Suspense>
    </>
  )
}

type OpenProps = ChangeProps & { onClose: () => void }

function Rename({ passkey, onChanged, onClose }: OpenProps) {
  const trpc = useTRPC()
  const [name, setName] = useState(passkey.name)
  const rename = useMutation(
    trpc.account.renamePasskey.mutationOptions({
      onSuccess() {
        onClose()
        onChanged()
      },
    }),
  )
  return (
    <FormDialog
      title="Rename the passkey"
      action="Rename"
      busy={rename.isPending}
      error={rename.error}
      onClose={onClose}
      onSubmit={() => rename.mutate({ id: passkey.id, name })}
    >
      <TextField
        label="Name"
        value={name}
        maxLength={100}
        required
        onChange={(event) => setName(event.target.value)}
      />
    </FormDialog>
  )
}

function Remove({ passkey: { id, name }, account, onChanged, onClose }: OpenProps) {
  const trpc = useTRPC()
  const remove = useMutation(
    trpc.account.removePasskey.mutationOptions({
      onSuccess() {
        onClose()
        onChanged()
      },
    }),
  )
  const { app, passkeys } = account.second_factor
  const isLast = passkeys === 1 && !app
  const call = { ...remove, mutate: (proof: Proof) => remove.mutate({ id, ...proof }) }
  return (
    <Dialog
      title={`Remove ${name}?`}
      note={
        isLast
          ? 'It is your last one: the password alone signs you in then, and your recovery codes end.'
          : 'It signs you in no more. Your device keeps it until you delete it there, too.'
      }
      onClose={onClose}
    >
      <ProofForm action="Remove the passkey" account={account} call={call} onCancel={onClose} />
    </Dialog>
  )
}
