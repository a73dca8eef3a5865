'use client'
/** Chooses a range that ends now. */
import { classNames } from '@/lib/class-names'
import { ranges } from './use-range'

type RangeChoiceProps = { name: string | undefined; onChoose: (name: string) => void }

export function RangeChoice({ name, onChoose }: RangeChoiceProps) {
  return (
    <fieldset className="mb-4 flex flex-wrap gap-1">
      <legend className="sr-only">Range</legend>
      {Object.entries(ranges).map(([id, { label }]) => (
        <button
          key={id}
          type="button"
          aria-pressed={id === name}
          onClick={() => onChoose(id)}
          className={classNames(
            'rounded-md px-3 py-1',
            id === name ? 'bg-sunken font-medium' : 'text-dim hover:bg-sunken',
          )}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}
