DROP INDEX "deployments_queued";--> statement-breakpoint
ALTER TABLE "teams" ADD COLUMN "build_begun_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "deployments_queued" ON "deployments" USING btree ("team_id","created_ms","id") WHERE "deployments"."state" = 'queued';