'use client'
/** The commands of the newest deployment of a project, whether they are settings or follow from its files. */
import { useQuery } from '@tanstack/react-query'
import Link from 'next/link'
import { useTRPC } from '@/lib/api'
import { deploymentPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { visibleLine } from '@/lib/visible'
import { needsWorker } from '../../../../src/lib/needs-worker.ts'

export function LastBuild({ project }: { project: string }) {
  const { team } = useRequiredRoute()
  const trpc = useTRPC()
  const { data } = useQuery(trpc.deployments.list.queryOptions({ project, limit: 1 }))
  const newest = data?.data[0]
  if (!newest) return null
  const { install_command, build_command, output_directory, start } = newest.build
  const commands = [install_command, build_command].filter((each) => each !== null).join(', ')
  return (
    <p className="wrap-anywhere text-dim">
      <Link href={deploymentPath(team, project, newest.id)} className="underline">
        The last deployment
      </Link>{' '}
      {needsWorker(newest.build)
        ? `used ${visibleLine(commands || 'no build')} → ${visibleLine(start ?? output_directory)}.`
        : 'was served as it was sent.'}
    </p>
  )
}
