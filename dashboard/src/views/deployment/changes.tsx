'use client'
/** The differences between a deployment and the one that is live. */
import { useInfiniteQuery } from '@tanstack/react-query'
import { useTRPC } from '@/lib/api'
import { count, size } from '@/lib/format'
import { byCursor } from '@/lib/pages'
import { Badge, type Tone } from '@/ui/badge'
import { Empty } from '@/ui/empty'
import { Pages } from '@/ui/loaded'
import { WindowList } from '@/ui/window-list'
import type { DeploymentRecord } from '../deployments/about'

const rowHeight = 40
const pageSize = 100
const tones: Record<string, Tone> = { added: 'good', removed: 'bad', changed: 'warn' }

type Counts = { added: number; changed: number; removed: number }

const countsOf = ({ added, changed, removed }: Counts) => [
  `${count(added, 'file')} added`,
  `${count(changed, 'file')} changed`,
  `${count(removed, 'file')} removed`,
]

export function Changes({ deployment: { id, live } }: { deployment: DeploymentRecord }) {
  const trpc = useTRPC()
  const changes = useInfiniteQuery(
    trpc.deployments.compare.infiniteQueryOptions(
      { deployment: id, limit: pageSize },
      { ...byCursor, enabled: !live },
    ),
  )
  const [first] = changes.data?.pages ?? []
  if (live) return <Empty title="This deployment is the live one" />
  if (first?.with === null) return <Empty title="Nothing is live to compare with" />
  return (
    <>
      {first && <p className="mb-3 text-dim">Beside what is live: {countsOf(first).join(', ')}.</p>}
      <Pages query={changes} empty={<Empty title="The same files as what is live" />}>
        {(items) => (
          <WindowList label="Changes" items={items} rowHeight={rowHeight} keyOf={({ path }) => path}>
            {({ path, change, size: bytes, size_before }) => (
              <div className="flex h-10 items-center gap-4 px-4">
                <span className="w-20">
                  <Badge tone={tones[change] ?? 'neutral'}>{change}</Badge>
                </span>
                <span className="min-w-0 flex-1 truncate font-mono text-xs">{path}</span>
                <span className="text-right text-dim tabular-nums">
                  {[size_before, bytes].flatMap((each) => (each === null ? [] : size(each))).join(' → ')}
                </span>
              </div>
            )}
          </WindowList>
        )}
      </Pages>
    </>
  )
}
