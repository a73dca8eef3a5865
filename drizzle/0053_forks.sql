ALTER TABLE "hosts" ADD COLUMN "pull_request" integer;--> statement-breakpoint
ALTER TABLE "forge_deliveries" ADD COLUMN "approved_by" text;--> statement-breakpoint
ALTER TABLE "project_repositories" ADD COLUMN "takes_forks" boolean DEFAULT false NOT NULL;--> statement-breakpoint
CREATE INDEX "forge_deliveries_waiting" ON "forge_deliveries" USING btree ("project_id","received_ms","id") WHERE status = 'waiting';