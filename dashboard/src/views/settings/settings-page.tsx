'use client'
/** A page of the team's settings, with links to the others. */
import Link from 'next/link'
import { usePathname } from 'next/navigation'
import type { ReactNode } from 'react'
import { classNames } from '@/lib/class-names'
import { teamPath } from '@/lib/paths'
import { useIsLimited } from '@/lib/role'
import { useRequiredRoute } from '@/lib/route'
import { Page } from '@/ui/page'

type SettingsPageProps = { title: string; actions?: ReactNode; children: ReactNode }

export function SettingsPage({ title, actions, children }: SettingsPageProps) {
  const { team } = useRequiredRoute()
  const path = usePathname()
  const isLimited = useIsLimited()
  const pages = [
    { label: 'General', href: teamPath(team, 'settings') },
    { label: 'API keys', href: teamPath(team, 'settings', 'keys') },
    ...(isLimited ? [] : [{ label: 'Members', href: teamPath(team, 'settings', 'members') }]),
  ]
  return (
    <div className="grid gap-x-10 gap-y-4 md:grid-cols-[10rem_1fr]">
      <nav aria-label="Settings" className="flex gap-1 max-md:overflow-x-auto md:flex-col">
        {pages.map(({ label, href }) => (
          <Link
            key={href}
            href={href}
            prefetch={false}
            aria-current={path === href ? 'page' : undefined}
            className={classNames(
              'whitespace-nowrap rounded-md px-3 py-1.5',
              path === href ? 'bg-sunken font-medium' : 'text-dim hover:bg-sunken',
            )}
          >
            {label}
          </Link>
        ))}
      </nav>
      <div className="min-w-0">
        <Page title={title} actions={actions}>
          {children}
        </Page>
      </div>
    </div>
  )
}
