/** The page of a project without a server: how it gets one. */
import Link from 'next/link'
import { projectPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { Empty } from '@/ui/empty'

export function NoServer({ project }: { project: string }) {
  const { team } = useRequiredRoute()
  return (
    <Empty title="This project serves files alone">
      It gets a server with the next deployment that has one: the build of a framework with a server, or a
      command that starts one, in the{' '}
      <Link href={projectPath(team, project, 'settings')} prefetch={false} className="text-accent underline">
        settings
      </Link>{' '}
      or in <code className="font-mono">package.json</code>.{' '}
      <a href="/docs/servers" className="text-accent underline">
        About servers
      </a>
    </Empty>
  )
}
