'use client'
import Link from 'next/link'
import { duration } from '@/lib/format'
import { useNow } from '@/lib/now'
import { deploymentPath } from '@/lib/paths'
/** A deployment in a list. */
import { visibleLine } from '@/lib/visible'
import { visit } from '@/lib/visit'
import { Badge, StateBadge } from '@/ui/badge'
import { IconButton } from '@/ui/button'
import { Icon } from '@/ui/icons'
import { Menu, MenuItem, MenuLine } from '@/ui/menu'
import { Time } from '@/ui/time'
import { useToast } from '@/ui/toasts'
import { addressOf, buildMs, type DeploymentRecord, sourceOf, titleOf, wayOf } from './about'
import { useActions } from './use-actions'

type RowProps = { team: string; deployment: DeploymentRecord }

/** As high as `rowHeight` on a wide window. */
export function DeploymentRow({ team, deployment }: RowProps) {
  const { id, project, state, live, target, created_ms, created_by_name } = deployment
  const source = sourceOf(deployment)
  return (
    <div className="flex h-16 items-center gap-3 px-4">
      <div className="flex w-24 shrink-0 flex-col items-start gap-1 max-sm:w-auto">
        <StateBadge state={state} live={live} />
        {target === 'production' && (
          <span className="flex md:hidden">
            <Badge>Production</Badge>
          </span>
        )}
      </div>
      <div className="min-w-0 flex-1">
        <Link
          href={deploymentPath(team, project, id)}
          prefetch={false}
          className="block truncate font-medium hover:underline"
        >
          {titleOf(deployment)}
        </Link>
        <p className="truncate text-dim">
          {source ? <code className="font-mono text-xs">{source}</code> : wayOf(deployment.source)}
          {created_by_name && ` · ${visibleLine(created_by_name)}`}
        </p>
      </div>
      <div className="max-md:hidden">{target === 'production' && <Badge>Production</Badge>}</div>
      <div className="w-28 text-right text-dim max-sm:w-auto">
        <Time ms={created_ms} />
        <Duration deployment={deployment} />
      </div>
      <Actions deployment={deployment} />
    </div>
  )
}

function Duration({ deployment }: { deployment: DeploymentRecord }) {
  const now = useNow()
  const ms = buildMs(deployment, now)
  return ms === undefined ? null : <p className="tabular-nums">{duration(ms)}</p>
}

function Actions({ deployment }: { deployment: DeploymentRecord }) {
  const toast = useToast()
  const { actions, dialog } = useActions(deployment)
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`Actions for ${titleOf(deployment)}`} title="Actions">
            <Icon name="more" />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => visit(addressOf(deployment))}>Visit</MenuItem>
        <MenuItem
          onSelect={() => navigator.clipboard?.writeText(deployment.id).then(() => toast('Copied the id.'))}
        >
          Copy the id
        </MenuItem>
        <MenuLine />
        {actions.map(({ kind, label, danger, problem, start }) => (
          <MenuItem key={kind} onSelect={start} danger={danger} disabled={problem !== undefined}>
            {label}
          </MenuItem>
        ))}
      </Menu>
      {dialog}
    </>
  )
}
