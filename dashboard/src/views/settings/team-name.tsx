'use client'
/** The form with a team's name. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import { type Outputs, useTRPC } from '@/lib/api'
import { problemOf } from '@/lib/api-error'
import { Button } from '@/ui/button'
import { TextField } from '@/ui/field'
import { Problem } from '@/ui/problem'
import { useToast } from '@/ui/toasts'

export function TeamName({ team }: { team: Outputs['teams']['get'] }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const toast = useToast()
  const [name, setName] = useState(team.name)
  const save = useMutation(
    trpc.teams.put.mutationOptions({
      onSuccess() {
        queries.invalidateQueries(trpc.teams.pathFilter())
        toast('Saved.')
      },
    }),
  )
  const error = problemOf(save.error).fields.get('name')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    save.mutate({ team: team.slug, name })
  }
  return (
    <form onSubmit={submit} className="grid max-w-md gap-3">
      <TextField
        label="Name"
        value={name}
        error={error}
        disabled={team.role !== 'owner'}
        hint={team.role === 'owner' ? undefined : 'Only owners change the name.'}
        onChange={(event) => setName(event.target.value)}
      />
      {save.error && error === undefined && <Problem error={save.error} />}
      <div>
        <Button type="submit" disabled={name === team.name || name === ''} busy={save.isPending}>
          Save
        </Button>
      </div>
    </form>
  )
}
