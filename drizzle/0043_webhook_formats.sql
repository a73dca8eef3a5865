CREATE TABLE "webhook_subscribers" (
	"webhook_id" text NOT NULL,
	"team_id" text NOT NULL,
	"user_id" text NOT NULL,
	"created_ms" bigint NOT NULL,
	CONSTRAINT "webhook_subscribers_webhook_id_user_id_pk" PRIMARY KEY("webhook_id","user_id")
);
--> statement-breakpoint
ALTER TABLE "deliveries" ADD COLUMN "sent_to" jsonb;--> statement-breakpoint
ALTER TABLE "webhooks" ADD COLUMN "format" text DEFAULT 'standard' NOT NULL;--> statement-breakpoint
ALTER TABLE "webhook_subscribers" ADD CONSTRAINT "webhook_subscribers_webhook_id_webhooks_id_fk" FOREIGN KEY ("webhook_id") REFERENCES "public"."webhooks"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_subscribers" ADD CONSTRAINT "webhook_subscribers_member_fk" FOREIGN KEY ("team_id","user_id") REFERENCES "public"."members"("team_id","user_id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "webhook_subscribers_by_member" ON "webhook_subscribers" USING btree ("team_id","user_id");