/** Nuxt, and Nitro by itself, with which it builds its server. */
import { type FrameworkApplication, fields, twoParts } from './framework.ts'

const routes = (folder: string): Record<string, string> => ({
  [`${folder}/form.post.ts`]: `export default defineEventHandler(async (event) => {
  const { name } = await readBody(event)
  setCookie(event, 'name', name)
  return 'hello ' + name
})
`,
  [`${folder}/api/facts.get.ts`]:
    "export default defineEventHandler((event) => ({ host: getRequestHeader(event, 'host') }))\n",
  [`${folder}/api/length.post.ts`]: `export default defineEventHandler(async (event) =>
  ({ length: (await readRawBody(event, false))?.length }))
`,
  [`${folder}/api/stream.get.ts`]: `export default defineEventHandler(() => ${twoParts})\n`,
  [`${folder}/leave.get.ts`]: "export default defineEventHandler((event) => sendRedirect(event, '/'))\n",
})

const common = { form: '/form', assets: /\/_nuxt\/[^"]+\.js/, hidden: '/server/index.mjs' }

export const nuxt: FrameworkApplication = {
  ...common,
  name: 'nuxt',
  packages: ['nuxt@3', 'vue@3', 'vue-router@4'],
  manifest: fields({ build: 'nuxt build', generate: 'nuxt generate', dev: 'nuxt dev' }, { type: 'module' }),
  files: {
    'nuxt.config.ts':
      "export default defineNuxtConfig({ compatibilityDate: '2025-07-15', telemetry: false })\n",
    'app.vue': `<script setup>const count = ref(0)</script>
<template><main><h1>Made by nuxt</h1><button @click="count++">clicked {{ count }}</button></main></template>
`,
    ...routes('server/routes'),
  },
}

export const nitro: FrameworkApplication = {
  ...common,
  name: 'nitro',
  isPlain: true,
  packages: ['nitropack@2'],
  manifest: fields({ build: 'nitro build', dev: 'nitro dev' }),
  files: {
    'nitro.config.ts': "export default defineNitroConfig({ compatibilityDate: '2025-07-15' })\n",
    'public/_nuxt/entry.DiwrgTda.js': 'export {}\n',
    'routes/index.ts':
      "export default defineEventHandler(() => '<h1>Made by nitro</h1>" +
      '<script src="/_nuxt/entry.DiwrgTda.js"></script>\')\n',
    ...routes('routes'),
  },
}
