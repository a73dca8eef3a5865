/** Warnings of what a person may not have meant to deploy. */
import { WarningList } from '@/ui/warning-list'
import type { Chosen } from './chosen'

/** A disk that macOS wrote to may have an AppleDouble file for each other one. */
const maxNamed = 10

export function Warnings({ chosen: { site } }: { chosen: Chosen }) {
  if (!site) return null
  const { files, leftOut } = site
  const warnings = [
    ...(files.length === 0 ? ['There is no file to deploy.'] : []),
    ...(leftOut.length > 0 ? [`Not deployed: ${firstOf(leftOut)}.`] : []),
  ]
  return <WarningList texts={warnings} />
}

function firstOf(names: string[]): string {
  const more = names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''
  return names.slice(0, maxNamed).join(', ') + more
}
