'use client'
/** The end of a deployment from this page, which is ready. */
import { deploymentPath } from '@/lib/paths'
import { useRequiredRoute } from '@/lib/route'
import { LinkButton } from '@/ui/button'
import { Copyable } from '@/ui/copy'
import { Dialog } from '@/ui/dialog'
import { VisitLink } from '@/ui/visit-link'
import { WarningList } from '@/ui/warning-list'
import { warningText } from '../../../../src/lib/warning-text.ts'
import { addressOf } from '../deployments/about'
import type { Deployment } from './deploy-files'

export function Deployed({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const { team } = useRequiredRoute()
  const { id, project, live, target, warnings } = deployment
  const note = live
    ? 'It is live.'
    : target === 'production'
      ? 'It is ready. Promote it to make it live.'
      : 'The preview is ready.'
  return (
    <Dialog title="Deployed" note={note} onClose={onClose}>
      <div className="grid grid-cols-1 gap-4">
        <Copyable text={addressOf(deployment)} label="Copy the address" />
        <WarningList texts={warnings.map(warningText)} />
        <div className="flex flex-wrap justify-end gap-2">
          <LinkButton href={deploymentPath(team, project, id)} onClick={onClose}>
            Show the deployment
          </LinkButton>
          <VisitLink url={addressOf(deployment)} />
        </div>
      </div>
    </Dialog>
  )
}
