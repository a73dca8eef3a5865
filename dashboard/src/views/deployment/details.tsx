'use client'
/** All addresses, the metadata and the build settings of a deployment. */
import type { ReactNode } from 'react'
import { size } from '@/lib/format'
import { visibleLine } from '@/lib/visible'
import { Card } from '@/ui/card'
import { Copyable } from '@/ui/copy'
import { Time } from '@/ui/time'
import type { DeploymentRecord } from '../deployments/about'
import { ServerState } from '../server/state'

export function Details({ deployment }: { deployment: DeploymentRecord }) {
  const { id, url, aliases, meta, build, server, expires_ms } = deployment
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Facts title="Deployment">
        <Fact label="Id">
          <Copyable text={id} label="Copy the id" />
        </Fact>
        <Fact label="Its own address">
          <Copyable text={url} label="Copy the address" />
        </Fact>
        {aliases.map((alias) => (
          <Fact key={alias} label="Also at">
            <Copyable text={alias} label="Copy the address" />
          </Fact>
        ))}
        {expires_ms !== null && (
          <Fact label="Removed">
            <Time ms={expires_ms} />
          </Fact>
        )}
      </Facts>
      <div className="grid gap-4">
        {Object.keys(meta).length > 0 && (
          <Facts title="Metadata">
            {Object.entries(meta).map(([key, value]) => (
              <Fact key={key} label={key}>
                <Copyable text={value} label={`Copy ${key}`} />
              </Fact>
            ))}
          </Facts>
        )}
        {server !== null && (
          <Facts title="Server">
            <Fact label="State">
              <ServerState state={server.state} />
            </Fact>
            <Fact label="Command">
              <Copyable text={server.command} label="Copy the command" />
            </Fact>
            <Fact label="Node.js">{visibleLine(server.node)}</Fact>
            {server.memory_bytes !== null && <Fact label="Memory">{size(server.memory_bytes)}</Fact>}
            <Fact label="Restarts">{server.restarts}</Fact>
          </Facts>
        )}
        <Facts title="Build settings used">
          <Fact label="Install command">{build.install_command ?? 'none'}</Fact>
          <Fact label="Build command">
            {build.build_command ?? (build.start === null ? 'none: files are served as sent' : 'none')}
          </Fact>
          <Fact label="Output directory">{build.output_directory}</Fact>
          <Fact label="Root directory">{build.root_directory}</Fact>
          {build.start !== null && <Fact label="Start command">{build.start}</Fact>}
        </Facts>
      </div>
    </div>
  )
}

function Facts({ title, children }: { title: string; children: ReactNode }) {
  return (
    <Card>
      <h2 className="mb-3 font-semibold">{title}</h2>
      <dl className="grid gap-2">{children}</dl>
    </Card>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[8rem_1fr] items-center gap-2 max-sm:grid-cols-1 max-sm:gap-0">
      <dt className="truncate text-dim" title={label}>
        {label}
      </dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  )
}
