'use client'
/** The keys that work on a page. */
import type { Route } from '@/lib/route'
import { Dialog } from '@/ui/dialog'
import { useTabs } from './tab-list'

const everywhere = [
  { keys: '⌘ K or Ctrl K', what: 'Search and go anywhere' },
  { keys: '/', what: 'Search on this page' },
  { keys: '?', what: 'This list' },
]

export function ShortcutList({ route, onClose }: { route: Route; onClose: () => void }) {
  const pages = useTabs(route).map(({ key, label }) => ({ keys: `g ${key}`, what: label }))
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-2">
        {[...everywhere, ...pages].map(({ keys, what }) => (
          <div key={keys} className="contents">
            <dt>
              <kbd className="rounded border border-line bg-sunken px-1.5 py-0.5 font-mono text-xs">
                {keys}
              </kbd>
            </dt>
            <dd>{what}</dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
