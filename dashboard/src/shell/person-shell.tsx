'use client'
/** The frame of a page of the person, which belongs to no team. */
import type { ReactNode } from 'react'
import { ApiProvider } from '@/lib/api'
import { useMounted } from '@/lib/route'
import { Toasts } from '@/ui/toasts'
import { Frame } from './frame'
import { UserMenu } from './user-menu'

export function PersonShell({ title, children }: { title: string; children: ReactNode }) {
  const isMounted = useMounted()
  const breadcrumb = <span className="px-1 font-medium">{title}</span>
  if (!isMounted) {
    return (
      <>
        <title>{`${title} · svc`}</title>
        <Frame breadcrumb={breadcrumb} tabs={null} />
      </>
    )
  }
  return (
    <ApiProvider team={undefined}>
      <Toasts>
        <Frame breadcrumb={breadcrumb} tools={<UserMenu />} tabs={null}>
          {children}
        </Frame>
      </Toasts>
    </ApiProvider>
  )
}
