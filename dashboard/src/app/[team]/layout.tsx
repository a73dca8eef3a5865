import type { ReactNode } from 'react'
import { TeamShell } from '@/shell/team-shell'

/** A placeholder: the server sends this page for every team. */
export const generateStaticParams = () => [{ team: '_' }]

export default function TeamLayout({ children }: { children: ReactNode }) {
  return <TeamShell>{children}</TeamShell>
}
