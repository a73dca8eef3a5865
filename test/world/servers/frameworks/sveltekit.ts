/** SvelteKit, as `sv create` leaves it, with its adapter for Node. */
import { type FrameworkApplication, twoParts } from './framework.ts'

const config = `import adapter from '@sveltejs/adapter-node'
import { sveltekit } from '@sveltejs/kit/vite'
export default { plugins: [sveltekit({ adapter: adapter() })] }
`

export const sveltekit: FrameworkApplication = {
  name: 'sveltekit',
  create: [
    ...['sv@0.17', 'create', '.', '--template', 'minimal', '--types', 'ts', '--no-add-ons'],
    ...['--no-install', '--no-download-check', '--no-dir-check'],
  ],
  devPackages: ['@sveltejs/adapter-node@5'],
  files: {
    'vite.config.ts': config,
    'src/routes/+page.svelte': `<script>let count = $state(0)</script>
<h1>Made by sveltekit</h1>
<button onclick={() => count++}>clicked {count}</button>
`,
    'src/routes/form/+page.svelte': '<script>export let form</script>\nhello {form?.name}\n',
    'src/routes/form/+page.server.ts': `export const actions = {
  default: async ({ request, cookies }) => {
    const name = String((await request.formData()).get('name'))
    cookies.set('name', name, { path: '/', secure: false })
    return { name }
  },
}
`,
    'src/routes/api/facts/+server.ts': `import { json } from '@sveltejs/kit'
export const GET = ({ url }) => json({ host: url.host })
`,
    'src/routes/api/length/+server.ts': `import { json } from '@sveltejs/kit'
export const POST = async ({ request }) => json({ length: (await request.arrayBuffer()).byteLength })
`,
    'src/routes/api/stream/+server.ts': `export const GET = () => new Response(${twoParts})\n`,
    'src/routes/leave/+server.ts': `import { redirect } from '@sveltejs/kit'
export const GET = () => redirect(303, '/')
`,
  },
  form: '/form',
  assets: /_app\/immutable\/[^"]+\.(?:js|css)/,
  hidden: '/index.js',
}
