CREATE TABLE "servers" (
	"deployment_id" text NOT NULL,
	"target" text NOT NULL,
	"node" text NOT NULL,
	"state" text NOT NULL,
	"since_ms" bigint NOT NULL,
	"memory_bytes" bigint,
	"restarts" integer DEFAULT 0 NOT NULL,
	"lease_until_ms" bigint NOT NULL,
	CONSTRAINT "servers_deployment_id_target_node_pk" PRIMARY KEY("deployment_id","target","node")
);
--> statement-breakpoint
ALTER TABLE "manifests" ADD COLUMN "links" jsonb;--> statement-breakpoint
ALTER TABLE "manifests" ADD COLUMN "executables" jsonb;--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "server" jsonb;--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "server_manifest_id" bigint;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "start" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "runtime" jsonb DEFAULT '{}'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "restarted_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "servers" ADD CONSTRAINT "servers_deployment_id_deployments_id_fk" FOREIGN KEY ("deployment_id") REFERENCES "public"."deployments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "servers_by_lease" ON "servers" USING btree ("lease_until_ms");