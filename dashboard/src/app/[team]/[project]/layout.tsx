import type { ReactNode } from 'react'

/** A placeholder: the server sends this page for every project. */
export const generateStaticParams = () => [{ project: '_' }]

export default function ProjectLayout({ children }: { children: ReactNode }) {
  return children
}
