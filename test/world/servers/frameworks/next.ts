/** Next.js, as create-next-app leaves it. */
import { type FrameworkApplication, twoParts } from './framework.ts'

/** A layout without fonts that the build would fetch. */
const layout = `import './globals.css'
export default function RootLayout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
`

const counter = `'use client'
import { useState } from 'react'
export function Counter() {
  const [count, setCount] = useState(0)
  return <button onClick={() => setCount(count + 1)}>clicked {count}</button>
}
`

const page = `import { Counter } from './counter'
export default function Page() {
  return <main><h1>Made by next</h1><Counter /></main>
}
`

/** A form that works without scripts, too. */
const action = `import { cookies } from 'next/headers'
import { Suspense } from 'react'
async function save(form: FormData) {
  'use server'
  const jar = await cookies()
  jar.set('name', String(form.get('name')))
}
async function Greeting() {
  return <p>hello {(await cookies()).get('name')?.value}</p>
}
export default function Page() {
  return (
    <form action={save}>
      <Suspense><Greeting /></Suspense>
      <input name="name" /><button>Save</button>
    </form>
  )
}
`

/** The starter turns on Cache Components, with which a page is renewed by its cache. */
const renewed = `import { cacheLife } from 'next/cache'
export default async function Page() {
  'use cache'
  cacheLife({ revalidate: 1, expire: 3600 })
  return <p>made at {Date.now()}</p>
}
`

const proxy = `import { NextResponse } from 'next/server'
export function proxy() {
  const response = NextResponse.next()
  response.headers.set('x-proxied', 'yes')
  return response
}
export const config = { matcher: '/' }
`

/** A picture of one pixel. */
const dot = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

export const next: FrameworkApplication = {
  name: 'next',
  create: [
    'create-next-app@16',
    '.',
    ...['--ts', '--app', '--no-linter', '--no-tailwind', '--no-src-dir', '--no-react-compiler'],
    ...['--import-alias', '@/*', '--use-npm', '--skip-install', '--disable-git', '--yes'],
  ],
  files: {
    'app/layout.tsx': layout,
    'app/page.tsx': page,
    'app/counter.tsx': counter,
    'app/action/page.tsx': action,
    'app/renewed/page.tsx': renewed,
    'proxy.ts': proxy,
    'public/dot.png': Buffer.from(dot, 'base64'),
    'app/form/route.ts': `export async function POST(request: Request) {
  const name = (await request.formData()).get('name')
  return new Response('hello ' + name, { headers: { 'set-cookie': 'name=' + name } })
}
`,
    'app/api/facts/route.ts': `export async function GET(request: Request) {
  return Response.json({ host: request.headers.get('host') })
}
`,
    'app/api/length/route.ts': `export async function POST(request: Request) {
  return Response.json({ length: (await request.arrayBuffer()).byteLength })
}
`,
    'app/api/stream/route.ts': `import { connection } from 'next/server'
export async function GET() {
  await connection()
  return new Response(${twoParts})
}
`,
    'app/leave/route.ts': `import { redirect } from 'next/navigation'
import { connection } from 'next/server'
export async function GET() {
  await connection()
  redirect('/')
}
`,
  },
  form: '/form',
  assets: /\/_next\/static\/[^"\\]+\.(?:js|css)/,
  hidden: '/.next/server/app/page.js',
}

/** The same, with its output in another directory. */
export const nextElsewhere: FrameworkApplication = {
  ...next,
  files: {
    ...next.files,
    'next.config.ts': "export default { cacheComponents: true, distDir: 'made' }\n",
  },
  hidden: '/made/server/app/page.js',
}
