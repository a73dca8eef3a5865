/** How far a deployment from this page is. */
import { size } from '@/lib/format'
import type { Progress } from './deploy-files'

const words = { reading: 'Reading the files', sending: 'Uploading' }

export function ProgressBar({ progress, last }: { progress: Progress | undefined; last: string }) {
  const isSent = progress?.step === 'sending' && progress.doneBytes >= progress.totalBytes
  const label = !progress ? 'Starting' : isSent ? last : words[progress.step]
  const { doneBytes = 0, totalBytes = 0 } = progress ?? {}
  return (
    <div>
      <div className="mb-1 flex justify-between gap-4">
        <span role="status">{label}</span>
        {totalBytes > 0 && (
          <span className="text-dim tabular-nums">
            {size(doneBytes)} of {size(totalBytes)}
          </span>
        )}
      </div>
      <progress
        aria-label="Progress"
        className="h-2 w-full overflow-hidden rounded-full accent-accent"
        max={Math.max(1, totalBytes)}
        value={totalBytes > 0 ? doneBytes : undefined}
      />
    </div>
  )
}
