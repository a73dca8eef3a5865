// A plain object, since only `tools` installs `drizzle-kit`, whose `defineConfig` adds nothing but a type.
// biome-ignore lint/style/noDefaultExport: drizzle-kit reads the default export of this file.
export default {
  dialect: 'postgresql',
  schema: './src/stores/db/schema/*.ts',
  out: './drizzle',
}
