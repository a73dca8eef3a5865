/** Warnings of what a person may not have meant to deploy. */
import { WarningList } from '@/ui/warning-list'
import type { Chosen } from './chosen'

type Props = {
  chosen: Chosen
  /** Whether the person is asked about them. */
  areSourcesKnown: boolean
}

export function Warnings({ chosen: { site }, areSourcesKnown }: Props) {
  if (!site) return null
  const { files, leftOut, isSources } = site
  const warnings = [
    ...(files.length === 0 ? ['There is no file to deploy.'] : []),
    ...(leftOut.length > 0 ? [`Not deployed: ${leftOut.join(', ')}.`] : []),
    ...(isSources && !areSourcesKnown
      ? [
          'These look like the sources of a site: package.json, but no index.html. ' +
            'Unless the project has a build command, choose the folder that the build makes, such as dist.',
        ]
      : []),
  ]
  return <WarningList texts={warnings} />
}
