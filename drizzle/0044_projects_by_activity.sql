ALTER TABLE "projects" ADD COLUMN "active_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
UPDATE "projects" SET "active_ms" = greatest("created_ms", (
  SELECT max("created_ms") FROM "deployments" WHERE "project_id" = "projects"."id"));--> statement-breakpoint
CREATE INDEX CONCURRENTLY "projects_by_activity" ON "projects" USING btree ("team_id","active_ms","id");
