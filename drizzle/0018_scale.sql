DROP INDEX "deployments_by_state";--> statement-breakpoint
DROP INDEX "deployments_by_project_state";--> statement-breakpoint
DROP INDEX "deployments_by_team_target";--> statement-breakpoint
DROP INDEX "deployments_by_target";--> statement-breakpoint
DROP INDEX "deployments_by_branch";--> statement-breakpoint
DROP INDEX "deployments_by_project_branch";--> statement-breakpoint
DROP INDEX "projects_with_preview_ttl";--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "previews_due_ms" bigint DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "domains_of_project_verified" ON "domains" USING btree ("project_id","domain") WHERE "domains"."verified_ms" is not null;--> statement-breakpoint
CREATE INDEX "domains_of_project_unverified" ON "domains" USING btree ("project_id","domain") WHERE "domains"."verified_ms" is null;--> statement-breakpoint
CREATE INDEX "api_keys_by_member" ON "api_keys" USING btree ("team_id","user_id","role","created_ms","id");--> statement-breakpoint
CREATE INDEX "deployments_of_team" ON "deployments" USING btree ("team_id","target","state","created_ms","id");--> statement-breakpoint
CREATE INDEX "deployments_of_project" ON "deployments" USING btree ("project_id","target","state","created_ms","id");--> statement-breakpoint
CREATE INDEX "deployments_of_team_branch" ON "deployments" USING btree ("team_id",("meta" ->> 'branch'),"target","state","created_ms","id");--> statement-breakpoint
CREATE INDEX "deployments_of_project_branch" ON "deployments" USING btree ("project_id",("meta" ->> 'branch'),"target","state","created_ms","id");--> statement-breakpoint
CREATE INDEX "projects_by_part_of_name" ON "projects" USING gin (string_to_array(regexp_replace("name", '(.)', "team_id" || '\1 ', 'g') || regexp_replace("name", '(..)|.$', "team_id" || '\1 ', 'g') || regexp_replace(substr("name", 2), '(..)|.$', "team_id" || '\1 ', 'g'), ' ')) WITH (fastupdate=false);--> statement-breakpoint
CREATE INDEX "projects_previews_due" ON "projects" USING btree ("previews_due_ms") WHERE "projects"."preview_ttl_days" is not null;