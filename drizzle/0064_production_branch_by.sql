ALTER TABLE "project_repositories" ADD COLUMN "default_branch" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "production_branch_by" text;