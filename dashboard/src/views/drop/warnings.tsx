/** What a person may not have meant to deploy. */
import { Icon } from '@/ui/icons'
import type { Chosen } from './chosen'

export function Warnings({ chosen: { site } }: { chosen: Chosen }) {
  if (!site) return null
  const { files, leftOut, isSources } = site
  const warnings = [
    ...(files.length === 0 ? ['There is no file to deploy.'] : []),
    ...leftOutWarnings(leftOut),
    ...(isSources
      ? [
          'These look like the sources of a site: package.json, but no index.html. Unless the project has a build command, choose the folder that the build makes, such as dist.',
        ]
      : []),
  ]
  return <WarningList texts={warnings} />
}

/** About paths that are never deployed and were found. */
export function leftOutWarnings(paths: string[]): string[] {
  return paths.length > 0 ? [`Not deployed: ${paths.join(', ')}.`] : []
}

export function WarningList({ texts }: { texts: string[] }) {
  if (texts.length === 0) return null
  return (
    <ul className="grid gap-2">
      {texts.map((text) => (
        <li key={text} className="flex gap-2 rounded-md bg-warn-soft px-3 py-2">
          <Icon name="alert" className="mt-0.5 text-warn" />
          <span>{text}</span>
        </li>
      ))}
    </ul>
  )
}
