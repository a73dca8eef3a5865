'use client'
/** The dialog that adds a domain. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useTRPC } from '@/lib/api'
import { problemOf } from '@/lib/api-error'
import { teamPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { FormDialog } from '@/ui/dialog'
import { TextField } from '@/ui/field'
import { DestinationFields, destinationChanges, destinationPaths, emptyDestination } from './destination'

type AddDomainProps = {
  /** Filled in; `''` lets the person choose. */
  project: string
  onClose: () => void
}

/** Claims the name, and goes to its page, which has the records to add. */
export function AddDomain({ project, onClose }: AddDomainProps) {
  const trpc = useTRPC()
  const router = useRouter()
  const queryClient = useQueryClient()
  const { team } = useRequiredRoute()
  const [name, setName] = useState('')
  const [destination, setDestination] = useState(() => emptyDestination(project))
  const add = useMutation(
    trpc.domains.put.mutationOptions({
      onSuccess(domain) {
        queryClient.setQueryData(trpc.domains.get.queryKey({ domain: domain.domain }), domain)
        queryClient.invalidateQueries(trpc.domains.pathFilter())
        onClose()
        router.push(teamPath(team, 'domains', domain.domain))
      },
    }),
  )
  const { fields } = problemOf(add.error)
  return (
    <FormDialog
      title="Add domain"
      note="A name that you own, or one below it. The next page has the records to add at your DNS provider."
      action="Add domain"
      busy={add.isPending}
      error={add.error}
      fields={['domain', ...destinationPaths]}
      onClose={onClose}
      onSubmit={() => add.mutate({ domain: name, ...destinationChanges(destination) })}
    >
      <TextField
        label="Name"
        placeholder="www.example.com"
        value={name}
        error={fields.get('domain')}
        onChange={(event) => setName(nameIn(event.target.value))}
        autoComplete="off"
        autoCapitalize="off"
        spellCheck={false}
        required
      />
      <DestinationFields value={destination} onChange={setDestination} errors={fields} />
    </FormDialog>
  )
}

/** The host name of an address that was pasted; of anything else the text. */
function nameIn(text: string): string {
  const trimmed = text.trim()
  return /^https?:\/\//i.test(trimmed) && URL.canParse(trimmed) ? new URL(trimmed).hostname : trimmed
}
