'use client'
/** Tabs within a page. */
import { classNames } from '@/lib/class-names'

/** Where colours are forced, a ground of one's own is gone. */
const chosenLook =
  'bg-sunken font-medium text-text forced-colors:forced-color-adjust-none ' +
  'forced-colors:bg-[Highlight] forced-colors:text-[HighlightText]'

type SubTabsProps = {
  label: string
  tabs: { id: string; label: string }[]
  chosen: string
  onChoose: (id: string) => void
}

export function SubTabs({ label, tabs, chosen, onChoose }: SubTabsProps) {
  return (
    <nav aria-label={label} className="mb-4 flex gap-1 overflow-x-auto">
      {tabs.map(({ id, label: text }) => (
        <button
          key={id}
          type="button"
          aria-current={id === chosen ? 'true' : undefined}
          onClick={() => onChoose(id)}
          className={classNames(
            'rounded-md px-3 py-1 whitespace-nowrap',
            id === chosen ? chosenLook : 'text-dim hover:bg-sunken',
          )}
        >
          {text}
        </button>
      ))}
    </nav>
  )
}
