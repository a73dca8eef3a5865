CREATE TABLE "key_ends" (
	"key_id" text NOT NULL,
	"step" text NOT NULL,
	"due_ms" bigint NOT NULL,
	CONSTRAINT "key_ends_key_id_step_pk" PRIMARY KEY("key_id","step")
);
--> statement-breakpoint
CREATE TABLE "key_projects" (
	"key_id" text NOT NULL,
	"project_id" text NOT NULL,
	CONSTRAINT "key_projects_key_id_project_id_pk" PRIMARY KEY("key_id","project_id")
);
--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "read_only" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "limited" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "api_keys" ADD COLUMN "expires_ms" bigint;--> statement-breakpoint
ALTER TABLE "key_ends" ADD CONSTRAINT "key_ends_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_projects" ADD CONSTRAINT "key_projects_key_id_api_keys_id_fk" FOREIGN KEY ("key_id") REFERENCES "public"."api_keys"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "key_projects" ADD CONSTRAINT "key_projects_project_id_projects_id_fk" FOREIGN KEY ("project_id") REFERENCES "public"."projects"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "key_ends_due" ON "key_ends" USING btree ("step","due_ms");--> statement-breakpoint
CREATE INDEX "key_projects_by_project" ON "key_projects" USING btree ("project_id");