'use client'
/** Which events a webhook receives, by what they are about. */
import { useEffect, useRef } from 'react'
import type { EventType } from '../../../../src/lib/names/event-types.ts'
import { eventGroups } from './event-types'

type EventChoiceProps = { chosen: ReadonlySet<EventType>; onChange: (next: ReadonlySet<EventType>) => void }

export function EventChoice({ chosen, onChange }: EventChoiceProps) {
  const frame = useRef<HTMLFieldSetElement>(null)
  const isMissing = chosen.size === 0
  // The browser says it at the first box, as at a required field: boxes have no such attribute together.
  useEffect(() => {
    const first = frame.current?.querySelector('input')
    first?.setCustomValidity(isMissing ? 'Choose at least one type of events.' : '')
  }, [isMissing])
  function set(types: EventType[], isOn: boolean): void {
    const next = new Set(chosen)
    for (const type of types) {
      if (isOn) next.add(type)
      else next.delete(type)
    }
    onChange(next)
  }
  return (
    <fieldset ref={frame}>
      <legend className="mb-1 font-medium">Types of events</legend>
      <div className="grid max-h-56 gap-2 overflow-y-auto rounded-md border border-line p-2">
        {[...eventGroups].map(([group, types]) => (
          <div key={group}>
            <Check
              label={`All of ${group}`}
              checked={types.every((type) => chosen.has(type))}
              onChange={(isOn) => set(types, isOn)}
            />
            <div className="grid gap-x-4 pl-6 sm:grid-cols-2">
              {types.map((type) => (
                <Check
                  key={type}
                  label={type}
                  checked={chosen.has(type)}
                  onChange={(isOn) => set([type], isOn)}
                />
              ))}
            </div>
          </div>
        ))}
      </div>
    </fieldset>
  )
}

type CheckProps = { label: string; checked: boolean; onChange: (isOn: boolean) => void }

function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label className="flex items-center gap-2 py-0.5">
      <input
        type="checkbox"
        checked={checked}
        onChange={(event) => onChange(event.target.checked)}
        className="size-4 accent-accent"
      />
      <span className="truncate">{label}</span>
    </label>
  )
}
