'use client'
/** Shows how to do what a page does with curl, with `svc`, and in TypeScript. */
import { lazy, Suspense, useState } from 'react'
import { Button } from './button'
import { Snippet } from './copy'
import { Icon } from './icons'

const LazyDialog = lazy(() => import('./dialog').then(({ Dialog }) => ({ default: Dialog })))

export type SameAsProps = {
  /** Such as `GET`, and a path below the API's address. */
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  path: string
  /** The JSON body. */
  body?: unknown
  /** The command, such as `svc deployments --project web`; undefined if there is none. */
  svc?: string | undefined
  /** The expression with the typed client, such as `await client.projects.list.query({})`. */
  typescript: string
}

/** The button "API" of a page. */
export function SameAs(props: SameAsProps) {
  const [isOpen, setOpen] = useState(false)
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
            <Snippets {...props} />
          </LazyDialog>
        </Suspense>
      )}
    </>
  )
}

function Snippets({ method, path, body, svc, typescript }: SameAsProps) {
  return (
    <div className="grid gap-4">
      <Titled title="curl" text={curl(method, path, body)} />
      {svc && <Titled title="svc" text={svc} />}
      <Titled
        title="TypeScript"
        text={`import { createClient } from '@svc-platform/client'

const client = createClient({ url: '${location.origin}', token: process.env.SVC_TOKEN })
${typescript}`}
      />
      <p className="text-dim">
        <a className="text-accent underline" href="/docs/reference">
          API reference
        </a>
      </p>
    </div>
  )
}

function Titled({ title, text }: { title: string; text: string }) {
  return (
    <div className="min-w-0">
      <h3 className="mb-1 font-medium">{title}</h3>
      <Snippet text={text} label={`Copy for ${title}`} />
    </div>
  )
}

function curl(method: string, path: string, body: unknown): string {
  const lines = [`curl ${method === 'GET' ? '' : `-X ${method} `}'${location.origin}${path}'`]
  lines.push(`  -H "Authorization: Bearer $SVC_TOKEN"`)
  if (body !== undefined) {
    lines.push(
      `  -H 'Content-Type: application/json'`,
      `  -d '${JSON.stringify(body).replaceAll("'", `'\\''`)}'`,
    )
  }
  return lines.join(' \\\n')
}
