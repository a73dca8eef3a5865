/** Says that the page takes a folder or a zip. */
import type { Chosen } from './chosen'
import { PickButtons } from './pick-buttons'

export function DropFrame({ onChosen }: { onChosen: (chosen: Chosen) => void }) {
  return (
    <div
      className={
        'grid content-center justify-items-center ' +
        'rounded-lg border border-line-strong border-dashed bg-surface px-6 py-8 text-center'
      }
    >
      <p className="font-medium">Drop the folder of a site here, or a zip of it</p>
      <p className="mt-1 mb-4 text-dim">
        The one with <code className="font-mono">index.html</code>, such as{' '}
        <code className="font-mono">dist</code>: it is served as it is.
      </p>
      <PickButtons onChosen={onChosen} compact={false} />
    </div>
  )
}
