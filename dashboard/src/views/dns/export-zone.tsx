'use client'
/** The zone as a file for other name servers. */
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { download } from '@/lib/download'
import { count } from '@/lib/format'
import { Button } from '@/ui/button'
import { CopyButton } from '@/ui/copy'
import { Dialog } from '@/ui/dialog'
import { Icon } from '@/ui/icons'
import { Loaded } from '@/ui/loaded'

const shownLines = 200

export function ExportZone({ domain, onClose }: { domain: string; onClose: () => void }) {
  const trpc = useTRPC()
  const zone = useQuery(trpc.dns.exportZone.queryOptions({ domain }, { staleTime: 0, gcTime: 0 }))
  return (
    <Dialog
      title="Export the zone"
      note="A zone file that BIND, Knot and NSD load, and that an import here reads back."
      onClose={onClose}
      wide
    >
      <Loaded query={zone}>
        {(file) => (
          <>
            <div className="mb-3 flex items-center justify-between gap-2">
              <Button look="primary" onClick={() => download(`${file.domain}.zone`, file.zone)}>
                <Icon name="download" /> Download {file.domain}.zone
              </Button>
              <CopyButton text={file.zone} label="Copy the zone file" />
            </div>
            <ZoneText text={file.zone} />
          </>
        )}
      </Loaded>
    </Dialog>
  )
}

function ZoneText({ text }: { text: string }) {
  const lines = text.trimEnd().split('\n')
  const others = lines.length - shownLines
  return (
    <>
      <pre
        tabIndex={0}
        className="max-h-[45vh] overflow-auto rounded-md border border-line bg-sunken p-3 font-mono text-xs"
      >
        {lines.slice(0, shownLines).join('\n')}
      </pre>
      {others > 0 && (
        <p className="mt-1 text-dim">{count(others, 'more line')} in what is downloaded or copied.</p>
      )}
    </>
  )
}
