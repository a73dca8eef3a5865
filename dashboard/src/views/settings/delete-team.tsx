'use client'
/** Deletes a team. */
import { useMutation } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { type Outputs, useTRPC } from '@/lib/api'
import { Button } from '@/ui/button'
import { Section } from '@/ui/card'
import { OwnersOnly } from '@/ui/problem'

const Confirm = lazy(() => import('@/ui/dialog').then((module) => ({ default: module.Confirm })))

export function DeleteTeam({ team }: { team: Outputs['teams']['get'] }) {
  const trpc = useTRPC()
  const [isOpen, setOpen] = useState(false)
  // The cache holds what was of the team: the next page begins anew.
  const remove = useMutation(trpc.teams.delete.mutationOptions({ onSuccess: () => location.assign('/') }))
  return (
    <Section title="Delete the team" note="With its members and keys. It must have no projects left.">
      {team.personal ? (
        <OwnersOnly>This is a personal team, which stays as long as its person.</OwnersOnly>
      ) : team.role === 'owner' ? (
        <Button look="danger" onClick={() => setOpen(true)}>
          Delete {team.name}
        </Button>
      ) : (
        <OwnersOnly>Only owners delete a team.</OwnersOnly>
      )}
      {isOpen && (
        <Suspense>
          <Confirm
            title={`Delete ${team.name}?`}
            note="Its members lose access and its keys end. This can't be undone."
            name={team.slug}
            action="Delete the team"
            danger
            busy={remove.isPending}
            error={remove.error}
            onClose={() => setOpen(false)}
            onSubmit={() => remove.mutate({ team: team.slug })}
          />
        </Suspense>
      )}
    </Section>
  )
}
