CREATE TABLE "events" (
	"id" text PRIMARY KEY NOT NULL,
	"team_id" text NOT NULL,
	"type" text NOT NULL,
	"project_id" text,
	"deployment_id" text,
	"actor_id" text,
	"key_id" text,
	"address" text,
	"request_id" text,
	"data" jsonb NOT NULL,
	"created_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "log_lines" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"team_id" text NOT NULL,
	"kind" text NOT NULL,
	"level" text NOT NULL,
	"project_id" text,
	"deployment_id" text,
	"message" text NOT NULL,
	"fields" jsonb NOT NULL,
	"time_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "turns" (
	"task" text PRIMARY KEY NOT NULL,
	"next_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"webhook_id" text NOT NULL,
	"event_id" text NOT NULL,
	"status" text NOT NULL,
	"attempts" integer DEFAULT 0 NOT NULL,
	"due_ms" bigint NOT NULL,
	"http_status" integer,
	"duration_ms" integer,
	"error" text,
	"created_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "webhooks" (
	"id" text PRIMARY KEY NOT NULL,
	"team_id" text NOT NULL,
	"url" text NOT NULL,
	"events" jsonb NOT NULL,
	"projects" jsonb,
	"sealed_secret" text NOT NULL,
	"enabled" boolean DEFAULT true NOT NULL,
	"disabled_reason" text,
	"failing_since_ms" bigint,
	"last_delivery_ms" bigint,
	"created_ms" bigint NOT NULL
);
--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "source_manifest_id" bigint;--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "attempts" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "worker" text;--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "lease_until_ms" bigint;--> statement-breakpoint
ALTER TABLE "events" ADD CONSTRAINT "events_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "log_lines" ADD CONSTRAINT "log_lines_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "deliveries" ADD CONSTRAINT "deliveries_event_id_events_id_fk" FOREIGN KEY ("event_id") REFERENCES "public"."events"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhooks" ADD CONSTRAINT "webhooks_team_id_teams_id_fk" FOREIGN KEY ("team_id") REFERENCES "public"."teams"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "events_by_team" ON "events" USING btree ("team_id","created_ms","id");--> statement-breakpoint
CREATE INDEX "events_by_project" ON "events" USING btree ("project_id","created_ms","id");--> statement-breakpoint
CREATE INDEX "events_by_deployment" ON "events" USING btree ("deployment_id","created_ms","id");--> statement-breakpoint
CREATE INDEX "events_by_age" ON "events" USING btree ("created_ms");--> statement-breakpoint
CREATE INDEX "log_lines_by_team" ON "log_lines" USING btree ("team_id","kind","level","time_ms","id");--> statement-breakpoint
CREATE INDEX "log_lines_by_project" ON "log_lines" USING btree ("project_id","kind","level","time_ms","id");--> statement-breakpoint
CREATE INDEX "log_lines_by_deployment" ON "log_lines" USING btree ("deployment_id","kind","level","time_ms","id");--> statement-breakpoint
CREATE INDEX "log_lines_by_age" ON "log_lines" USING btree ("time_ms");--> statement-breakpoint
CREATE INDEX "deliveries_by_webhook" ON "deliveries" USING btree ("webhook_id","created_ms","id");--> statement-breakpoint
CREATE INDEX "deliveries_by_event" ON "deliveries" USING btree ("event_id");--> statement-breakpoint
CREATE INDEX "deliveries_due" ON "deliveries" USING btree ("webhook_id","due_ms") WHERE "deliveries"."status" = 'pending';--> statement-breakpoint
CREATE INDEX "webhooks_by_team" ON "webhooks" USING btree ("team_id","created_ms","id");--> statement-breakpoint
ALTER TABLE "deployments" ADD CONSTRAINT "deployments_source_manifest_id_manifests_id_fk" FOREIGN KEY ("source_manifest_id") REFERENCES "public"."manifests"("id") ON DELETE no action ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "deployments_by_source" ON "deployments" USING btree ("source_manifest_id") WHERE "deployments"."source_manifest_id" is not null;--> statement-breakpoint
CREATE INDEX "deployments_queued" ON "deployments" USING btree ("created_ms","id") WHERE "deployments"."state" = 'queued';--> statement-breakpoint
CREATE INDEX "deployments_building" ON "deployments" USING btree ("lease_until_ms") WHERE "deployments"."state" = 'building';