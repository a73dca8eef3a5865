/**
 * The manifests of deploy/kubernetes are valid by the schemas of Kubernetes, without a field that it doesn't
 * know.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import ts from 'typescript'
import { expect, it } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { z } from 'zod'

const root = 'deploy/kubernetes'
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
  name.endsWith('.yaml'),
)
const kustomizations = files.filter((name) => name.endsWith('kustomization.yaml'))
const manifestFiles = files.filter((name) => !kustomizations.includes(name))

const manifestSchema = z.looseObject({
  apiVersion: z.string(),
  kind: z.string(),
  metadata: z.looseObject({ name: z.string() }),
})
type Manifest = z.infer<typeof manifestSchema> & { file: string }

const manifests: Manifest[] = manifestFiles.flatMap((file) =>
  parseAllDocuments(readFileSync(join(root, file), 'utf8')).map((document) => {
    expect(document.errors).toEqual([])
    return { ...manifestSchema.parse(document.toJS()), file }
  }),
)
const ofKind = (kind: string) => manifests.filter((each) => each.kind === kind)

const load = createRequire(import.meta.url)
const moduleSchema = z.record(z.string(), z.unknown())
const modelSchema = z.custom<new (data: unknown) => { validate(): void }>(
  (value) => typeof value === 'function',
)

function withoutFile({ file: _file, ...manifest }: Manifest): unknown {
  return manifest
}

it.each(manifests.map((each) => ({ ...each, name: each.metadata.name })))(
  '$kind $name of $file has what its schema requires',
  ({ name: _name, ...manifest }) => {
    const models = moduleSchema.parse(load(`kubernetes-models/${manifest.apiVersion}/${manifest.kind}`))
    const Model = modelSchema.parse(models[manifest.kind])
    expect(() => new Model(withoutFile(manifest)).validate()).not.toThrow()
  },
)

/** The schemas pass unknown fields, which the compiler refuses in literals. */
function unknownFields(checked: unknown[]): string[] {
  const name = join(import.meta.dirname, 'manifests.ts')
  const lines = checked.map((each) => {
    const { apiVersion, kind } = manifestSchema.parse(each)
    const type = `import('kubernetes-models/${apiVersion}/${kind}').I${kind}`
    return `void (${JSON.stringify(each)} satisfies ${type})`
  })
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
  }
  const host = ts.createCompilerHost(options)
  const { getSourceFile } = host
  host.getSourceFile = (file, ...rest) =>
    file === name
      ? ts.createSourceFile(file, lines.join('\n'), ts.ScriptTarget.ES2022)
      : getSourceFile.call(host, file, ...rest)
  return ts
    .getPreEmitDiagnostics(ts.createProgram([name], options, host))
    .map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, '\n'))
}

it('no manifest has a field that Kubernetes does not know, and one would be found however deep it is', () => {
  const [api] = ofKind('Deployment').map((each) => JSON.stringify(withoutFile(each)))
  const planted: unknown = JSON.parse(api?.replace('"readOnlyRootFilesystem"', '"readonlyRoot"') ?? '')
  expect(unknownFields([...manifests.map(withoutFile), planted])).toEqual([
    expect.stringContaining('"readonlyRoot"'),
  ])
}, 60_000)

it('every kustomization names files and directories that exist, and all of them', () => {
  const named = kustomizations.flatMap((file) => {
    const { resources } = z
      .object({ resources: z.array(z.string()) })
      .parse(parse(readFileSync(join(root, file), 'utf8')))
    return resources.map((resource) => join(dirname(file), resource))
  })
  expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([])
  const left = manifestFiles.filter((file) => !named.includes(file))
  expect(left).toEqual(['settings/secret.example.yaml'])
})

const podSchema = z.object({
  metadata: z.object({ labels: z.record(z.string(), z.string()) }),
  spec: z.looseObject({
    enableServiceLinks: z.literal(false),
    automountServiceAccountToken: z.literal(false),
    terminationGracePeriodSeconds: z.number(),
    hostUsers: z.boolean().optional(),
    securityContext: z.looseObject({
      runAsNonRoot: z.literal(true),
      runAsUser: z.number().positive(),
      seccompProfile: z.object({ type: z.string() }),
    }),
    containers: z.tuple([
      z.looseObject({
        image: z.string(),
        ports: z.array(z.object({ name: z.string() })),
        securityContext: z.looseObject({
          allowPrivilegeEscalation: z.literal(false),
          readOnlyRootFilesystem: z.literal(true),
          capabilities: z.object({ drop: z.tuple([z.literal('ALL')]) }).strict(),
        }),
        lifecycle: z.object({
          preStop: z.object({ exec: z.object({ command: z.tuple([z.literal('sleep'), z.string()]) }) }),
        }),
        startupProbe: z.unknown(),
        livenessProbe: z.object({ httpGet: z.object({ path: z.literal('/healthz'), port: z.string() }) }),
        readinessProbe: z.object({ httpGet: z.object({ path: z.literal('/readyz'), port: z.string() }) }),
      }),
    ]),
  }),
})
const deployments = ofKind('Deployment').map((each) => ({
  name: each.metadata.name,
  pod: z.object({ spec: z.object({ template: podSchema }) }).parse(each).spec.template,
}))

it('each role has a deployment, a disruption budget and an autoscaler', () => {
  const roles = ['api', 'dns', 'edge', 'worker']
  for (const kind of ['Deployment', 'PodDisruptionBudget', 'HorizontalPodAutoscaler']) {
    expect(
      ofKind(kind)
        .map(({ metadata }) => metadata.name)
        .sort(),
    ).toEqual(roles)
  }
})

it('only what runs code of tenants has less than the default isolation, and a user namespace', () => {
  const lesser = deployments.filter(
    ({ pod }) => pod.spec.securityContext.seccompProfile.type !== 'RuntimeDefault',
  )
  expect(lesser.map(({ name, pod }) => [name, pod.spec.hostUsers])).toEqual([
    ['edge', false],
    ['worker', false],
  ])
})

it('a pod gets more time to stop than it takes', () => {
  const [settings] = ofKind('ConfigMap')
  const { data } = z.object({ data: z.record(z.string(), z.string()) }).parse(settings)
  for (const { name, pod } of deployments) {
    const [container] = pod.spec.containers
    const stopS = Number(data['SVC_STOP_MS']) / 1000 + Number(container.lifecycle.preStop.exec.command[1])
    expect(pod.spec.terminationGracePeriodSeconds, name).toBeGreaterThan(stopS)
  }
})

it('services and policies select pods that exist, by ports that they have', () => {
  const used = z.object({
    spec: z.object({
      selector: z.record(z.string(), z.string()),
      ports: z.array(z.object({ targetPort: z.string() })),
    }),
  })
  for (const service of ofKind('Service')) {
    const { selector, ports } = used.parse(service).spec
    const chosen = deployments.filter(({ pod }) =>
      Object.entries(selector).every(([key, value]) => pod.metadata.labels[key] === value),
    )
    expect(chosen, service.metadata.name).toHaveLength(1)
    const names = chosen.flatMap(({ pod }) => pod.spec.containers[0].ports.map(({ name }) => name))
    expect(ports.filter(({ targetPort }) => !names.includes(targetPort))).toEqual([])
  }
})
