'use client'
/** Recovery codes, which are shown once. */
import { Button } from '@/ui/button'
import { Snippet } from '@/ui/copy'

export function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }) {
  return (
    <div className="grid max-w-md gap-3">
      <p>
        Keep these codes where you find them without your device: each signs you in once in its place. They
        are not shown again.
      </p>
      <Snippet text={codes.join('\n')} label="Copy the recovery codes" />
      <div>
        <Button look="primary" onClick={onDone}>
          I have stored them
        </Button>
      </div>
    </div>
  )
}
