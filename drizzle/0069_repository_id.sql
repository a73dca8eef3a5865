ALTER TABLE "project_repositories" ADD COLUMN "repository_id" text;--> statement-breakpoint
ALTER TABLE "project_repositories" ADD COLUMN "former_urls" jsonb DEFAULT '[]'::jsonb NOT NULL;