UPDATE "projects" SET "production_branch_by" = CASE WHEN EXISTS (
  SELECT FROM "events" WHERE "events"."project_id" = "projects"."id" AND "events"."type" = 'project.updated'
    AND "events"."actor_id" IS NOT NULL AND "events"."data" -> 'changed' @> '["git"]') THEN 'owner' ELSE 'push' END
WHERE "production_branch" IS NOT NULL AND "production_branch_by" IS NULL;
