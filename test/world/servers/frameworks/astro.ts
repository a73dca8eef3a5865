/** Astro with its adapter for Node. */
import { type FrameworkApplication, fields, twoParts } from './framework.ts'

const page = `<html lang="en">
  <head><title>Astro</title><style>h1 { color: teal }</style></head>
  <body>
    <h1>Made by astro</h1>
    <button>clicked 0</button>
    <script>
      let count = 0
      const button = document.querySelector('button')
      button?.addEventListener('click', () => {
        count += 1
        button.textContent = 'clicked ' + count
      })
    </script>
  </body>
</html>
`

export const astro: FrameworkApplication = {
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
    'src/pages/index.astro': page,
    'src/pages/form.astro': `---
const name = Astro.request.method === 'POST' ? (await Astro.request.formData()).get('name') : ''
if (name) Astro.cookies.set('name', String(name))
---
<p>hello {name}</p>
`,
    'src/pages/api/facts.js':
      "export const GET = ({ request }) => Response.json({ host: request.headers.get('host') })\n",
    'src/pages/api/length.js':
      'export const POST = async ({ request }) => ' +
      'Response.json({ length: (await request.arrayBuffer()).byteLength })\n',
    'src/pages/api/stream.js': `export const GET = () => new Response(${twoParts})\n`,
    'src/pages/leave.js': "export const GET = ({ redirect }) => redirect('/', 307)\n",
  },
  form: '/form',
  assets: /\/_astro\/[^"]+\.(?:js|css)/,
  hidden: '/server/entry.mjs',
}
