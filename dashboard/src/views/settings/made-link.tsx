'use client'
/** The dialog that shows the link of an invitation, once. */
import type { Outputs } from '@/lib/api'
import { Button } from '@/ui/button'
import { Snippet } from '@/ui/copy'
import { Dialog } from '@/ui/dialog'
import { Time } from '@/ui/time'

type MadeLinkProps = { link: Outputs['invitationLinks']['create']; onClose: () => void }

export function MadeLink({ link: { url, email, expires_ms }, onClose }: MadeLinkProps) {
  return (
    <Dialog
      title="Copy the link now"
      note={
        `Send it to ${email} yourself: whoever opens it can join the team with a new account. ` +
        'It works once, and is shown this once.'
      }
      onClose={onClose}
    >
      <div className="grid gap-4">
        <Snippet text={url} label="Copy the link" />
        <p className="text-dim">
          It ends <Time ms={expires_ms} />. Who has an account with this address can accept without it, too.
        </p>
        <div className="flex justify-end">
          <Button look="primary" onClick={onClose}>
            Done
          </Button>
        </div>
      </div>
    </Dialog>
  )
}
