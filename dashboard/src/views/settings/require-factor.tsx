'use client'
/** Whether the people of a team need a second factor. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { type Outputs, useTRPC } from '@/lib/api'
import { Button } from '@/ui/button'
import { Section } from '@/ui/card'
import { OwnersOnly, Problem } from '@/ui/problem'
import { useToast } from '@/ui/toasts'

export function RequireFactor({ team }: { team: Outputs['teams']['get'] }) {
  const trpc = useTRPC()
  const queries = useQueryClient()
  const toast = useToast()
  const { slug, role, second_factor_required: isRequired } = team
  const set = useMutation(
    trpc.teams.requireSecondFactor.mutationOptions({
      onSuccess() {
        queries.invalidateQueries(trpc.teams.pathFilter())
        toast('Saved.')
      },
    }),
  )
  return (
    <Section title="Second factor">
      <div className="grid max-w-prose gap-3">
        <p>
          {isRequired
            ? 'Whoever signs in with a password alone can do nothing in this team.'
            : 'Members may sign in with a password alone.'}{' '}
          <span className="text-dim">
            API keys, and people who sign in with a provider, go on either way.
          </span>
        </p>
        {set.error && <Problem error={set.error} />}
        {role === 'owner' ? (
          <div>
            <Button busy={set.isPending} onClick={() => set.mutate({ team: slug, required: !isRequired })}>
              {isRequired ? 'No longer require one' : 'Require a second factor'}
            </Button>
          </div>
        ) : (
          <OwnersOnly>Only owners change this.</OwnersOnly>
        )}
      </div>
    </Section>
  )
}
