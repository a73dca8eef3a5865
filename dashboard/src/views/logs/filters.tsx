'use client'
/** The filters of the log. */
import { useQuery } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { useRequiredRoute } from '@/lib/route'
import type { UrlState } from '@/lib/url-state'
import { Button } from '@/ui/button'
import { Icon } from '@/ui/icons'
import { SearchField } from '@/ui/search-field'
import { kinds, levels, ranges } from './use-log-query'

export function Filters({ url: { get, set } }: { url: UrlState }) {
  const { project } = useRequiredRoute()
  const deployment = get('deployment')
  return (
    <div className="mb-4 flex flex-wrap gap-2">
      <SearchField label="Search messages" value={get('q')} onChange={(q) => set({ q })} />
      <Choice
        label="Kind"
        value={get('kind')}
        options={[['', 'All kinds'], ...kinds.map((kind): Option => [kind, kind])]}
        onChange={(kind) => set({ kind })}
      />
      <Choice
        label="Level"
        value={get('level')}
        options={[['', 'All levels'], ...levels.map((level): Option => [level, level])]}
        onChange={(level) => set({ level })}
      />
      {project === undefined && (
        <Projects value={get('project')} onChange={(name) => set({ project: name })} />
      )}
      <Choice
        label="Time"
        value={get('range')}
        options={[['', 'Any time'], ...Object.entries(ranges).map(([id, { label }]): Option => [id, label])]}
        onChange={(range) => set({ range })}
      />
      {deployment !== '' && (
        <Button look="quiet" onClick={() => set({ deployment: '' })} title={deployment}>
          {deployment.slice(0, 12)}… <Icon name="close" />
        </Button>
      )}
    </div>
  )
}

type Option = readonly [value: string, label: string]
type ChoiceProps = { label: string; value: string; options: Option[]; onChange: (value: string) => void }

function Choice({ label, value, options, onChange }: ChoiceProps) {
  return (
    <select
      aria-label={label}
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="h-8 max-w-48 rounded-md border border-line-strong bg-surface px-2"
    >
      {options.map(([id, text]) => (
        <option key={id} value={id}>
          {text}
        </option>
      ))}
    </select>
  )
}

function Projects({ value, onChange }: { value: string; onChange: (name: string) => void }) {
  const trpc = useTRPC()
  const { data } = useQuery(trpc.projects.list.queryOptions({ limit: 100 }))
  const names = data?.data.map(({ name }) => name) ?? []
  const all = value === '' || names.includes(value) ? names : [value, ...names]
  return (
    <Choice
      label="Project"
      value={value}
      options={[['', 'All projects'], ...all.map((name): Option => [name, name])]}
      onChange={onChange}
    />
  )
}
