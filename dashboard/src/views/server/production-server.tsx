/** The server that visitors of a project get now. */
import type { ReactNode } from 'react'
import type { Outputs } from '@/lib/api'
import { duration, size } from '@/lib/format'
import { useNow } from '@/lib/now'
import { visibleLine } from '@/lib/visible'
import { Card } from '@/ui/card'
import { ServerState } from './state'

type Deployed = NonNullable<Outputs['deployments']['get']['server']>

type ProductionServerProps = {
  server: Deployed
  /** The processes of the project. */
  running: Outputs['ps']['list']['data']
  runtime: Outputs['projects']['get']['runtime']
}

export function ProductionServer({ server, running, runtime }: ProductionServerProps) {
  const now = useNow()
  const own = running.filter(({ live, target }) => live && target === 'production')
  const best = own.filter(({ state }) => state === server.state)
  const sinceMs = best.length > 0 ? Math.min(...best.map(({ since_ms }) => since_ms)) : undefined
  const { state, command, node, memory_bytes: memory, restarts } = server
  return (
    <Card className="mb-8">
      <h2 className="mb-3 text-dim">Production</h2>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-3 sm:grid-cols-4">
        <Fact label="State">
          <ServerState state={state} />
          {state === 'stopped' && runtime.min === 0 && (
            <span className="ml-2 text-dim">until a request comes</span>
          )}
        </Fact>
        <Fact label="For">{sinceMs === undefined ? '–' : duration(now - sinceMs)}</Fact>
        <Fact label="Memory">
          {memory === null
            ? '–'
            : `${size(memory)} of ${size(runtime.memory_bytes * Math.max(1, own.length))}`}
        </Fact>
        <Fact label="Restarts">{restarts}</Fact>
        <Fact label="Command" wide>
          <code className="font-mono text-xs" title={visibleLine(command)}>
            {visibleLine(command)}
          </code>
        </Fact>
        <Fact label="Node.js">{visibleLine(node)}</Fact>
        <Fact label="Idle">
          {runtime.min > 0 ? 'runs on' : `stopped after ${Math.round(runtime.idle_s / 60)} min`}
        </Fact>
      </dl>
    </Card>
  )
}

function Fact({ label, wide = false, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={wide ? 'col-span-2 min-w-0' : 'min-w-0'}>
      <dt className="text-dim text-xs">{label}</dt>
      <dd className="truncate">{children}</dd>
    </div>
  )
}
