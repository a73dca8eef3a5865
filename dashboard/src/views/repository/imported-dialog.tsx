'use client'
/** The end of an import: what becomes of the first deployment, and what is left to do at the forge. */
import { Button } from '@/ui/button'
import { CopyOnce } from '@/ui/copy-once'
import { Dialog } from '@/ui/dialog'
import { Problem } from '@/ui/problem'
import { FetchedBranch } from './fetched-branch'
import { ForgeForm, formPlace, providerOf } from './forge-form'
import type { Imported } from './use-import'

export function ImportedDialog({ imported, onClose }: { imported: Imported; onClose: () => void }) {
  const { project, secret, isRegistered, queued, problems } = imported
  const { provider, hook_url } = project.git
  const state = (
    <>
      {queued && <FetchedBranch project={project} queued={queued} />}
      {problems.map((error, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they never change.
        <Problem key={at} error={error} />
      ))}
    </>
  )
  if (isRegistered)
    return (
      <Dialog
        title="Imported"
        note="The forge has the webhook: what is pushed there is deployed."
        onClose={onClose}
      >
        <div className="grid gap-4">
          {state}
          <div className="flex justify-end">
            <Button look="primary" onClick={onClose}>
              Show the project
            </Button>
          </div>
        </div>
      </Dialog>
    )
  const kind = providerOf(provider) ?? 'github'
  return (
    <CopyOnce
      title="Imported"
      note={
        `What is pushed from now on is deployed, too, once the forge is configured. ${formPlace(kind)} ` +
        'The secret is shown this once; a change can make another one.'
      }
      wide
      onClose={onClose}
    >
      {state}
      <ForgeForm provider={kind} hookUrl={hook_url ?? ''} secret={secret} />
    </CopyOnce>
  )
}
