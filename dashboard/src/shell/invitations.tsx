'use client'
/** Invitations of the person, to accept or decline. */
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from 'next/navigation'
import { useTRPC } from '@/lib/api'
import { teamPath } from '@/lib/paths'
import { visibleLine } from '@/lib/visible'
import { Button } from '@/ui/button'
import { Problem } from '@/ui/problem'

/** Nothing says that one was made: the person is not in that team yet. */
const everyMs = 60_000

export function Invitations() {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.teams.invitations.queryOptions({ limit: 20 }, { refetchInterval: everyMs }))
  return data?.data.map((invitation) => <Invitation key={invitation.team} {...invitation} />)
}

type InvitationProps = { team: string; name: string; role: string }

function Invitation({ team, name: given, role }: InvitationProps) {
  const name = visibleLine(given)
  const trpc = useTRPC()
  const queries = useQueryClient()
  const router = useRouter()
  const refetch = () => queries.invalidateQueries(trpc.teams.pathFilter())
  const accept = useMutation(
    trpc.teams.acceptInvitation.mutationOptions({
      onSuccess() {
        refetch()
        router.push(teamPath(team))
      },
    }),
  )
  const decline = useMutation(trpc.teams.declineInvitation.mutationOptions({ onSuccess: refetch }))
  const error = accept.error ?? decline.error
  return (
    <section
      aria-label={`Invitation to ${name}`}
      className="mb-4 rounded-lg border border-line bg-accent-soft p-3"
    >
      <div className="flex flex-wrap items-center gap-3">
        <p className="min-w-0 flex-1">
          You are invited to{' '}
          <strong>
            <bdi>{name}</bdi>
          </strong>{' '}
          (<code className="font-mono text-xs">{team}</code>) as {role === 'owner' ? 'an owner' : 'a member'}.
        </p>
        <Button busy={decline.isPending} onClick={() => decline.mutate({ team })}>
          Decline
        </Button>
        <Button look="primary" busy={accept.isPending} onClick={() => accept.mutate({ team })}>
          Accept
        </Button>
      </div>
      {error && <Problem error={error} />}
    </section>
  )
}
