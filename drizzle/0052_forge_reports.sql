CREATE TABLE "forge_reports" (
	"deployment_id" text PRIMARY KEY NOT NULL,
	"project_id" text NOT NULL,
	"commit" text NOT NULL,
	"pull_request" integer,
	"open" boolean DEFAULT true NOT NULL,
	"reported" text,
	"problem" text,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_ms" bigint NOT NULL,
	"worker" text,
	"lease_ms" bigint DEFAULT 0 NOT NULL
);
--> statement-breakpoint
ALTER TABLE "forge_reports" ADD CONSTRAINT "forge_reports_deployment_id_deployments_id_fk" FOREIGN KEY ("deployment_id") REFERENCES "public"."deployments"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "forge_reports" ADD CONSTRAINT "forge_reports_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "forge_reports_open" ON "forge_reports" USING btree ("project_id","due_ms") WHERE open;--> statement-breakpoint
CREATE INDEX "forge_reports_by_pull_request" ON "forge_reports" USING btree ("project_id","pull_request","deployment_id");