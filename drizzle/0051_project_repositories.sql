CREATE TABLE "forge_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"team_id" text NOT NULL,
	"project_id" text NOT NULL,
	"forge_id" text NOT NULL,
	"event" text NOT NULL,
	"status" text NOT NULL,
	"work" jsonb,
	"branch" text,
	"commit" text,
	"pull_request" integer,
	"outcome" text,
	"deployment_id" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_ms" bigint NOT NULL,
	"worker" text,
	"lease_ms" bigint DEFAULT 0 NOT NULL,
	"received_ms" bigint NOT NULL,
	"ended_ms" bigint,
	CONSTRAINT "forge_deliveries_once" UNIQUE("project_id","forge_id")
);
--> statement-breakpoint
CREATE TABLE "project_repositories" (
	"project_id" text PRIMARY KEY NOT NULL,
	"provider" text NOT NULL,
	"url" text NOT NULL,
	"root_directory" text,
	"skip_unchanged" boolean NOT NULL,
	"token_sealed" text,
	"secret_sealed" text,
	"connected_by" text NOT NULL,
	"updated_ms" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "forge_deliveries" ADD CONSTRAINT "forge_deliveries_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "project_repositories" ADD CONSTRAINT "project_repositories_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "forge_deliveries_by_project" ON "forge_deliveries" USING btree ("project_id","received_ms","id");--> statement-breakpoint
CREATE INDEX "forge_deliveries_pending" ON "forge_deliveries" USING btree ("project_id","branch","received_ms","id") WHERE status = 'pending';--> statement-breakpoint
CREATE INDEX "forge_deliveries_due" ON "forge_deliveries" USING btree ("due_ms") WHERE status = 'pending';