'use client'
/** To which projects a member, or a key, is limited. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTRPC } from '@/lib/api'
import { byCursor } from '@/lib/pages'
import { Switch } from '@/ui/field'
import { SearchField } from '@/ui/search-field'

type ProjectChoiceProps = {
  /** The ids of the projects; null for all of them, also of those that are made later. */
  chosen: readonly string[] | null
  onChange: (chosen: string[] | null) => void
}

export function ProjectChoice({ chosen, onChange }: ProjectChoiceProps) {
  return (
    <>
      <Switch
        label="All projects"
        hint={
          chosen === null
            ? 'And those that are made later.'
            : 'Only the chosen ones and what is theirs, without DNS, webhooks and other people.'
        }
        checked={chosen === null}
        onChange={(event) => onChange(event.target.checked ? null : [])}
      />
      {chosen !== null && <Choice chosen={chosen} onChange={onChange} />}
    </>
  )
}

type ChoiceProps = { chosen: readonly string[]; onChange: (chosen: string[]) => void }

function Choice({ chosen, onChange }: ChoiceProps) {
  const trpc = useTRPC()
  const [q, setQ] = useState('')
  const { data } = useInfiniteQuery(
    trpc.projects.list.infiniteQueryOptions(
      { limit: 100, ...(q !== '' && { q }) },
      { ...byCursor, placeholderData: (before) => before },
    ),
  )
  const set = (id: string, isOn: boolean) =>
    onChange(isOn ? [...chosen, id] : chosen.filter((each) => each !== id))
  return (
    <fieldset className="grid gap-2">
      <legend className="mb-1 font-medium">Projects ({chosen.length} chosen)</legend>
      <SearchField label="Search projects" value={q} onChange={setQ} />
      <div className="grid max-h-56 gap-1 overflow-y-auto rounded-md border border-line p-2">
        {data?.pages[0]?.data.map(({ id, name }) => (
          <label key={id} className="flex items-center gap-2 py-0.5">
            <input
              type="checkbox"
              checked={chosen.includes(id)}
              onChange={(event) => set(id, event.target.checked)}
              className="size-4 accent-accent"
            />
            <span className="truncate">{name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  )
}
