ALTER TABLE "deployments" ADD COLUMN "build_given" jsonb;--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "source_kind" text DEFAULT 'api' NOT NULL;--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "source_name" text;--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "redeploy_of" text;--> statement-breakpoint
ALTER TABLE "deployments" ADD COLUMN "untrusted" boolean DEFAULT false NOT NULL;