'use client'
/** The lines that servers of a project print, as they come. */
import { useState } from 'react'
import { projectPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { LinkButton } from '@/ui/button'
import { Empty } from '@/ui/empty'
import { Problem } from '@/ui/problem'
import { SearchField } from '@/ui/search-field'
import { SkeletonRows } from '@/ui/skeleton'
import { LogLines } from '../deployment/log-lines'
import { useServerLog } from './use-server-log'

export function ServerLog({ project }: { project: string }) {
  const { team } = useRequiredRoute()
  const { lines, error } = useServerLog(project)
  const [search, setSearch] = useState('')
  return (
    <>
      <div className="mb-4 flex items-start gap-2">
        <SearchField label="Search the output" value={search} onChange={setSearch} />
        <LinkButton href={`${projectPath(team, project, 'logs')}?kind=runtime`} prefetch={false}>
          All lines
        </LinkButton>
      </div>
      {error !== null && <Problem error={error} title="The log could not be read" />}
      {lines === undefined && error === null && <SkeletonRows rows={3} />}
      {lines?.length === 0 && (
        <Empty title="Nothing was printed">Lines appear a second after they came.</Empty>
      )}
      {lines !== undefined && lines.length > 0 && (
        <LogLines lines={lines} search={search} label="Output of servers" />
      )}
    </>
  )
}
