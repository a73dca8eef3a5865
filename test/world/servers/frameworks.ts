/** Applications of frameworks that render on a server, as their starters make them, with a few files more. */
import type { Application } from './platform.ts'

export type FrameworkApplication = Application & {
  /** The path of a form that is posted to itself. */
  form: string
  /** Where the files are whose names have a hash. */
  assets: RegExp
  /** Files of the server that nobody gets. */
  hidden: string
}

const fields = (scripts: object, more: object = {}) => ({ private: true, scripts, ...more })

const svelteConfig = `import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
export default { plugins: [sveltekit({ adapter: adapter() })] }
`

/** A layout without fonts that the build would fetch. */
const nextLayout = `import './globals.css'
export default function RootLayout({ children }: { children: React.ReactNode }) {
  return (
    <html lang="en">
      <body>{children}</body>
    </html>
  )
}
`

export const frameworkApplications: FrameworkApplication[] = [
  {
    name: 'next',
    create: [
      'create-next-app@16',
      '.',
      ...['--ts', '--app', '--no-linter', '--no-tailwind', '--no-src-dir', '--no-react-compiler'],
      ...['--import-alias', '@/*', '--use-npm', '--skip-install', '--disable-git', '--yes'],
    ],
    packages: [],
    files: {
      'app/layout.tsx': nextLayout,
      'app/page.tsx': 'export default function Page() { return <h1>Made by next</h1> }\n',
      'app/form/route.ts': `export async function POST(request: Request) {
  const name = (await request.formData()).get('name')
  return new Response('hello ' + name, { headers: { 'set-cookie': 'name=' + name } })
}
`,
      'app/api/length/route.ts': `export async function POST(request: Request) {
  return Response.json({ length: (await request.arrayBuffer()).byteLength })
}
`,
    },
    form: '/form',
    assets: /\/_next\/static\/[^"\\]+\.(?:js|css)/,
    hidden: '/.next/server/app/page.js',
  },
  {
    name: 'nuxt',
    packages: ['nuxt@3', 'vue@3', 'vue-router@4'],
    manifest: fields({ build: 'nuxt build', generate: 'nuxt generate', dev: 'nuxt dev' }, { type: 'module' }),
    files: {
      'nuxt.config.ts':
        "export default defineNuxtConfig({ compatibilityDate: '2025-07-15', telemetry: false })\n",
      'app.vue': '<template><h1>Made by nuxt</h1></template>\n',
      'server/routes/form.post.ts': `export default defineEventHandler(async (event) => {
  const { name } = await readBody(event)
  setCookie(event, 'name', name)
  return 'hello ' + name
})
`,
      'server/api/length.post.ts': `export default defineEventHandler(async (event) =>
  ({ length: (await readRawBody(event, false))?.length }))
`,
    },
    form: '/form',
    assets: /\/_nuxt\/[^"]+\.js/,
    hidden: '/server/index.mjs',
  },
  {
    name: 'nitro',
    packages: ['nitropack@2'],
    manifest: fields({ build: 'nitro build', dev: 'nitro dev' }),
    files: {
      'nitro.config.ts': "export default defineNitroConfig({ compatibilityDate: '2025-07-15' })\n",
      'public/_nuxt/entry.DiwrgTda.js': 'export {}\n',
      'routes/index.ts':
        "export default defineEventHandler(() => '<h1>Made by nitro</h1>" +
        '<script src="/_nuxt/entry.DiwrgTda.js"></script>\')\n',
      'routes/form.post.ts': `export default defineEventHandler(async (event) => {
  const { name } = await readBody(event)
  setCookie(event, 'name', name)
  return 'hello ' + name
})
`,
      'routes/api/length.post.ts': `export default defineEventHandler(async (event) =>
  ({ length: (await readRawBody(event, false))?.length }))
`,
    },
    form: '/form',
    assets: /\/_nuxt\/[^"]+\.js/,
    hidden: '/server/index.mjs',
  },
  {
    name: 'sveltekit',
    create: [
      ...['sv@0.17', 'create', '.', '--template', 'minimal', '--types', 'ts', '--no-add-ons'],
      ...['--no-install', '--no-download-check', '--no-dir-check'],
    ],
    packages: ['-D', '@sveltejs/adapter-node@5'],
    files: {
      'vite.config.ts': svelteConfig,
      'src/routes/+page.svelte': '<h1>Made by sveltekit</h1>\n',
      'src/routes/form/+page.svelte': '<script>export let form</script>\nhello {form?.name}\n',
      'src/routes/form/+page.server.ts': `export const actions = {
  default: async ({ request, cookies }) => {
    const name = String((await request.formData()).get('name'))
    cookies.set('name', name, { path: '/', secure: false })
    return { name }
  },
}
`,
      'src/routes/api/length/+server.ts': `import { json } from '@sveltejs/kit'
export const POST = async ({ request }) => json({ length: (await request.arrayBuffer()).byteLength })
`,
    },
    form: '/form',
    assets: /_app\/immutable\/[^"]+\.(?:js|css)/,
    hidden: '/index.js',
  },
  {
    name: 'astro',
    packages: ['astro@5', '@astrojs/node@9'],
    manifest: fields({ build: 'astro build', dev: 'astro dev' }, { type: 'module' }),
    files: {
      'astro.config.mjs': `import node from '@astrojs/node'
import { defineConfig } from 'astro/config'
export default defineConfig({
  output: 'server',
  adapter: node({ mode: 'standalone' }),
  vite: { build: { assetsInlineLimit: 0 } },
})
`,
      'src/pages/index.astro':
        '<html><head><style>h1 { color: teal }</style></head><body><h1>Made by astro</h1></body></html>\n',
      'src/pages/form.astro': `---
const name = Astro.request.method === 'POST' ? (await Astro.request.formData()).get('name') : ''
if (name) Astro.cookies.set('name', String(name))
---
<p>hello {name}</p>
`,
      'src/pages/api/length.js':
        'export const POST = async ({ request }) => ' +
        'Response.json({ length: (await request.arrayBuffer()).byteLength })\n',
    },
    form: '/form',
    assets: /\/_astro\/[^"]+\.(?:js|css)/,
    hidden: '/server/entry.mjs',
  },
  {
    name: 'react-router',
    packages: [
      ...['@react-router/node@7.9.4', '@react-router/serve@7.9.4', 'react-router@7.9.4'],
      '@react-router/dev@7.9.4',
      ...['isbot@5', 'react@19', 'react-dom@19', 'vite@7', 'typescript@5'],
    ],
    manifest: fields({ build: 'react-router build', dev: 'react-router dev' }, { type: 'module' }),
    files: {
      'vite.config.ts': `import { reactRouter } from '@react-router/dev/vite'
export default { plugins: [reactRouter()] }
`,
      'app/routes.ts': `import { index, route } from '@react-router/dev/routes'
export default [index('home.jsx'), route('form', 'form.jsx'), route('api/length', 'length.js')]
`,
      'app/root.jsx': `import { Links, Meta, Outlet, Scripts } from 'react-router'
export default function Root() {
  return <html><head><Meta /><Links /></head><body><Outlet /><Scripts /></body></html>
}
`,
      'app/home.jsx': 'export default function Home() { return <h1>Made by react-router</h1> }\n',
      'app/form.jsx': `import { data, useActionData } from 'react-router'
export async function action({ request }) {
  const name = (await request.formData()).get('name')
  return data({ name }, { headers: { 'set-cookie': 'name=' + name } })
}
export const headers = ({ actionHeaders }) => actionHeaders
export default function Form() { return <p>{'hello ' + useActionData()?.name}</p> }
`,
      'app/length.js':
        'export const action = async ({ request }) => ' +
        'Response.json({ length: (await request.arrayBuffer()).byteLength })\n',
    },
    form: '/form',
    assets: /\/assets\/[^"]+\.js/,
    hidden: '/build/server/index.js',
  },
]
