/** The fields of a line; people and keys by their names, where they are known. */
import type { LogLine } from '@/lib/follow-logs'
import { visibleLine } from '@/lib/visible'
import { Copyable, CopyButton } from '@/ui/copy'

/** Which field has the name for the id in another. */
const names = new Map([
  ['actor', 'actor_name'],
  ['key', 'key_name'],
])
const beside = [...names.values()]

export function LineFields({ fields }: { fields: LogLine['fields'] }) {
  return Object.entries(fields).flatMap(([field, value]) => {
    if (beside.includes(field)) return []
    const name = fields[names.get(field) ?? '']
    const text = typeof value === 'string' ? value : JSON.stringify(value)
    return (
      <div key={field} className="contents">
        <dt className="text-dim">{field}</dt>
        <dd className="min-w-0 sm:col-span-2">
          {typeof name === 'string' ? (
            <Named name={name} id={text} label={`Copy the id of ${field}`} />
          ) : (
            <Copyable text={text} label={`Copy ${field}`} />
          )}
        </dd>
      </div>
    )
  })
}

/** The id can be copied, and is shown where the pointer rests. */
function Named({ name, id, label }: { name: string; id: string; label: string }) {
  return (
    <span className="inline-flex min-w-0 max-w-full items-center gap-1">
      <span className="truncate" title={id}>
        {visibleLine(name)}
      </span>
      <CopyButton text={id} label={label} />
    </span>
  )
}
