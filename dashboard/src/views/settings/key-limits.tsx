/** The limits of a key, beside its role. */
import type { Outputs } from '@/lib/api'
import { useNow } from '@/lib/now'
import { visibleLine } from '@/lib/visible'
import { Badge } from '@/ui/badge'
import { Day } from '@/ui/time'

type KeyDetails = Outputs['tokens']['keyDetails']['data'][number]

/** As soon as the owners are told of it. */
const soonMs = 7 * 86_400_000

/** Projects whose names are shown. */
const named = 3

/** Nothing for a key without limits. */
export function KeyLimits({ details }: { details: KeyDetails | undefined }) {
  if (!details) return null
  const { expires_ms: endsMs, projects, read_only: isReadOnly, expired } = details
  return (
    <span className="flex flex-wrap items-center gap-1">
      {expired && <Badge tone="bad">Expired</Badge>}
      {isReadOnly && <Badge>Read only</Badge>}
      {projects && <Projects names={projects} />}
      {endsMs !== null && <End ms={endsMs} expired={expired} />}
    </span>
  )
}

function Projects({ names }: { names: string[] }) {
  const left = names.length - named
  const text = names.slice(0, named).map(visibleLine).join(', ')
  return (
    <span className="max-w-56 truncate" title={names.map(visibleLine).join(', ')}>
      {names.length === 0 ? 'No project' : text}
      {left > 0 && ` and ${left} more`}
    </span>
  )
}

function End({ ms, expired }: { ms: number; expired: boolean }) {
  const now = useNow()
  const isSoon = !expired && ms - now < soonMs
  return (
    <span className={isSoon ? 'text-warn' : 'text-dim'}>
      {expired ? 'since' : 'until'} <Day ms={ms} />
    </span>
  )
}
