'use client'
/** Shows how to do what a page does with curl, with `svc`, and in TypeScript. */
import { lazy, Suspense, useState } from 'react'
import { Button } from './button'
import { Snippet } from './copy'
import { Icon } from './icons'
import { curlText, type SameCall, svcText, typescriptText } from './same-call'

const LazyDialog = lazy(() => import('./dialog').then(({ Dialog }) => ({ default: Dialog })))

type SameAsProps = SameCall & {
  /** Whether what the call names is known to exist: its name may come from the address alone. */
  isKnown: boolean
}

/** The button "API" of a page. */
export function SameAs({ isKnown, ...call }: SameAsProps) {
  const [isOpen, setOpen] = useState(false)
  if (!isKnown) return null
  return (
    <>
      <Button look="quiet" onClick={() => setOpen(true)}>
        <Icon name="code" /> API
      </Button>
      {isOpen && (
        <Suspense>
          <LazyDialog
            title="The same without the dashboard"
            note="Needs an API key: make one in Settings → API keys."
            onClose={() => setOpen(false)}
            wide
          >
            <Snippets call={call} />
          </LazyDialog>
        </Suspense>
      )}
    </>
  )
}

function Snippets({ call }: { call: SameCall }) {
  const { origin } = location
  return (
    <div className="grid gap-4">
      <Titled title="curl" text={curlText(call, origin)} />
      <Titled title="svc" text={svcText(call)} />
      <Titled title="TypeScript" text={typescriptText(call, origin)} />
      <p className="text-dim">
        <a className="text-accent underline" href="/docs/reference">
          API reference
        </a>
      </p>
    </div>
  )
}

function Titled({ title, text }: { title: string; text: string | undefined }) {
  if (text === undefined) return null
  return (
    <div className="min-w-0">
      <h3 className="mb-1 font-medium">{title}</h3>
      <Snippet text={text} label={`Copy for ${title}`} />
    </div>
  )
}
