/** What a person may not have meant to deploy. */
import { WarningList } from '@/ui/warning-list'
import type { Chosen } from './chosen'

export function Warnings({ chosen: { site } }: { chosen: Chosen }) {
  if (!site) return null
  const { files, leftOut, isSources } = site
  const warnings = [
    ...(files.length === 0 ? ['There is no file to deploy.'] : []),
    ...(leftOut.length > 0 ? [`Not deployed: ${leftOut.join(', ')}.`] : []),
    ...(isSources
      ? [
          'These look like the sources of a site: package.json, but no index.html. ' +
            'Unless the project has a build command, choose the folder that the build makes, such as dist.',
        ]
      : []),
  ]
  return <WarningList texts={warnings} />
}
