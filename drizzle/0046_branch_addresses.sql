ALTER TABLE "hosts" ADD COLUMN "branch" text;--> statement-breakpoint
ALTER TABLE "projects" ADD COLUMN "branch_addresses" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "projects" ALTER COLUMN "branch_addresses" SET DEFAULT true;
