'use client'
/** The dialog that makes a team. */
import { useMutation } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useState } from 'react'
import { useTRPC } from '@/lib/api'
import { problemOf } from '@/lib/api-error'
import { teamPath } from '@/lib/paths'
import { FormDialog } from '@/ui/dialog'
import { TextField } from '@/ui/field'

export function NewTeam({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC()
  const router = useRouter()
  const [slug, setSlug] = useState('')
  const create = useMutation(
    trpc.teams.put.mutationOptions({
      onSuccess(team) {
        onClose()
        router.push(teamPath(team.slug))
      },
    }),
  )
  return (
    <FormDialog
      title="New team"
      note="A team has its own projects, domains, members and limits."
      action="Create"
      busy={create.isPending}
      error={create.error}
      fields={['team']}
      onClose={onClose}
      onSubmit={() => create.mutate({ team: slug })}
    >
      <TextField
        label="Slug"
        hint="Lower-case letters, digits and hyphens. It is part of the addresses of pages."
        value={slug}
        error={problemOf(create.error).fields.get('team')}
        onChange={(event) => setSlug(event.target.value.toLowerCase())}
        autoComplete="off"
        spellCheck={false}
        required
      />
    </FormDialog>
  )
}
