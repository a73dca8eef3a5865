'use client'
/** The person's passkeys: the list, and adding one. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type Outputs, useTRPC, useTRPCClient } from '@/lib/api'
import { Button } from '@/ui/button'
import { TextField } from '@/ui/field'
import { Loaded } from '@/ui/loaded'
import { Cell, Row, Table } from '@/ui/table'
import { Time } from '@/ui/time'
import { useToast } from '@/ui/toasts'
import { ChangePasskey } from './change-passkey'
import { makePasskey } from './passkey-client'
import { type Proof, ProofForm } from './proof-form'
import { RecoveryCodes } from './recovery-codes'

type AccountRecord = Outputs['account']['get']

export function Passkeys({ account }: { account: AccountRecord }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const [codes, setCodes] = useState<string[]>()
  const { passkeys: many } = account.second_factor
  const list = useQuery(trpc.account.passkeys.queryOptions({}, { enabled: many > 0 }))
  const again = () => {
    setCodes(undefined)
    queries.invalidateQueries(trpc.account.get.queryFilter())
    queries.invalidateQueries(trpc.account.passkeys.queryFilter())
    queries.invalidateQueries(trpc.account.sessions.queryFilter())
  }
  if (codes) return <RecoveryCodes codes={codes} onDone={again} />
  return (
    <div className="grid gap-3">
      <p className="max-w-prose text-dim">
        A passkey signs you in without your password: your device, or a security key, checks that it is you.
        It also takes the place of a code after the password.
      </p>
      {many > 0 && (
        <Loaded query={list}>
          {({ data }) => (
            <Table label="Passkeys" columns={['Name', 'Made', 'Last used', '']}>
              {data.map((passkey) => (
                <Row key={passkey.id}>
                  <Cell className="font-medium">{passkey.name}</Cell>
                  <Cell>
                    <span className="text-dim sm:hidden">Made </span>
                    <Time ms={passkey.created_ms} />
                  </Cell>
                  <Cell>
                    <span className="text-dim sm:hidden">Last used </span>
                    {passkey.last_used_ms === null ? 'never' : <Time ms={passkey.last_used_ms} />}
                  </Cell>
                  <Cell className="text-right">
                    <ChangePasskey passkey={passkey} account={account} onChanged={again} />
                  </Cell>
                </Row>
              ))}
            </Table>
          )}
        </Loaded>
      )}
      <AddPasskey account={account} onCodes={setCodes} onAdded={again} />
    </div>
  )
}

type AddProps = { account: AccountRecord; onCodes: (codes: string[]) => void; onAdded: () => void }

function AddPasskey({ account, onCodes, onAdded }: AddProps) {
  const client = useTRPCClient()
  const toast = useToast()
  const [isOpen, setOpen] = useState(false)
  const [name, setName] = useState('')
  const add = useMutation({
    mutationFn: async (proof: Proof) => {
      const credential = await makePasskey(await client.account.startPasskey.mutate(proof))
      const named = name.trim() === '' ? {} : { name }
      return client.account.addPasskey.mutate({ credential, ...named })
    },
    onSuccess({ passkey, recovery_codes: codes }) {
      setOpen(false)
      setName('')
      toast(`${passkey.name} was added.`)
      if (codes.length > 0) onCodes(codes)
      else onAdded()
    },
  })
  if (account.passkeys_problem !== null) return <p className="max-w-prose">{account.passkeys_problem}</p>
  if (!account.password_set) {
    return (
      <p className="max-w-prose text-dim">
        It stands beside a password, and you have none: {account.provider ?? 'your provider'} decides how you
        sign in.
      </p>
    )
  }
  if (!isOpen) {
    return (
      <div>
        <Button onClick={() => setOpen(true)}>Add a passkey</Button>
      </div>
    )
  }
  return (
    <ProofForm action="Make the passkey" account={account} call={add} onCancel={() => setOpen(false)}>
      {!account.second_factor.on && (
        <p className="max-w-prose rounded-md bg-warn-soft px-3 py-2">
          From then on the password alone signs you in no more. You get recovery codes for when the passkey is
          lost: keep them where you find them without your device.
        </p>
      )}
      <TextField
        label="Name of the passkey"
        hint="By default that of this device."
        value={name}
        maxLength={100}
        onChange={(event) => setName(event.target.value)}
      />
    </ProofForm>
  )
}
