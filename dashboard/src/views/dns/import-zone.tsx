'use client'
/** Replaces the records of a zone by those of a file, after showing what changes. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/lib/api'
import { count } from '@/lib/format'
import { Button } from '@/ui/button'
import { Dialog } from '@/ui/dialog'
import { useToast } from '@/ui/toasts'
import { ImportProblems } from './import-problems'
import { changesOf, ZoneDiff } from './zone-diff'
import { ZoneFileField } from './zone-file-field'

export function ImportZone({ domain, onClose }: { domain: string; onClose: () => void }) {
  const trpc = useTRPC()
  const queryClient = useQueryClient()
  const toast = useToast()
  const [zone, setZone] = useState('')
  const [skip, setSkip] = useState(false)
  const preview = useMutation(trpc.dns.importZone.mutationOptions())
  const apply = useMutation(
    trpc.dns.importZone.mutationOptions({
      onSuccess(changes) {
        queryClient.invalidateQueries(trpc.dns.pathFilter())
        toast(`${count(changesOf(changes), 'change')} imported.`)
        onClose()
      },
    }),
  )
  const changes = preview.data
  const changed = changes ? changesOf(changes) : 0
  const show = (skipping: boolean) => {
    setSkip(skipping)
    preview.mutate({ domain, zone, skip: skipping, dry_run: true })
  }
  return (
    <Dialog
      title="Import a zone file"
      note={`The records of ${domain} become those of the file, all or none. Managed records stay.`}
      onClose={onClose}
      wide
    >
      <div className="grid grid-cols-1 gap-4">
        {changes ? (
          <ZoneDiff changes={changes} />
        ) : (
          <ZoneFileField
            text={zone}
            onChange={(text) => {
              setZone(text)
              preview.reset()
            }}
          />
        )}
        <ImportProblems
          error={apply.error ?? preview.error}
          busy={preview.isPending}
          onSkip={skip ? undefined : () => show(true)}
        />
        <div className="flex justify-end gap-2">
          {changes ? (
            <>
              <Button
                onClick={() => {
                  preview.reset()
                  apply.reset()
                }}
              >
                Change the file
              </Button>
              <Button
                look={changes.removed.length > 0 ? 'danger' : 'primary'}
                busy={apply.isPending}
                disabled={changed === 0}
                onClick={() => apply.mutate({ domain, zone, skip })}
              >
                {changed === 0 ? 'Nothing to change' : `Apply ${count(changed, 'change')}`}
              </Button>
            </>
          ) : (
            <>
              <Button onClick={onClose}>Cancel</Button>
              <Button
                look="primary"
                busy={preview.isPending}
                disabled={zone.trim() === ''}
                title={zone.trim() === '' ? 'Choose or paste a zone file' : undefined}
                onClick={() => show(false)}
              >
                Preview
              </Button>
            </>
          )}
        </div>
      </div>
    </Dialog>
  )
}
