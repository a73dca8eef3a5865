'use client'
/** The facts people come for: where a deployment is, what it was made of, by whom, and how it was built. */
import Link from 'next/link'
import type { ReactNode } from 'react'
import { classNames } from '@/lib/class-names'
import { count, duration, size } from '@/lib/format'
import { useNow } from '@/lib/now'
import { deploymentPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { visibleLine } from '@/lib/visible'
import { Card } from '@/ui/card'
import { Copyable } from '@/ui/copy'
import { Time } from '@/ui/time'
import { forgeLinks } from '../../../../src/lib/forge-links.ts'
import { addressOf, authorOf, buildMs, contentOf, type DeploymentRecord, wayOf } from '../deployments/about'

export function Summary({ deployment }: { deployment: DeploymentRecord }) {
  const { target, live, created_ms, created_by_name, created_by, files, bytes } = deployment
  return (
    <Card className="mb-6">
      <dl
        className={
          'grid grid-cols-2 gap-x-8 gap-y-3 ' + 'lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]'
        }
      >
        <Fact label="Address" wide>
          <Copyable text={addressOf(deployment)} label="Copy the address" />
        </Fact>
        <Fact label="Target">
          {target === 'production' ? 'Production' : live ? 'Preview, promoted' : 'Preview'}
        </Fact>
        <Fact label="Made">
          <Time ms={created_ms} /> {created_by_name ? authorOf(deployment) : `by ${created_by}`}
        </Fact>
        <Fact label="Source" wide>
          <Origin deployment={deployment} />
          <Content deployment={deployment} />
        </Fact>
        <Fact label="Files">
          {count(files, 'file')}, {size(bytes)}
        </Fact>
        <Fact label="Build">
          <Build deployment={deployment} />
        </Fact>
      </dl>
    </Card>
  )
}

function Origin({ deployment }: { deployment: DeploymentRecord }) {
  const { team } = useRequiredRoute()
  const { redeploy_of: from, project, source } = deployment
  if (from === null) return wayOf(source)
  return (
    <>
      {source.kind === 'hook' && `${wayOf(source)}: `}The sources of{' '}
      <Link href={deploymentPath(team, project, from)} prefetch={false} className="hover:underline">
        {from}
      </Link>
    </>
  )
}

/** The content of a deployment, with links to the commit and the pull request where these are known. */
function Content({ deployment }: { deployment: DeploymentRecord }) {
  const content = contentOf(deployment)
  const { commit, pullRequest } = forgeLinks(deployment.meta)
  if (content === undefined) return null
  return (
    <>
      {': '}
      <code className="font-mono text-xs">
        {commit === undefined ? (
          visibleLine(content)
        ) : (
          <Elsewhere href={commit}>{visibleLine(content)}</Elsewhere>
        )}
      </code>
      {pullRequest !== undefined && (
        <>
          {', '}
          <Elsewhere href={pullRequest}>pull request {deployment.meta.pull_request}</Elsewhere>
        </>
      )}
    </>
  )
}

function Elsewhere({ href, children }: { href: string; children: ReactNode }) {
  return (
    <a href={href} rel="noreferrer" title={href} className="underline hover:no-underline">
      {children}
    </a>
  )
}

function Build({ deployment }: { deployment: DeploymentRecord }) {
  const now = useNow()
  const ms = buildMs(deployment, now)
  const { build_command, start } = deployment.build
  const command = build_command ?? start
  if (command === null) return 'None: served as sent'
  return (
    <>
      {build_command === null && 'Starts '}
      <code className="font-mono text-xs">{visibleLine(command)}</code>
      {ms !== undefined && ` in ${duration(ms)}`}
    </>
  )
}

type FactProps = { label: string; wide?: boolean; children: ReactNode }

function Fact({ label, wide = false, children }: FactProps) {
  return (
    <div className={classNames('min-w-0', wide && 'col-span-2 lg:col-span-1')}>
      <dt className="text-dim text-xs">{label}</dt>
      <dd className="truncate">{children}</dd>
    </div>
  )
}
