/** Warnings of what a person may not have meant to deploy. */
import { WarningList } from '@/ui/warning-list'
import type { Chosen } from './chosen'

export function Warnings({ chosen: { site } }: { chosen: Chosen }) {
  if (!site) return null
  const { files, leftOut } = site
  const warnings = [
    ...(files.length === 0 ? ['There is no file to deploy.'] : []),
    ...(leftOut.length > 0 ? [`Not deployed: ${leftOut.join(', ')}.`] : []),
  ]
  return <WarningList texts={warnings} />
}
