'use client'
/** The dialog about the link of an invitation: makes one, or another, and revokes it. */
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { Problem } from '@/ui/problem'
import { Spinner } from '@/ui/spinner'
import { Time } from '@/ui/time'
import { MadeLink } from './made-link'
import { useLinks } from './use-links'

type InvitationLinkProps = { team: string; email: string; onClose: () => void }

export function InvitationLink({ team, email, onClose }: InvitationLinkProps) {
  const trpc = useTRPC()
  const links = useQuery({ ...trpc.invitationLinks.list.queryOptions({ team }), staleTime: 0 })
  const { create, revoke } = useLinks()
  if (create.data) return <MadeLink link={create.data} onClose={onClose} />
  const known = links.data?.data.find((link) => link.email === email)
  const error = links.error ?? create.error ?? revoke.error
  return (
    <Dialog
      title="Link to join"
      note={`With it ${email} joins the team without an account. Send it yourself.`}
      onClose={onClose}
    >
      <div className="grid gap-4">
        {links.isPending && <Spinner />}
        {links.data && (
          <p>
            {known ? (
              <>
                {known.created_by_name} made one <Time ms={known.created_ms} />.{' '}
                {known.ended
                  ? `It has ended: ${known.ended.message} Make another.`
                  : 'Nobody can read it again: another one replaces it.'}
              </>
            ) : (
              'There is none that can be used.'
            )}
          </p>
        )}
        {error && <Problem error={error} />}
        <div className="flex flex-wrap justify-end gap-2">
          {known && (
            <Button
              look="danger"
              busy={revoke.isPending}
              onClick={() => revoke.mutate({ team, id: known.id })}
            >
              Revoke it
            </Button>
          )}
          <Button
            look="primary"
            disabled={!links.data}
            busy={create.isPending}
            onClick={() => create.mutate({ team, email })}
          >
            {known ? 'Make another' : 'Make a link'}
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
