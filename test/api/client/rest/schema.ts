// Made by openapi-typescript from /openapi.json. After a change of the API:
// npm run schema
export interface paths {
    "/v1/deployments": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List deployments
         * @description Newest first.
         */
        get: operations["deployments-list"];
        put?: never;
        /**
         * Create a deployment
         * @description Files are sent inline or by digest. If blobs are missing, the response is 400 files_missing with an upload URL for each: PUT the raw bytes there, then repeat the request. _redirects and _headers at the root are not served but applied; an invalid line is 400 invalid_input and names file and line. With a build command the files are its sources: the deployment is queued, then building, and finally ready or error; an install command alone builds nothing. The files may also be sent as one zip: project, target and meta.<key> are then in the query. Of a zip, left_out names what is never deployed: .git, .env and the like. With from instead of files, the sources of that deployment are deployed again.
         */
        post: operations["deployments-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deployments/{deployment}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a deployment
         * @description With wait_s, responds once the state is final, or after that time.
         */
        get: operations["deployments-get"];
        put?: never;
        post?: never;
        /**
         * Cancel or delete a deployment
         * @description Cancels one that is queued or building, kills its processes, and returns it. A finished one is deleted, which needs the owner role.
         */
        delete: operations["deployments-delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/deployments/{deployment}/promote": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Promote a deployment
         * @description Makes it the project's production deployment at once; also rolls back to an older one.
         */
        post: operations["deployments-promote"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List projects
         * @description By name.
         */
        get: operations["projects-list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/projects/{project}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a project
         * @description With its settings, its production deployment and its domains; env has the keys only.
         */
        get: operations["projects-get"];
        /**
         * Create or configure a project
         * @description Idempotent. An omitted field keeps its value, null clears it. By id, the project must exist. Some fields are for owners; members limited to some projects change those, without renaming them, and create none.
         */
        put: operations["projects-put"];
        post?: never;
        /**
         * Delete a project
         * @description With its deployments, env and hosts; its domains are detached. For owners.
         */
        delete: operations["projects-delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List domains
         * @description By name.
         */
        get: operations["domains-list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/domains/{domain}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a domain
         * @description With the records that prove ownership and point it here, and the result of the last check.
         */
        get: operations["domains-get"];
        /**
         * Claim or configure a domain
         * @description Idempotent. An omitted field keeps its value, null clears it. A new claim is verified once the record in verification exists, or at once below a verified domain of the team. By id, the domain must exist. Not for members limited to some projects.
         */
        put: operations["domains-put"];
        post?: never;
        /**
         * Delete a domain
         * @description With its records. A later claim of the name must be verified again. For owners.
         */
        delete: operations["domains-delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/domains/{domain}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Verify a domain
         * @description Checks the TXT record that proves ownership, and where the name points. A failed check is reported in error.
         */
        post: operations["domains-verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/domains/{domain}/records": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List DNS records
         * @description Newest first, including managed ones. For a domain below another of the team: the part of its zone at or below it.
         */
        get: operations["dns-list"];
        put?: never;
        /**
         * Create a DNS record
         * @description Use the topmost of the team's domains; one below it is 409 in_zone_of. A record that conflicts with existing ones is 409 record_conflict.
         */
        post: operations["dns-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/domains/{domain}/records/{record}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a DNS record
         * @description Including managed ones.
         */
        get: operations["dns-get"];
        /**
         * Change a DNS record
         * @description A field left out keeps its value, null clears it. The type stays; a managed record is 409 record_conflict.
         */
        put: operations["dns-put"];
        post?: never;
        /**
         * Delete a DNS record
         * @description It is no longer served. A managed record is 409 record_conflict.
         */
        delete: operations["dns-delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List webhooks
         * @description Newest first. None for members limited to some projects.
         */
        get: operations["webhooks-list"];
        put?: never;
        /**
         * Create a webhook
         * @description The response contains the signing secret of the format `standard`, once. A webhook.ping is sent at once. For owners.
         */
        post: operations["webhooks-create"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/webhooks/{webhook}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a webhook
         * @description With its last 20 deliveries, newest first.
         */
        get: operations["webhooks-get"];
        put?: never;
        post?: never;
        /**
         * Delete a webhook
         * @description Pending deliveries are dropped. For owners.
         */
        delete: operations["webhooks-delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/teams": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List teams
         * @description By slug: the user's teams. An API key sees its own only.
         */
        get: operations["teams-list"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/teams/{team}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get a team
         * @description With its members and invitations; for a member limited to some projects with that one alone.
         */
        get: operations["teams-get"];
        /**
         * Create or configure a team
         * @description An unused slug creates a team owned by the caller's user, and returns an owner key of it, once. By id, the team must exist. An omitted field keeps its value. For owners.
         */
        put: operations["teams-put"];
        post?: never;
        /**
         * Delete a team
         * @description With its members and keys. It must have no projects and not be a personal team. For owners.
         */
        delete: operations["teams-delete"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apikeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * List API keys
         * @description Newest first. Owners see all keys of the team, members their own member keys.
         */
        get: operations["tokens-listKeys"];
        put?: never;
        /**
         * Create an API key
         * @description The response contains the token, once. Only owners create owner keys.
         */
        post: operations["tokens-createKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/apikeys/{key}": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        /**
         * Revoke an API key
         * @description Takes effect at once on this node, within a second on others.
         */
        delete: operations["tokens-revokeKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/token": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /**
         * Exchange an API key for a JWT
         * @description If the server has a JWT secret, every request but a GET needs a JWT. It has the permissions of the key or session, and ends with it. Jobs of CI systems exchange an identity token instead, for a JWT of at most an hour that reads one project, and makes and reads deployments of it.
         */
        post: operations["tokens-mint"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Get an overview
         * @description The team at a glance, and the credential of this request. Members limited to some projects see the numbers of those, here and in logs and metrics.
         */
        get: operations["observability-overview"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/logs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read the log
         * @description Build output (build), requests to sites (request), and audit events (audit). Busy projects log up to 20 requests per second and node, and summarize the rest: one line per second, level and deployment with fields.not_logged, so that the lines add up to all requests. With q, status or host a page may be short, or empty, and still have a next_cursor, since one call scans a limited number of lines. With order=asc there is always a next_cursor until until_ms has passed; with it and wait_s a log can be followed live. Lines are then returned a second after they were written, so that none is skipped. At most 20 calls of a team wait at a time: 429 too_many_waiting.
         */
        get: operations["observability-logs"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /**
         * Read metrics
         * @description The traffic of all sites of the team, or of one project, in steps that begin at multiples of step_ms and are complete: the first contains since_ms, the last may not be over yet. Responses are counted within a second. Minutes are kept for 3 days, hours for 92; further back step_ms is a multiple of an hour, or a day. At most 1,500 steps.
         */
        get: operations["observability-metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface webhooks {
    "deployment.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A deployment was created */
        post: operations["event-deployment-created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deployment.ready": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A deployment is ready */
        post: operations["event-deployment-ready"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deployment.error": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A deployment failed; see its error */
        post: operations["event-deployment-error"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deployment.canceled": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A deployment was canceled */
        post: operations["event-deployment-canceled"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deployment.promoted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A deployment became its project's production */
        post: operations["event-deployment-promoted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "deployment.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A deployment was deleted */
        post: operations["event-deployment-deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "project.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A project was created */
        post: operations["event-project-created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "project.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Settings of a project changed */
        post: operations["event-project-updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "project.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A project was deleted, with its deployments */
        post: operations["event-project-deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The team claimed a domain */
        post: operations["event-domain-created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.verified": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A domain was verified */
        post: operations["event-domain-verified"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.unverified": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A domain is no longer verified, and not served */
        post: operations["event-domain-unverified"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.certificate_failed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A certificate for a domain could not be issued; it is tried again */
        post: operations["event-domain-certificate_failed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "domain.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A domain was deleted, with its records */
        post: operations["event-domain-deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "record.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A DNS record was created */
        post: operations["event-record-created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "record.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A DNS record changed */
        post: operations["event-record-updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "record.deleted": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A DNS record was deleted */
        post: operations["event-record-deleted"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An API key was created */
        post: operations["event-key-created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "key.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** An API key was revoked */
        post: operations["event-key-revoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "hook.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A deploy hook was made */
        post: operations["event-hook-created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "hook.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A deploy hook was revoked */
        post: operations["event-hook-revoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "trust.created": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A trust policy was made */
        post: operations["event-trust-created"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "trust.revoked": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A trust policy was revoked */
        post: operations["event-trust-revoked"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "git.approved": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A commit of a pull request from a fork was approved, and will be deployed */
        post: operations["event-git-approved"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "team.updated": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** The name or the members of the team changed */
        post: operations["event-team-updated"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.added": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A member was added or invited */
        post: operations["event-member-added"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "member.removed": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A member or an invitation was removed */
        post: operations["event-member-removed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "webhook.ping": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** A webhook was created: sent to this webhook only */
        post: operations["event-webhook-ping"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export interface components {
    schemas: {
        /**
         * @example {
         *       "path": "index.html",
         *       "content": "<h1>Hello</h1>"
         *     }
         */
        DeploymentFile: {
            /** @description Relative, /-separated, NFC, at most 1,024 bytes */
            path: string;
            /** @description The file as text */
            content?: string;
            /** @description The file as base64 */
            content_base64?: string;
            /** @description The digest of a file that is uploaded on its own */
            sha256?: string;
            /** @description Bytes; with sha256 */
            size?: number;
        };
        Deployment: {
            id: string;
            /** @description The project's name */
            project: string;
            /** @enum {string} */
            target: "production" | "preview";
            /** @enum {string} */
            state: "queued" | "building" | "ready" | "error" | "canceled";
            /**
             * Format: uri
             * @description Where this deployment is, for as long as it exists
             */
            url: string;
            /** @description Where it is reachable besides */
            aliases: string[];
            /** @description Whether it is the project's production now */
            live: boolean;
            /** @description When it last became live */
            live_since_ms: number | null;
            /** @description Whether it was live before and can be promoted again */
            rollback_candidate: boolean;
            /** @description How far it is from being built, 1 for the next one, by turns of the teams; null where it does not wait */
            queue_position: number | null;
            /** @description The settings used */
            build: components["schemas"]["BuildSettings"];
            error: {
                /** @description build_failed, build_timeout, build_out_of_memory, worker_lost, queue_timeout, builds_not_available or storage_quota; the log tells more */
                reason: string;
                message: string;
            } | null;
            /** @description What it serves; until it is built, what it is built from */
            files: number;
            bytes: number;
            /** @description Paths of the zip that were not deployed, since they never are: .git, .env and the like. Only in the response to the zip */
            left_out?: string[];
            meta: {
                [key: string]: string;
            };
            /**
             * @description What was passed over, and what looks wrong; at most 100
             * @default []
             */
            warnings: components["schemas"]["DeploymentWarning"][];
            /**
             * @default {
             *       "kind": "api",
             *       "name": null
             *     }
             */
            source: components["schemas"]["DeploymentSource"];
            /**
             * @description The deployment whose sources it was made of, which may be deleted
             * @default null
             */
            redeploy_of: string | null;
            /**
             * @description Whether its sources are those of somebody outside the team: then it is always a protected preview, built without variables
             * @default false
             */
            untrusted: boolean;
            created_by: string;
            /**
             * @description The name of that person
             * @default null
             */
            created_by_name: string | null;
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            building_ms: number | null;
            ready_ms: number | null;
            ended_ms: number | null;
            /** @description When the project's preview_ttl_days removes it */
            expires_ms: number | null;
        };
        BuildSettings: {
            install_command: string | null;
            build_command: string | null;
            output_directory: string;
            root_directory: string;
        };
        DeploymentWarning: {
            /** @description The file that it is about */
            path?: string;
            /** @description Its line, from 1 */
            line?: number;
            message: string;
        };
        DeploymentSource: {
            /**
             * @description By what it was made
             * @enum {string}
             */
            kind: "api" | "command" | "dashboard" | "git" | "forge" | "hook" | "redeploy" | "oidc";
            /** @description The name of the API key that was used, of the deploy hook, the forge or the CI system, if any */
            name: string | null;
        };
        Project: {
            id: string;
            /** @example web */
            name: string;
            build: components["schemas"]["BuildSettings"];
            /** @description The variables, an entry for each value; values are write-only */
            env: {
                key: string;
                target: ("production" | "preview")[];
                /**
                 * @description The only one whose previews have the value
                 * @default null
                 */
                branch: string | null;
                /**
                 * @description Unix epoch, milliseconds
                 * @example 1790000000000
                 */
                updated_ms: number;
            }[];
            /** @enum {string} */
            protection: "none" | "preview" | "all";
            bypass_set: boolean;
            /** @default false */
            password_set: boolean;
            auto_promote: boolean;
            preview_ttl_days: number | null;
            spa: boolean;
            /** @description Whether browsers are told to use HTTPS alone for a year */
            hsts: boolean;
            /**
             * @description Whether each branch has an address, which leads to its newest deployment
             * @default false
             */
            branch_addresses: boolean;
            /**
             * @default {
             *       "production_branch": null,
             *       "provider": null,
             *       "url": null,
             *       "root_directory": null,
             *       "skip_unchanged": true,
             *       "close_days": null,
             *       "forks": false,
             *       "token_set": false,
             *       "secret_set": false,
             *       "hook_url": null
             *     }
             */
            git: components["schemas"]["ProjectGit"];
            /** Format: uri */
            production_url: string;
            production_deployment: string | null;
            /** @description The names of the domains attached to it, verified or not */
            domains: string[];
            /** @description The branches with an address, newest first, at most 200. Left out in lists */
            branches?: components["schemas"]["Branch"][];
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            updated_ms: number;
        };
        ProjectGit: {
            /** @description Whose pushes go to production; null until one has */
            production_branch: string | null;
            /** @default null */
            provider: ("github" | "gitlab" | "gitea") | null;
            /**
             * @description The repository whose pushes are deployed; null where there is none
             * @default null
             */
            url: string | null;
            /** @default null */
            root_directory: string | null;
            /** @default true */
            skip_unchanged: boolean;
            /**
             * @description After so many days deployments of closed pull requests are deleted; null: they stay
             * @default null
             */
            close_days: number | null;
            /**
             * @description Whether pull requests of forks are deployed, each commit once an owner has approved it
             * @default false
             */
            forks: false | "approve";
            /** @default false */
            token_set: boolean;
            /** @default false */
            secret_set: boolean;
            /**
             * @description Where the forge has to send pushes and pull requests
             * @default null
             */
            hook_url: string | null;
        };
        Branch: {
            /** @example next */
            name: string;
            /** Format: uri */
            url: string;
            /** @description Its newest one that is ready */
            deployment: string;
        };
        Domain: {
            id: string;
            /** @example www.example.com */
            domain: string;
            /** @description The name of the project that it shows */
            project: string | null;
            /** @description Where visitors are sent instead */
            redirect: {
                to: string;
                /**
                 * @description 307 and 308 keep the method
                 * @enum {integer}
                 */
                status: 301 | 302 | 307 | 308;
            } | null;
            /** @description Whether it is the team's: only then is it served */
            verified: boolean;
            /** @description The record that proves it; a name below one that the team has proven needs none */
            verification: {
                /** @example TXT */
                type: string;
                name: string;
                value: string;
            }[];
            /** @description Whether it leads here */
            configured: boolean;
            /** @description What makes it lead here */
            expected: {
                /** @example TXT */
                type: string;
                name: string;
                value: string;
            }[];
            /** @description What the resolvers answered at the last check */
            seen: {
                /** @example TXT */
                type: string;
                name: string;
                value: string;
            }[];
            /** @description What the last check found wrong */
            error: {
                /** @description One of: resolver_failed, proof_not_found, proof_wrong, proof_is_alias, proof_lost, name_too_long, verified_by_another_team, not_routed */
                reason: string;
                message: string;
            } | null;
            /** @description Its certificate for HTTPS */
            tls: {
                /**
                 * @description `active`: it has a certificate that is used
                 * @enum {string}
                 */
                state: "none" | "pending" | "active" | "failed";
                /** @description When the certificate expires */
                not_after_ms: number | null;
                /** @description Why the last order of a certificate failed; it is tried again */
                error: {
                    /** @description One of: local_name, not_configured, validation_failed, dns_not_delegated, authority_refused, authority_limits, authority_unavailable */
                    reason: string;
                    message: string;
                } | null;
                /** @description Whether the certificate is the team's own */
                own: boolean;
            };
            /** @description Delegated to these, it leads here without any of the records above */
            nameservers: string[];
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            verified_ms: number | null;
            checked_ms: number | null;
            next_check_ms: number | null;
        };
        DnsRecord: {
            id: string;
            /** @description The zone: the topmost of the team's domains at or above the record */
            domain: string;
            /**
             * @description Relative to the zone; @ for itself
             * @example www
             */
            name: string;
            /**
             * @description The name in full
             * @example www.example.com
             */
            fqdn: string;
            /** @enum {string} */
            type: "A" | "AAAA" | "ALIAS" | "CAA" | "CNAME" | "DS" | "HTTPS" | "LOC" | "MX" | "NAPTR" | "NS" | "PTR" | "SRV" | "SSHFP" | "SVCB" | "TLSA" | "TXT";
            /** @description In canonical form */
            value: string;
            /** @description Of a TXT: the strings of its value, unless those are of 255 bytes each */
            strings: string[] | null;
            /** @description Seconds; one for all records of the name and type */
            ttl: number;
            /** @description Of HTTPS, MX, SRV and SVCB */
            priority: number | null;
            /** @description Of SRV */
            weight: number | null;
            /** @description Of SRV */
            port: number | null;
            comment: string | null;
            /** @description Whether the service itself writes it */
            managed: boolean;
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            updated_ms: number;
        };
        Webhook: {
            id: string;
            /**
             * @default standard
             * @enum {string}
             */
            format: "standard" | "slack" | "discord" | "mail";
            /**
             * @description Of `slack` and `discord` its host alone, for the rest is a secret; empty for `mail`
             * @example https://example.com/webhooks
             */
            url: string;
            /**
             * @example [
             *       "deployment.ready",
             *       "deployment.error"
             *     ]
             */
            events: string[];
            /** @description Only what happens in these; null: everything; empty once they are all deleted */
            projects: string[] | null;
            enabled: boolean;
            /** @description `gone`: it answered 410, or 404 to a message for Slack or Discord; `failing`: nothing but failures for 5 days; `secret_lost`: the service was restored without its encryption key, so create another webhook */
            disabled_reason: string | null;
            /** @description Since when every attempt has failed */
            failing_since_ms: number | null;
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description When it last took one */
            last_delivery_ms: number | null;
        };
        NewWebhook: {
            id: string;
            /**
             * @default standard
             * @enum {string}
             */
            format: "standard" | "slack" | "discord" | "mail";
            /**
             * @description Of `slack` and `discord` its host alone, for the rest is a secret; empty for `mail`
             * @example https://example.com/webhooks
             */
            url: string;
            /**
             * @example [
             *       "deployment.ready",
             *       "deployment.error"
             *     ]
             */
            events: string[];
            /** @description Only what happens in these; null: everything; empty once they are all deleted */
            projects: string[] | null;
            enabled: boolean;
            /** @description `gone`: it answered 410, or 404 to a message for Slack or Discord; `failing`: nothing but failures for 5 days; `secret_lost`: the service was restored without its encryption key, so create another webhook */
            disabled_reason: string | null;
            /** @description Since when every attempt has failed */
            failing_since_ms: number | null;
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description When it last took one */
            last_delivery_ms: number | null;
            /**
             * Format: password
             * @description Of the format `standard`; only in this response, not in a replay for its Idempotency-Key
             */
            secret?: string;
        };
        WebhookWithDeliveries: {
            id: string;
            /**
             * @default standard
             * @enum {string}
             */
            format: "standard" | "slack" | "discord" | "mail";
            /**
             * @description Of `slack` and `discord` its host alone, for the rest is a secret; empty for `mail`
             * @example https://example.com/webhooks
             */
            url: string;
            /**
             * @example [
             *       "deployment.ready",
             *       "deployment.error"
             *     ]
             */
            events: string[];
            /** @description Only what happens in these; null: everything; empty once they are all deleted */
            projects: string[] | null;
            enabled: boolean;
            /** @description `gone`: it answered 410, or 404 to a message for Slack or Discord; `failing`: nothing but failures for 5 days; `secret_lost`: the service was restored without its encryption key, so create another webhook */
            disabled_reason: string | null;
            /** @description Since when every attempt has failed */
            failing_since_ms: number | null;
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description When it last took one */
            last_delivery_ms: number | null;
            deliveries: components["schemas"]["Delivery"][];
        };
        Delivery: {
            id: string;
            /** @description What `webhook-id` says, at each attempt */
            event: string;
            /** @enum {string} */
            status: "pending" | "delivered" | "failed";
            /** @description What the last attempt was answered */
            http_status: number | null;
            attempts: number;
            /** @description How long the last attempt took */
            duration_ms: number | null;
            next_attempt_ms: number | null;
            /**
             * @description Of `mail`: how many members have got it; null before the first attempt
             * @default null
             */
            sent_to: number | null;
            /** @description Why the last attempt failed */
            error: string | null;
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
        };
        Team: {
            id: string;
            /** @example acme */
            slug: string;
            name: string;
            /**
             * @description The operator's to set
             * @enum {string}
             */
            plan: "free" | "pro" | "enterprise";
            /** @description Whether it is a user's own, which can't be deleted */
            personal: boolean;
            /**
             * @description The caller's
             * @enum {string}
             */
            role: "owner" | "member";
            /**
             * @description Whether sessions act in it only with a second factor
             * @default false
             */
            second_factor_required: boolean;
            /** @description Whether the caller sees only some of its projects */
            limited: boolean;
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
        };
        TeamDetails: {
            id: string;
            /** @example acme */
            slug: string;
            name: string;
            /**
             * @description The operator's to set
             * @enum {string}
             */
            plan: "free" | "pro" | "enterprise";
            /** @description Whether it is a user's own, which can't be deleted */
            personal: boolean;
            /**
             * @description The caller's
             * @enum {string}
             */
            role: "owner" | "member";
            /**
             * @description Whether sessions act in it only with a second factor
             * @default false
             */
            second_factor_required: boolean;
            /** @description Whether the caller sees only some of its projects */
            limited: boolean;
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description For a member who is limited, that one alone */
            members: {
                email: string | null;
                name: string | null;
                /** @enum {string} */
                role: "owner" | "member";
                /** @description null while only invited */
                joined_ms: number | null;
                /**
                 * @description Whether the person joined by the invitation's link, and has not proven the address since
                 * @default false
                 */
                unproven: boolean;
                /** @description The ids of the projects to which the member is limited; null without a limit */
                projects: string[] | null;
            }[];
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            updated_ms: number;
        };
        PutTeam: {
            id: string;
            /** @example acme */
            slug: string;
            name: string;
            /**
             * @description The operator's to set
             * @enum {string}
             */
            plan: "free" | "pro" | "enterprise";
            /** @description Whether it is a user's own, which can't be deleted */
            personal: boolean;
            /**
             * @description The caller's
             * @enum {string}
             */
            role: "owner" | "member";
            /**
             * @description Whether sessions act in it only with a second factor
             * @default false
             */
            second_factor_required: boolean;
            /** @description Whether the caller sees only some of its projects */
            limited: boolean;
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description For a member who is limited, that one alone */
            members: {
                email: string | null;
                name: string | null;
                /** @enum {string} */
                role: "owner" | "member";
                /** @description null while only invited */
                joined_ms: number | null;
                /**
                 * @description Whether the person joined by the invitation's link, and has not proven the address since
                 * @default false
                 */
                unproven: boolean;
                /** @description The ids of the projects to which the member is limited; null without a limit */
                projects: string[] | null;
            }[];
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            updated_ms: number;
            /**
             * Format: password
             * @description An owner key of a team that was just created
             */
            api_key?: string;
        };
        NewApiKey: {
            id: string;
            name: string;
            /**
             * @description The start of the token, to recognise it by
             * @example svc_Ab3dE6…
             */
            prefix: string;
            /** @description The team's slug */
            team: string;
            /** @enum {string} */
            role: "owner" | "member";
            /** @description Whose it is: it acts as this person */
            created_by?: string;
            /** @description The present name of that person */
            created_by_name?: string;
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /**
             * @description 0 until it is first used
             * @example 1790000000000
             */
            last_used_ms: number;
            /**
             * Format: password
             * @description The secret. Shown in this answer only: not when it is repeated by its Idempotency-Key
             */
            token?: string;
        };
        ApiKey: {
            id: string;
            name: string;
            /**
             * @description The start of the token, to recognise it by
             * @example svc_Ab3dE6…
             */
            prefix: string;
            /** @description The team's slug */
            team: string;
            /** @enum {string} */
            role: "owner" | "member";
            /** @description Whose it is: it acts as this person */
            created_by: string;
            /** @description The present name of that person */
            created_by_name: string;
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /**
             * @description 0 until it is first used
             * @example 1790000000000
             */
            last_used_ms: number;
        };
        Token: {
            /**
             * Format: password
             * @description The JWT
             */
            token: string;
            /** @constant */
            token_type: "Bearer";
            /** @description The team's slug */
            team: string;
            /** @enum {string} */
            role: "owner" | "member";
            /**
             * @description 8 hours from now; it ends sooner with what it was minted with
             * @example 1790000000000
             */
            expires_ms: number;
        };
        Overview: {
            /** @description The team's slug */
            team: string;
            /** @enum {string} */
            plan: "free" | "pro" | "enterprise";
            projects: number;
            /** @description Of a state with more than 1,000 the number may be a minute old */
            deployments: {
                total: number;
                by_state: {
                    queued: number;
                    building: number;
                    ready: number;
                    error: number;
                    canceled: number;
                };
            };
            domains: {
                total: number;
                verified: number;
            };
            webhooks: number;
            /** @description What the edge answered for the team's projects in the last 24 hours */
            requests_24h: number;
            /** @description Of the bodies of these answers */
            bytes_24h: number;
            /** @description How many of them were of status 500 and above */
            errors_24h: number;
            /** @description The newest five */
            recent_deployments: components["schemas"]["Deployment"][];
            /** @description The caller's */
            credential: {
                /** @enum {string} */
                kind: "key" | "jwt" | "session";
                /** @description The start of an API key, to recognise it by */
                prefix: string | null;
                /**
                 * @description What it may do
                 * @enum {string}
                 */
                role: "owner" | "member";
                /** @description null where it does not expire */
                expires_ms: number | null;
            };
            /** @description The requests of the team's keys, or for a session those of its user */
            rate_limit: {
                per_second: number;
                /** @description How many at once */
                burst: number;
                /** @description How many are left after this one */
                remaining: number;
            };
            /** @description New files beyond the limit are refused with 403 storage_quota */
            storage: {
                /** @description The team's files, each once, with their compressed forms; for a member limited to some projects those of their deployments */
                used_bytes: number;
                /** @description null where there is none */
                limit_bytes: number | null;
            };
        };
        LogLine: {
            id: string;
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            time_ms: number;
            /** @enum {string} */
            kind: "build" | "request" | "audit" | "git";
            /** @enum {string} */
            level: "debug" | "info" | "warn" | "error";
            message: string;
            /** @description The project's present name; null when it is gone */
            project: string | null;
            /** @description The deployment's id */
            deployment: string | null;
            /** @description Of a request: method, host, path (without its query, cut after 500 characters), status, bytes, duration_ms, cache (memory, blob, or none where it was answered without a file), address (the network of the client, an IPv4 /24 or an IPv6 /48), and ended_ms where it was written late; or, of requests without a line of their own: not_logged (how many), by_status, from_ms, to_ms. Of an audit line: type, actor and actor_name (a person by id and by present name; null for what the platform did), key and key_name (the API key that was used; its name is null once it is revoked), address, request_id, and the data of the event. Of a line about git, as far as they are known: event, branch, commit, pull_request, and delivery (the id of what a forge sent) */
            fields: {
                [key: string]: unknown;
            };
        };
        Metrics: {
            /** @enum {string} */
            metric: "requests" | "bytes" | "errors" | "responses_2xx" | "responses_3xx" | "responses_4xx" | "responses_5xx" | "responses_404" | "latency_p50" | "latency_p95" | "latency_p99";
            /** @enum {string} */
            unit: "requests" | "bytes" | "ms";
            step_ms: number;
            /** @description The start of each step and its value; a latency is null where nothing was answered, a count by status where some responses were not counted by status, which earlier versions did not */
            points: (number | null)[][];
        };
        Error: {
            /**
             * @description The class of the error
             * @enum {string}
             */
            code: "BAD_REQUEST" | "UNAUTHORIZED" | "FORBIDDEN" | "NOT_FOUND" | "METHOD_NOT_SUPPORTED" | "TIMEOUT" | "CONFLICT" | "PAYLOAD_TOO_LARGE" | "TOO_MANY_REQUESTS" | "INTERNAL_SERVER_ERROR" | "SERVICE_UNAVAILABLE";
            /**
             * @description What happened, for programs
             * @enum {string}
             */
            reason: "invalid_input" | "malformed_request" | "malformed_json" | "unsupported_content_type" | "unsupported_content_encoding" | "invalid_cursor" | "builds_not_available" | "files_missing" | "digest_mismatch" | "size_mismatch" | "jwt_not_configured" | "passkeys_not_available" | "unauthorized" | "token_malformed" | "upload_url_invalid" | "jwt_required" | "jwt_cannot_mint" | "sign_in_failed" | "role_required" | "second_factor_required" | "storage_quota" | "origin_not_allowed" | "scope" | "not_trusted" | "unknown_path" | "project_not_found" | "deployment_not_found" | "domain_not_found" | "record_not_found" | "key_not_found" | "webhook_not_found" | "delivery_not_found" | "team_not_found" | "session_not_found" | "passkey_not_found" | "share_link_not_found" | "deploy_hook_not_found" | "trust_policy_not_found" | "link_invalid" | "method_not_allowed" | "request_timeout" | "name_in_use" | "not_ready" | "sources_gone" | "untrusted" | "is_live" | "in_zone_of" | "record_conflict" | "too_many_records" | "idempotency_key_reused" | "idempotency_in_progress" | "owner_required" | "personal_team" | "second_factor_set" | "passkey_in_use" | "too_many_passkeys" | "team_has_projects" | "too_many_teams" | "too_many_webhooks" | "too_many_share_links" | "too_many_deploy_hooks" | "too_many_trust_policies" | "nothing_to_rebuild" | "too_many_queued" | "webhook_disabled" | "delivery_pending" | "changed_since" | "body_too_large" | "rate_limited" | "too_many_waiting" | "internal_error" | "store_unavailable" | "sign_in_unavailable" | "issuer_unavailable" | "stopping";
            /** @description What to do, for people */
            message: string;
            /** @description With invalid_input: each invalid field */
            issues?: {
                path: string;
                message: string;
            }[];
            /** @description With files_missing: the upload URL of each blob */
            missing?: {
                sha256: string;
                /** Format: uri */
                upload_url: string;
                /** @description With direct_uploads: another place to PUT the bytes, with these headers, that may be closer */
                direct?: {
                    /** Format: uri */
                    url: string;
                    headers: {
                        [key: string]: string;
                    };
                };
            }[];
            /** @description With 429: retry after this many milliseconds */
            retry_after_ms?: number;
            /** @description The x-request-id of the response */
            request_id: string;
        };
        EventDeployment: {
            id: string;
            project: string;
            /** @enum {string} */
            target: "production" | "preview";
            /** @enum {string} */
            state: "queued" | "building" | "ready" | "error" | "canceled";
            url: string;
            source?: {
                /** @enum {string} */
                kind: "api" | "command" | "dashboard" | "git" | "forge" | "hook" | "redeploy" | "oidc";
                name: string | null;
            };
            meta: {
                [key: string]: string;
            };
            error: {
                reason: string;
                message: string;
            } | null;
            created_by: string;
            created_ms: number;
        };
        EventProject: {
            id: string;
            name: string;
        };
        EventDomain: {
            id: string;
            domain: string;
            project: string | null;
            verified: boolean;
        };
        EventRecord: {
            id: string;
            domain: string;
            name: string;
            type: string;
            value: string;
            ttl: number;
            priority: number | null;
            weight: number | null;
            port: number | null;
        };
        EventKey: {
            id: string;
            name: string;
            prefix: string;
            /** @enum {string} */
            role: "owner" | "member";
        };
        EventHook: {
            id: string;
            name: string;
            project: string;
            branch: string | null;
        };
        EventPolicy: {
            id: string;
            project: string;
            issuer: string;
            claims: {
                [key: string]: string;
            };
            targets: ("production" | "preview")[];
        };
        EventPull_request: {
            project: string;
            number: number;
            commit: string;
        };
        EventTeam: {
            id: string;
            slug: string;
            name: string;
        };
        EventMember: {
            user: string | null;
            email: string | null;
            /** @enum {string} */
            role: "owner" | "member";
        };
        EventWebhook: {
            id: string;
            url: string;
        };
        DeploymentCreatedEvent: {
            id: string;
            /** @constant */
            type: "deployment.created";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A deployment was created */
            data: {
                deployment: components["schemas"]["EventDeployment"];
            };
        };
        DeploymentReadyEvent: {
            id: string;
            /** @constant */
            type: "deployment.ready";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A deployment is ready */
            data: {
                deployment: components["schemas"]["EventDeployment"];
            };
        };
        DeploymentErrorEvent: {
            id: string;
            /** @constant */
            type: "deployment.error";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A deployment failed; see its error */
            data: {
                deployment: components["schemas"]["EventDeployment"];
            };
        };
        DeploymentCanceledEvent: {
            id: string;
            /** @constant */
            type: "deployment.canceled";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A deployment was canceled */
            data: {
                deployment: components["schemas"]["EventDeployment"];
            };
        };
        DeploymentPromotedEvent: {
            id: string;
            /** @constant */
            type: "deployment.promoted";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A deployment became its project's production */
            data: {
                deployment: components["schemas"]["EventDeployment"];
                /** @description The deployment that was live before */
                previous: string | null;
                /** @description Whether this one was live before */
                rollback: boolean;
            };
        };
        DeploymentDeletedEvent: {
            id: string;
            /** @constant */
            type: "deployment.deleted";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A deployment was deleted */
            data: {
                deployment: components["schemas"]["EventDeployment"];
            };
        };
        ProjectCreatedEvent: {
            id: string;
            /** @constant */
            type: "project.created";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A project was created */
            data: {
                project: components["schemas"]["EventProject"];
            };
        };
        ProjectUpdatedEvent: {
            id: string;
            /** @constant */
            type: "project.updated";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description Settings of a project changed */
            data: {
                project: components["schemas"]["EventProject"];
                /** @description The names of the fields */
                changed: string[];
            };
        };
        ProjectDeletedEvent: {
            id: string;
            /** @constant */
            type: "project.deleted";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A project was deleted, with its deployments */
            data: {
                project: components["schemas"]["EventProject"];
            };
        };
        DomainCreatedEvent: {
            id: string;
            /** @constant */
            type: "domain.created";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description The team claimed a domain */
            data: {
                domain: components["schemas"]["EventDomain"];
            };
        };
        DomainVerifiedEvent: {
            id: string;
            /** @constant */
            type: "domain.verified";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A domain was verified */
            data: {
                domain: components["schemas"]["EventDomain"];
            };
        };
        DomainUnverifiedEvent: {
            id: string;
            /** @constant */
            type: "domain.unverified";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A domain is no longer verified, and not served */
            data: {
                domain: components["schemas"]["EventDomain"];
            };
        };
        DomainCertificate_failedEvent: {
            id: string;
            /** @constant */
            type: "domain.certificate_failed";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A certificate for a domain could not be issued; it is tried again */
            data: {
                domain: components["schemas"]["EventDomain"];
                error: {
                    reason: string;
                    message: string;
                };
            };
        };
        DomainDeletedEvent: {
            id: string;
            /** @constant */
            type: "domain.deleted";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A domain was deleted, with its records */
            data: {
                domain: components["schemas"]["EventDomain"];
            };
        };
        RecordCreatedEvent: {
            id: string;
            /** @constant */
            type: "record.created";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A DNS record was created */
            data: {
                record: components["schemas"]["EventRecord"];
            };
        };
        RecordUpdatedEvent: {
            id: string;
            /** @constant */
            type: "record.updated";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A DNS record changed */
            data: {
                record: components["schemas"]["EventRecord"];
            };
        };
        RecordDeletedEvent: {
            id: string;
            /** @constant */
            type: "record.deleted";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A DNS record was deleted */
            data: {
                record: components["schemas"]["EventRecord"];
            };
        };
        KeyCreatedEvent: {
            id: string;
            /** @constant */
            type: "key.created";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description An API key was created */
            data: {
                key: components["schemas"]["EventKey"];
            };
        };
        KeyRevokedEvent: {
            id: string;
            /** @constant */
            type: "key.revoked";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description An API key was revoked */
            data: {
                key: components["schemas"]["EventKey"];
            };
        };
        HookCreatedEvent: {
            id: string;
            /** @constant */
            type: "hook.created";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A deploy hook was made */
            data: {
                hook: components["schemas"]["EventHook"];
            };
        };
        HookRevokedEvent: {
            id: string;
            /** @constant */
            type: "hook.revoked";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A deploy hook was revoked */
            data: {
                hook: components["schemas"]["EventHook"];
            };
        };
        TrustCreatedEvent: {
            id: string;
            /** @constant */
            type: "trust.created";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A trust policy was made */
            data: {
                policy: components["schemas"]["EventPolicy"];
            };
        };
        TrustRevokedEvent: {
            id: string;
            /** @constant */
            type: "trust.revoked";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A trust policy was revoked */
            data: {
                policy: components["schemas"]["EventPolicy"];
            };
        };
        GitApprovedEvent: {
            id: string;
            /** @constant */
            type: "git.approved";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A commit of a pull request from a fork was approved, and will be deployed */
            data: {
                pull_request: components["schemas"]["EventPull_request"];
            };
        };
        TeamUpdatedEvent: {
            id: string;
            /** @constant */
            type: "team.updated";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description The name or the members of the team changed */
            data: {
                team: components["schemas"]["EventTeam"];
                /** @description The names of the fields */
                changed: string[];
            };
        };
        MemberAddedEvent: {
            id: string;
            /** @constant */
            type: "member.added";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A member was added or invited */
            data: {
                member: components["schemas"]["EventMember"];
            };
        };
        MemberRemovedEvent: {
            id: string;
            /** @constant */
            type: "member.removed";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A member or an invitation was removed */
            data: {
                member: components["schemas"]["EventMember"];
            };
        };
        WebhookPingEvent: {
            id: string;
            /** @constant */
            type: "webhook.ping";
            /**
             * @description Unix epoch, milliseconds
             * @example 1790000000000
             */
            created_ms: number;
            /** @description The team's slug */
            team: string;
            /** @description A webhook was created: sent to this webhook only */
            data: {
                webhook: components["schemas"]["EventWebhook"];
            };
        };
    };
    responses: never;
    parameters: {
        /** @description Identifies the message; the same in each attempt */
        WebhookId: string;
        /** @description When the attempt was made, in seconds of Unix time */
        WebhookTimestamp: string;
        /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
        WebhookSignature: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "deployments-list": {
        parameters: {
            query?: {
                /** @description How many rows at most */
                limit?: number;
                /** @description next_cursor of the page before */
                cursor?: string;
                /** @description A project's name or id */
                project?: string;
                /** @description Only those for this target */
                target?: "production" | "preview";
                /** @description A comma list of states */
                state?: string;
                /** @description meta.branch */
                branch?: string;
                /** @description Created then or later */
                since_ms?: number;
                /** @description Created before */
                until_ms?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of deployments */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "dpl_019aa5d3d1c0a4b2f60d93c2e8175b64",
                     *           "project": "web",
                     *           "target": "production",
                     *           "state": "ready",
                     *           "url": "https://web-5e1f0a9c37d2.svc.site",
                     *           "aliases": [
                     *             "https://web.svc.site"
                     *           ],
                     *           "live": true,
                     *           "live_since_ms": 1790000002000,
                     *           "rollback_candidate": false,
                     *           "queue_position": null,
                     *           "build": {
                     *             "install_command": null,
                     *             "build_command": null,
                     *             "output_directory": "dist",
                     *             "root_directory": "."
                     *           },
                     *           "error": null,
                     *           "files": 2,
                     *           "bytes": 1742,
                     *           "meta": {
                     *             "branch": "main",
                     *             "commit": "4f0c2d1"
                     *           },
                     *           "warnings": [
                     *             {
                     *               "path": "_redirects",
                     *               "line": 3,
                     *               "message": "https://www.example.com/* is passed over: rules apply to every host of the site; write a path."
                     *             }
                     *           ],
                     *           "source": {
                     *             "kind": "api",
                     *             "name": "CI"
                     *           },
                     *           "redeploy_of": null,
                     *           "untrusted": false,
                     *           "created_by": "usr_019aa5d3a0507e3b1d8c64f2a9b05c17",
                     *           "created_by_name": "Ada Lovelace",
                     *           "created_ms": 1790000002000,
                     *           "building_ms": null,
                     *           "ready_ms": 1790000002000,
                     *           "ended_ms": 1790000002000,
                     *           "expires_ms": null
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Deployment"][];
                        /** @description Pass it as cursor to get the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "deployments-create": {
        parameters: {
            query?: {
                /** @description With a zip: the project */
                project?: string;
                /** @description With a zip: the target, preview if omitted */
                target?: "production" | "preview";
                /** @description With a zip: an entry of meta for each parameter `meta.<key>` */
                meta?: {
                    [key: string]: string;
                };
            };
            header?: {
                /** @description Makes retries safe: for 24 hours, the same key and input get the first response again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "project": "web",
                 *       "target": "production",
                 *       "files": [
                 *         {
                 *           "path": "index.html",
                 *           "content": "<!doctype html><h1>Hello</h1>"
                 *         },
                 *         {
                 *           "path": "logo.png",
                 *           "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
                 *           "size": 1713
                 *         }
                 *       ],
                 *       "meta": {
                 *         "branch": "main",
                 *         "commit": "4f0c2d1"
                 *       }
                 *     }
                 */
                "application/json": {
                    /**
                     * @description A project's name or id
                     * @example web
                     */
                    project: string;
                    /**
                     * @description preview if omitted; with `from`, that deployment's
                     * @enum {string}
                     */
                    target?: "production" | "preview";
                    /** @description By content, or by sha256 and size */
                    files?: components["schemas"]["DeploymentFile"][];
                    /** @description Instead of files: the id of a deployment of the project, whose sources are deployed again, with the settings and variables of today */
                    from?: string;
                    /** @description Arbitrary strings, such as branch, commit and message; with `from`, that deployment's */
                    meta?: {
                        [key: string]: string;
                    };
                    /** @description Overrides the project's */
                    build?: {
                        install_command?: string | null;
                        build_command?: string | null;
                        output_directory?: string | null;
                        root_directory?: string | null;
                    };
                    /** @description Whether missing files may have a `direct` URL beside their `upload_url`, as far as the server has any */
                    direct_uploads?: boolean;
                };
                "application/zip": unknown;
            };
        };
        responses: {
            /** @description The deployment */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dpl_019aa5d3d1c0a4b2f60d93c2e8175b64",
                     *       "project": "web",
                     *       "target": "production",
                     *       "state": "ready",
                     *       "url": "https://web-5e1f0a9c37d2.svc.site",
                     *       "aliases": [
                     *         "https://web.svc.site"
                     *       ],
                     *       "live": true,
                     *       "live_since_ms": 1790000002000,
                     *       "rollback_candidate": false,
                     *       "queue_position": null,
                     *       "build": {
                     *         "install_command": null,
                     *         "build_command": null,
                     *         "output_directory": "dist",
                     *         "root_directory": "."
                     *       },
                     *       "error": null,
                     *       "files": 2,
                     *       "bytes": 1742,
                     *       "meta": {
                     *         "branch": "main",
                     *         "commit": "4f0c2d1"
                     *       },
                     *       "warnings": [
                     *         {
                     *           "path": "_redirects",
                     *           "line": 3,
                     *           "message": "https://www.example.com/* is passed over: rules apply to every host of the site; write a path."
                     *         }
                     *       ],
                     *       "source": {
                     *         "kind": "api",
                     *         "name": "CI"
                     *       },
                     *       "redeploy_of": null,
                     *       "untrusted": false,
                     *       "created_by": "usr_019aa5d3a0507e3b1d8c64f2a9b05c17",
                     *       "created_by_name": "Ada Lovelace",
                     *       "created_ms": 1790000002000,
                     *       "building_ms": null,
                     *       "ready_ms": 1790000002000,
                     *       "ended_ms": 1790000002000,
                     *       "expires_ms": null
                     *     }
                     */
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body arrived too slowly. */
            408: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A conflict with a name in use or the current state, or an Idempotency-Key in use. */
            409: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "deployments-get": {
        parameters: {
            query?: {
                /** @description How long to wait for a final state, in seconds */
                wait_s?: number;
            };
            header?: never;
            path: {
                /** @description The deployment's id */
                deployment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deployment */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dpl_019aa5d3d1c0a4b2f60d93c2e8175b64",
                     *       "project": "web",
                     *       "target": "production",
                     *       "state": "ready",
                     *       "url": "https://web-5e1f0a9c37d2.svc.site",
                     *       "aliases": [
                     *         "https://web.svc.site"
                     *       ],
                     *       "live": true,
                     *       "live_since_ms": 1790000002000,
                     *       "rollback_candidate": false,
                     *       "queue_position": null,
                     *       "build": {
                     *         "install_command": null,
                     *         "build_command": null,
                     *         "output_directory": "dist",
                     *         "root_directory": "."
                     *       },
                     *       "error": null,
                     *       "files": 2,
                     *       "bytes": 1742,
                     *       "meta": {
                     *         "branch": "main",
                     *         "commit": "4f0c2d1"
                     *       },
                     *       "warnings": [
                     *         {
                     *           "path": "_redirects",
                     *           "line": 3,
                     *           "message": "https://www.example.com/* is passed over: rules apply to every host of the site; write a path."
                     *         }
                     *       ],
                     *       "source": {
                     *         "kind": "api",
                     *         "name": "CI"
                     *       },
                     *       "redeploy_of": null,
                     *       "untrusted": false,
                     *       "created_by": "usr_019aa5d3a0507e3b1d8c64f2a9b05c17",
                     *       "created_by_name": "Ada Lovelace",
                     *       "created_ms": 1790000002000,
                     *       "building_ms": null,
                     *       "ready_ms": 1790000002000,
                     *       "ended_ms": 1790000002000,
                     *       "expires_ms": null
                     *     }
                     */
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "deployments-delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The deployment's id */
                deployment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The canceled deployment, or confirmation of the deletion */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dpl_019aa5d3d1c0a4b2f60d93c2e8175b64",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": components["schemas"]["Deployment"] | {
                        id: string;
                        /** @constant */
                        deleted: true;
                    };
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body arrived too slowly. */
            408: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A conflict with a name in use or the current state, or an Idempotency-Key in use. */
            409: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "deployments-promote": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, the same key and input get the first response again */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The deployment's id */
                deployment: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The deployment, live */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dpl_019aa5d3d1c0a4b2f60d93c2e8175b64",
                     *       "project": "web",
                     *       "target": "production",
                     *       "state": "ready",
                     *       "url": "https://web-5e1f0a9c37d2.svc.site",
                     *       "aliases": [
                     *         "https://web.svc.site"
                     *       ],
                     *       "live": true,
                     *       "live_since_ms": 1790000002000,
                     *       "rollback_candidate": false,
                     *       "queue_position": null,
                     *       "build": {
                     *         "install_command": null,
                     *         "build_command": null,
                     *         "output_directory": "dist",
                     *         "root_directory": "."
                     *       },
                     *       "error": null,
                     *       "files": 2,
                     *       "bytes": 1742,
                     *       "meta": {
                     *         "branch": "main",
                     *         "commit": "4f0c2d1"
                     *       },
                     *       "warnings": [
                     *         {
                     *           "path": "_redirects",
                     *           "line": 3,
                     *           "message": "https://www.example.com/* is passed over: rules apply to every host of the site; write a path."
                     *         }
                     *       ],
                     *       "source": {
                     *         "kind": "api",
                     *         "name": "CI"
                     *       },
                     *       "redeploy_of": null,
                     *       "untrusted": false,
                     *       "created_by": "usr_019aa5d3a0507e3b1d8c64f2a9b05c17",
                     *       "created_by_name": "Ada Lovelace",
                     *       "created_ms": 1790000002000,
                     *       "building_ms": null,
                     *       "ready_ms": 1790000002000,
                     *       "ended_ms": 1790000002000,
                     *       "expires_ms": null
                     *     }
                     */
                    "application/json": components["schemas"]["Deployment"];
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body arrived too slowly. */
            408: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A conflict with a name in use or the current state, or an Idempotency-Key in use. */
            409: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "projects-list": {
        parameters: {
            query?: {
                /** @description How many rows at most */
                limit?: number;
                /** @description next_cursor of the page before */
                cursor?: string;
                /** @description Only those whose name contains this */
                q?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of projects */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "prj_019aa5d3c80062f17c2f0b9e4d7a8c31",
                     *           "name": "web",
                     *           "build": {
                     *             "install_command": null,
                     *             "build_command": null,
                     *             "output_directory": "dist",
                     *             "root_directory": "."
                     *           },
                     *           "env": [
                     *             {
                     *               "key": "API_BASE",
                     *               "target": [
                     *                 "production",
                     *                 "preview"
                     *               ],
                     *               "branch": null,
                     *               "updated_ms": 1790000000000
                     *             }
                     *           ],
                     *           "protection": "preview",
                     *           "bypass_set": false,
                     *           "password_set": false,
                     *           "auto_promote": true,
                     *           "preview_ttl_days": 30,
                     *           "spa": false,
                     *           "hsts": false,
                     *           "branch_addresses": true,
                     *           "git": {
                     *             "production_branch": "main",
                     *             "provider": "github",
                     *             "url": "https://github.com/acme/web",
                     *             "root_directory": null,
                     *             "skip_unchanged": true,
                     *             "close_days": 14,
                     *             "forks": false,
                     *             "token_set": true,
                     *             "secret_set": true,
                     *             "hook_url": "https://svc.example.com/hooks/git/prj_019aa5d3c80062f17c2f0b9e4d7a8c31"
                     *           },
                     *           "production_url": "https://web.svc.site",
                     *           "production_deployment": "dpl_019aa5d3d1c0a4b2f60d93c2e8175b64",
                     *           "domains": [
                     *             "www.example.com"
                     *           ],
                     *           "branches": [
                     *             {
                     *               "name": "next",
                     *               "url": "https://web-git-next.svc.site",
                     *               "deployment": "dpl_019aa5d3d1c0a4b2f60d93c2e8175b64"
                     *             }
                     *           ],
                     *           "created_ms": 1790000000000,
                     *           "updated_ms": 1790000000000
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Project"][];
                        /** @description Pass it as cursor to get the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "projects-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A project's name or id */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "prj_019aa5d3c80062f17c2f0b9e4d7a8c31",
                     *       "name": "web",
                     *       "build": {
                     *         "install_command": null,
                     *         "build_command": null,
                     *         "output_directory": "dist",
                     *         "root_directory": "."
                     *       },
                     *       "env": [
                     *         {
                     *           "key": "API_BASE",
                     *           "target": [
                     *             "production",
                     *             "preview"
                     *           ],
                     *           "branch": null,
                     *           "updated_ms": 1790000000000
                     *         }
                     *       ],
                     *       "protection": "preview",
                     *       "bypass_set": false,
                     *       "password_set": false,
                     *       "auto_promote": true,
                     *       "preview_ttl_days": 30,
                     *       "spa": false,
                     *       "hsts": false,
                     *       "branch_addresses": true,
                     *       "git": {
                     *         "production_branch": "main",
                     *         "provider": "github",
                     *         "url": "https://github.com/acme/web",
                     *         "root_directory": null,
                     *         "skip_unchanged": true,
                     *         "close_days": 14,
                     *         "forks": false,
                     *         "token_set": true,
                     *         "secret_set": true,
                     *         "hook_url": "https://svc.example.com/hooks/git/prj_019aa5d3c80062f17c2f0b9e4d7a8c31"
                     *       },
                     *       "production_url": "https://web.svc.site",
                     *       "production_deployment": "dpl_019aa5d3d1c0a4b2f60d93c2e8175b64",
                     *       "domains": [
                     *         "www.example.com"
                     *       ],
                     *       "branches": [
                     *         {
                     *           "name": "next",
                     *           "url": "https://web-git-next.svc.site",
                     *           "deployment": "dpl_019aa5d3d1c0a4b2f60d93c2e8175b64"
                     *         }
                     *       ],
                     *       "created_ms": 1790000000000,
                     *       "updated_ms": 1790000000000
                     *     }
                     */
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "projects-put": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A project's name or id */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "protection": "preview",
                 *       "env": [
                 *         {
                 *           "key": "API_BASE",
                 *           "value": "https://api.example.com"
                 *         }
                 *       ],
                 *       "preview_ttl_days": 30
                 *     }
                 */
                "application/json": {
                    /**
                     * @description A new name
                     * @example web
                     */
                    name?: string;
                    build?: {
                        install_command?: string | null;
                        build_command?: string | null;
                        output_directory?: string | null;
                        root_directory?: string | null;
                    } | null;
                    /** @description Variables to set or remove; others stay. null removes all */
                    env?: {
                        key: string;
                        /** @description null removes the variable */
                        value: string | null;
                        /** @description production and preview if omitted; with `branch`, preview */
                        target?: ("production" | "preview")[];
                        /** @description Only for previews of this branch, where it takes the place of other values */
                        branch?: string;
                    }[] | null;
                    /** @description Which hosts require a credential. For owners */
                    protection?: ("none" | "preview" | "all") | null;
                    /**
                     * Format: password
                     * @description Grants access to protected hosts as x-svc-bypass. Write-only. For owners
                     */
                    bypass_secret?: string | null;
                    /**
                     * Format: password
                     * @description Opens protected hosts in a browser. Write-only. For owners
                     */
                    password?: string | null;
                    /** @description Whether production deployments go live automatically. For owners */
                    auto_promote?: boolean | null;
                    /** @description Older previews are deleted. For owners */
                    preview_ttl_days?: number | null;
                    /** @description Serves index.html for unknown paths */
                    spa?: boolean | null;
                    /** @description Tells browsers to use HTTPS alone for a year (Strict-Transport-Security) */
                    hsts?: boolean | null;
                    /** @description Whether each branch has an address, which leads to its newest deployment */
                    branch_addresses?: boolean | null;
                    /** @description Branches, and the repository that pushes come from. For owners */
                    git?: {
                        /** @description Whose pushes go to production; null: `main`, or the first that is pushed */
                        production_branch?: string | null;
                        /**
                         * @description The kind of forge, where its host does not say it; Forgejo is gitea
                         * @enum {string}
                         */
                        provider?: "github" | "gitlab" | "gitea";
                        /**
                         * @description The address of a repository whose pushes are deployed; null disconnects it
                         * @example https://github.com/acme/web
                         */
                        url?: string | null;
                        /**
                         * Format: password
                         * @description Reads the repository, if it is private. Write-only; ends when url changes
                         */
                        token?: string | null;
                        /**
                         * Format: password
                         * @description Signs what the forge sends to hook_url. Write-only; ends when url changes
                         */
                        secret?: string | null;
                        /** @description The directory of the repository that is deployed; null: all of it */
                        root_directory?: string | null;
                        /** @description Whether pushes that change nothing in root_directory are passed over */
                        skip_unchanged?: boolean | null;
                        /** @description After so many days deployments of closed pull requests are deleted; null: they stay */
                        close_days?: number | null;
                        /** @description With "approve", pull requests of forks are deployed as untrusted previews, each head commit once an owner has approved it; false when url changes */
                        forks?: (false | "approve") | null;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The project */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "prj_019aa5d3c80062f17c2f0b9e4d7a8c31",
                     *       "name": "web",
                     *       "build": {
                     *         "install_command": null,
                     *         "build_command": null,
                     *         "output_directory": "dist",
                     *         "root_directory": "."
                     *       },
                     *       "env": [
                     *         {
                     *           "key": "API_BASE",
                     *           "target": [
                     *             "production",
                     *             "preview"
                     *           ],
                     *           "branch": null,
                     *           "updated_ms": 1790000000000
                     *         }
                     *       ],
                     *       "protection": "preview",
                     *       "bypass_set": false,
                     *       "password_set": false,
                     *       "auto_promote": true,
                     *       "preview_ttl_days": 30,
                     *       "spa": false,
                     *       "hsts": false,
                     *       "branch_addresses": true,
                     *       "git": {
                     *         "production_branch": "main",
                     *         "provider": "github",
                     *         "url": "https://github.com/acme/web",
                     *         "root_directory": null,
                     *         "skip_unchanged": true,
                     *         "close_days": 14,
                     *         "forks": false,
                     *         "token_set": true,
                     *         "secret_set": true,
                     *         "hook_url": "https://svc.example.com/hooks/git/prj_019aa5d3c80062f17c2f0b9e4d7a8c31"
                     *       },
                     *       "production_url": "https://web.svc.site",
                     *       "production_deployment": "dpl_019aa5d3d1c0a4b2f60d93c2e8175b64",
                     *       "domains": [
                     *         "www.example.com"
                     *       ],
                     *       "branches": [
                     *         {
                     *           "name": "next",
                     *           "url": "https://web-git-next.svc.site",
                     *           "deployment": "dpl_019aa5d3d1c0a4b2f60d93c2e8175b64"
                     *         }
                     *       ],
                     *       "created_ms": 1790000000000,
                     *       "updated_ms": 1790000000000
                     *     }
                     */
                    "application/json": components["schemas"]["Project"];
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body arrived too slowly. */
            408: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A conflict with a name in use or the current state, or an Idempotency-Key in use. */
            409: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "projects-delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A project's name or id */
                project: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The project was deleted */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "prj_019aa5d3c80062f17c2f0b9e4d7a8c31",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        id: string;
                        /** @constant */
                        deleted: true;
                    };
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body arrived too slowly. */
            408: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "domains-list": {
        parameters: {
            query?: {
                /** @description How many rows at most */
                limit?: number;
                /** @description next_cursor of the page before */
                cursor?: string;
                /** @description A project's name or id */
                project?: string;
                /** @description Only verified ones, or only others */
                verified?: boolean;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of domains */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "dom_019aa5d3e4a1b07c92d85f3e6a0b1c47",
                     *           "domain": "www.example.com",
                     *           "project": "web",
                     *           "redirect": null,
                     *           "verified": true,
                     *           "verification": [
                     *             {
                     *               "type": "TXT",
                     *               "name": "_svc.www.example.com",
                     *               "value": "svc-verify=5yWg2mZ0cR8hN4tQvK1uXs7bLpE9dJfA3oTiYx6HwGM"
                     *             }
                     *           ],
                     *           "configured": true,
                     *           "expected": [
                     *             {
                     *               "type": "CNAME",
                     *               "name": "www.example.com",
                     *               "value": "edge.svc.site"
                     *             }
                     *           ],
                     *           "seen": [
                     *             {
                     *               "type": "CNAME",
                     *               "name": "www.example.com",
                     *               "value": "edge.svc.site"
                     *             }
                     *           ],
                     *           "error": null,
                     *           "tls": {
                     *             "state": "active",
                     *             "not_after_ms": 1793888060000,
                     *             "error": null,
                     *             "own": false
                     *           },
                     *           "nameservers": [
                     *             "ns1.svc.site",
                     *             "ns2.svc.site"
                     *           ],
                     *           "created_ms": 1790000000000,
                     *           "verified_ms": 1790000060000,
                     *           "checked_ms": 1790000060000,
                     *           "next_check_ms": 1790086460000
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Domain"][];
                        /** @description Pass it as cursor to get the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "domains-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The domain's name, in any spelling, or its id */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dom_019aa5d3e4a1b07c92d85f3e6a0b1c47",
                     *       "domain": "www.example.com",
                     *       "project": "web",
                     *       "redirect": null,
                     *       "verified": true,
                     *       "verification": [
                     *         {
                     *           "type": "TXT",
                     *           "name": "_svc.www.example.com",
                     *           "value": "svc-verify=5yWg2mZ0cR8hN4tQvK1uXs7bLpE9dJfA3oTiYx6HwGM"
                     *         }
                     *       ],
                     *       "configured": true,
                     *       "expected": [
                     *         {
                     *           "type": "CNAME",
                     *           "name": "www.example.com",
                     *           "value": "edge.svc.site"
                     *         }
                     *       ],
                     *       "seen": [
                     *         {
                     *           "type": "CNAME",
                     *           "name": "www.example.com",
                     *           "value": "edge.svc.site"
                     *         }
                     *       ],
                     *       "error": null,
                     *       "tls": {
                     *         "state": "active",
                     *         "not_after_ms": 1793888060000,
                     *         "error": null,
                     *         "own": false
                     *       },
                     *       "nameservers": [
                     *         "ns1.svc.site",
                     *         "ns2.svc.site"
                     *       ],
                     *       "created_ms": 1790000000000,
                     *       "verified_ms": 1790000060000,
                     *       "checked_ms": 1790000060000,
                     *       "next_check_ms": 1790086460000
                     *     }
                     */
                    "application/json": components["schemas"]["Domain"];
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "domains-put": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The domain's name, in any spelling, or its id */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "project": "web"
                 *     }
                 */
                "application/json": {
                    /** @description The project that it serves, by name or id */
                    project?: string | null;
                    /** @description The host to redirect to; takes precedence over project */
                    redirect?: {
                        /**
                         * @description A host name
                         * @example example.com
                         */
                        to: string;
                        /**
                         * @description 307 and 308 keep the method
                         * @default 308
                         * @enum {number}
                         */
                        status?: 301 | 302 | 307 | 308;
                    } | null;
                    /** @description A certificate of your own, which takes precedence; never shown */
                    certificate?: {
                        /** @description PEM: the certificate, followed by its issuers */
                        chain: string;
                        /** @description PEM: its private key, without a passphrase */
                        key: string;
                    } | null;
                };
            };
        };
        responses: {
            /** @description The domain */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dom_019aa5d3e4a1b07c92d85f3e6a0b1c47",
                     *       "domain": "www.example.com",
                     *       "project": "web",
                     *       "redirect": null,
                     *       "verified": true,
                     *       "verification": [
                     *         {
                     *           "type": "TXT",
                     *           "name": "_svc.www.example.com",
                     *           "value": "svc-verify=5yWg2mZ0cR8hN4tQvK1uXs7bLpE9dJfA3oTiYx6HwGM"
                     *         }
                     *       ],
                     *       "configured": true,
                     *       "expected": [
                     *         {
                     *           "type": "CNAME",
                     *           "name": "www.example.com",
                     *           "value": "edge.svc.site"
                     *         }
                     *       ],
                     *       "seen": [
                     *         {
                     *           "type": "CNAME",
                     *           "name": "www.example.com",
                     *           "value": "edge.svc.site"
                     *         }
                     *       ],
                     *       "error": null,
                     *       "tls": {
                     *         "state": "active",
                     *         "not_after_ms": 1793888060000,
                     *         "error": null,
                     *         "own": false
                     *       },
                     *       "nameservers": [
                     *         "ns1.svc.site",
                     *         "ns2.svc.site"
                     *       ],
                     *       "created_ms": 1790000000000,
                     *       "verified_ms": 1790000060000,
                     *       "checked_ms": 1790000060000,
                     *       "next_check_ms": 1790086460000
                     *     }
                     */
                    "application/json": components["schemas"]["Domain"];
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body arrived too slowly. */
            408: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A conflict with a name in use or the current state, or an Idempotency-Key in use. */
            409: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "domains-delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The domain's name, in any spelling, or its id */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain was deleted */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dom_019aa5d3e4a1b07c92d85f3e6a0b1c47",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        id: string;
                        /** @constant */
                        deleted: true;
                    };
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body arrived too slowly. */
            408: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "domains-verify": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, the same key and input get the first response again */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description The domain's name, in any spelling, or its id */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The domain, verified or not */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "dom_019aa5d3e4a1b07c92d85f3e6a0b1c47",
                     *       "domain": "www.example.com",
                     *       "project": "web",
                     *       "redirect": null,
                     *       "verified": true,
                     *       "verification": [
                     *         {
                     *           "type": "TXT",
                     *           "name": "_svc.www.example.com",
                     *           "value": "svc-verify=5yWg2mZ0cR8hN4tQvK1uXs7bLpE9dJfA3oTiYx6HwGM"
                     *         }
                     *       ],
                     *       "configured": true,
                     *       "expected": [
                     *         {
                     *           "type": "CNAME",
                     *           "name": "www.example.com",
                     *           "value": "edge.svc.site"
                     *         }
                     *       ],
                     *       "seen": [
                     *         {
                     *           "type": "CNAME",
                     *           "name": "www.example.com",
                     *           "value": "edge.svc.site"
                     *         }
                     *       ],
                     *       "error": null,
                     *       "tls": {
                     *         "state": "active",
                     *         "not_after_ms": 1793888060000,
                     *         "error": null,
                     *         "own": false
                     *       },
                     *       "nameservers": [
                     *         "ns1.svc.site",
                     *         "ns2.svc.site"
                     *       ],
                     *       "created_ms": 1790000000000,
                     *       "verified_ms": 1790000060000,
                     *       "checked_ms": 1790000060000,
                     *       "next_check_ms": 1790086460000
                     *     }
                     */
                    "application/json": components["schemas"]["Domain"];
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body arrived too slowly. */
            408: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A conflict with a name in use or the current state, or an Idempotency-Key in use. */
            409: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "dns-list": {
        parameters: {
            query?: {
                /** @description How many rows at most */
                limit?: number;
                /** @description next_cursor of the page before */
                cursor?: string;
                /** @description Only those of this name, relative to the zone */
                name?: string;
                /** @description Only those of this type */
                type?: "A" | "AAAA" | "ALIAS" | "CAA" | "CNAME" | "DS" | "HTTPS" | "LOC" | "MX" | "NAPTR" | "NS" | "PTR" | "SRV" | "SSHFP" | "SVCB" | "TLSA" | "TXT";
            };
            header?: never;
            path: {
                /** @description A domain's name or id */
                domain: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of records */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "rec_019aa5d3e5b07c1f2d4a6980b3c5e7f1",
                     *           "domain": "example.com",
                     *           "name": "@",
                     *           "fqdn": "example.com",
                     *           "type": "MX",
                     *           "value": "mail.example.com",
                     *           "strings": null,
                     *           "ttl": 300,
                     *           "priority": 10,
                     *           "weight": null,
                     *           "port": null,
                     *           "comment": "our own server",
                     *           "managed": false,
                     *           "created_ms": 1790000000000,
                     *           "updated_ms": 1790000000000
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["DnsRecord"][];
                        /** @description Pass it as cursor to get the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "dns-create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, the same key and input get the first response again */
                "Idempotency-Key"?: string;
            };
            path: {
                /** @description A domain's name or id */
                domain: string;
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "@",
                 *       "type": "MX",
                 *       "value": "mail.example.com",
                 *       "priority": 10,
                 *       "comment": "our own server"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Relative to the domain, @ for the domain itself; absolute with a dot at the end. * as the first label: any name
                     * @example www
                     */
                    name: string;
                    /** @enum {string} */
                    type: "A" | "AAAA" | "ALIAS" | "CAA" | "CNAME" | "DS" | "HTTPS" | "LOC" | "MX" | "NAPTR" | "NS" | "PTR" | "SRV" | "SSHFP" | "SVCB" | "TLSA" | "TXT";
                    /** @description In the format of the type; TXT: the text, unquoted */
                    value: string;
                    /** @description TXT: the strings that make up the value; default: of 255 bytes each */
                    strings?: string[] | null;
                    /** @description Seconds, for all records of the name and type; default 300 */
                    ttl?: number | null;
                    /** @description HTTPS, MX, SRV and SVCB: lower is tried first; 0 makes HTTPS and SVCB an alias */
                    priority?: number | null;
                    /** @description SRV: the share among records of one priority */
                    weight?: number | null;
                    /** @description SRV only */
                    port?: number | null;
                    comment?: string | null;
                };
            };
        };
        responses: {
            /** @description The record */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rec_019aa5d3e5b07c1f2d4a6980b3c5e7f1",
                     *       "domain": "example.com",
                     *       "name": "@",
                     *       "fqdn": "example.com",
                     *       "type": "MX",
                     *       "value": "mail.example.com",
                     *       "strings": null,
                     *       "ttl": 300,
                     *       "priority": 10,
                     *       "weight": null,
                     *       "port": null,
                     *       "comment": "our own server",
                     *       "managed": false,
                     *       "created_ms": 1790000000000,
                     *       "updated_ms": 1790000000000
                     *     }
                     */
                    "application/json": components["schemas"]["DnsRecord"];
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body arrived too slowly. */
            408: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A conflict with a name in use or the current state, or an Idempotency-Key in use. */
            409: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "dns-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A domain's name or id */
                domain: string;
                /** @description The record's id */
                record: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rec_019aa5d3e5b07c1f2d4a6980b3c5e7f1",
                     *       "domain": "example.com",
                     *       "name": "@",
                     *       "fqdn": "example.com",
                     *       "type": "MX",
                     *       "value": "mail.example.com",
                     *       "strings": null,
                     *       "ttl": 300,
                     *       "priority": 10,
                     *       "weight": null,
                     *       "port": null,
                     *       "comment": "our own server",
                     *       "managed": false,
                     *       "created_ms": 1790000000000,
                     *       "updated_ms": 1790000000000
                     *     }
                     */
                    "application/json": components["schemas"]["DnsRecord"];
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "dns-put": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A domain's name or id */
                domain: string;
                /** @description The record's id */
                record: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "value": "mx.example.com",
                 *       "ttl": 3600
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Relative to the domain, @ for the domain itself; absolute with a dot at the end. * as the first label: any name
                     * @example www
                     */
                    name?: string;
                    /**
                     * @description The record's own: it can't be changed
                     * @enum {string}
                     */
                    type?: "A" | "AAAA" | "ALIAS" | "CAA" | "CNAME" | "DS" | "HTTPS" | "LOC" | "MX" | "NAPTR" | "NS" | "PTR" | "SRV" | "SSHFP" | "SVCB" | "TLSA" | "TXT";
                    /** @description In the format of the type; TXT: the text, unquoted */
                    value?: string;
                    /** @description TXT: the strings that make up the value, which may be omitted then; a new value alone clears them */
                    strings?: string[] | null;
                    /** @description Seconds, for all records of the name and type; default 300 */
                    ttl?: number | null;
                    /** @description HTTPS, MX, SRV and SVCB: lower is tried first; 0 makes HTTPS and SVCB an alias */
                    priority?: number | null;
                    /** @description SRV: the share among records of one priority */
                    weight?: number | null;
                    /** @description SRV only */
                    port?: number | null;
                    comment?: string | null;
                };
            };
        };
        responses: {
            /** @description The record */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rec_019aa5d3e5b07c1f2d4a6980b3c5e7f1",
                     *       "domain": "example.com",
                     *       "name": "@",
                     *       "fqdn": "example.com",
                     *       "type": "MX",
                     *       "value": "mx.example.com",
                     *       "strings": null,
                     *       "ttl": 3600,
                     *       "priority": 10,
                     *       "weight": null,
                     *       "port": null,
                     *       "comment": "our own server",
                     *       "managed": false,
                     *       "created_ms": 1790000000000,
                     *       "updated_ms": 1790000000000
                     *     }
                     */
                    "application/json": components["schemas"]["DnsRecord"];
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body arrived too slowly. */
            408: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A conflict with a name in use or the current state, or an Idempotency-Key in use. */
            409: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "dns-delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description A domain's name or id */
                domain: string;
                /** @description The record's id */
                record: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The record was deleted */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "rec_019aa5d3e5b07c1f2d4a6980b3c5e7f1",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        id: string;
                        /** @constant */
                        deleted: true;
                    };
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body arrived too slowly. */
            408: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A conflict with a name in use or the current state, or an Idempotency-Key in use. */
            409: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "webhooks-list": {
        parameters: {
            query?: {
                /** @description How many rows at most */
                limit?: number;
                /** @description next_cursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of webhooks */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "hook_019aa5d3e5b07c8d91f2a6430b7de158",
                     *           "format": "standard",
                     *           "url": "https://example.com/webhooks",
                     *           "events": [
                     *             "deployment.ready",
                     *             "deployment.error"
                     *           ],
                     *           "projects": [
                     *             "web"
                     *           ],
                     *           "enabled": true,
                     *           "disabled_reason": null,
                     *           "failing_since_ms": null,
                     *           "created_ms": 1790000000000,
                     *           "last_delivery_ms": 1790000002100
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Webhook"][];
                        /** @description Pass it as cursor to get the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "webhooks-create": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, the same key and input get the first response again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "url": "https://example.com/webhooks",
                 *       "events": [
                 *         "deployment.ready",
                 *         "deployment.error"
                 *       ],
                 *       "projects": [
                 *         "web"
                 *       ]
                 *     }
                 */
                "application/json": {
                    /**
                     * @description `standard`: signed requests (Standard Webhooks); `slack` and `discord`: messages for an incoming webhook of these, or of a service that takes the same; `mail`: mails to members who choose them
                     * @default standard
                     * @enum {string}
                     */
                    format?: "standard" | "slack" | "discord" | "mail";
                    /**
                     * @description https, port 443 or 8443; required for every format but `mail`, which has none
                     * @example https://example.com/webhooks
                     */
                    url?: string;
                    /**
                     * @description Required for `standard`; default of the others: deployment.ready, deployment.error, deployment.promoted, domain.verified, domain.unverified, domain.certificate_failed
                     * @example [
                     *       "deployment.ready",
                     *       "deployment.error"
                     *     ]
                     */
                    events?: ("deployment.created" | "deployment.ready" | "deployment.error" | "deployment.canceled" | "deployment.promoted" | "deployment.deleted" | "project.created" | "project.updated" | "project.deleted" | "domain.created" | "domain.verified" | "domain.unverified" | "domain.certificate_failed" | "domain.deleted" | "record.created" | "record.updated" | "record.deleted" | "key.created" | "key.revoked" | "hook.created" | "hook.revoked" | "trust.created" | "trust.revoked" | "git.approved" | "team.updated" | "member.added" | "member.removed" | "webhook.ping")[];
                    /** @description Only events of these projects, by name or id */
                    projects?: string[] | null;
                };
            };
        };
        responses: {
            /** @description The webhook, with its secret */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "hook_019aa5d3e5b07c8d91f2a6430b7de158",
                     *       "format": "standard",
                     *       "url": "https://example.com/webhooks",
                     *       "events": [
                     *         "deployment.ready",
                     *         "deployment.error"
                     *       ],
                     *       "projects": [
                     *         "web"
                     *       ],
                     *       "enabled": true,
                     *       "disabled_reason": null,
                     *       "failing_since_ms": null,
                     *       "created_ms": 1790000000000,
                     *       "last_delivery_ms": 1790000002100,
                     *       "secret": "whsec_<32 bytes in base64>"
                     *     }
                     */
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body arrived too slowly. */
            408: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A conflict with a name in use or the current state, or an Idempotency-Key in use. */
            409: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "webhooks-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id */
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "hook_019aa5d3e5b07c8d91f2a6430b7de158",
                     *       "format": "standard",
                     *       "url": "https://example.com/webhooks",
                     *       "events": [
                     *         "deployment.ready",
                     *         "deployment.error"
                     *       ],
                     *       "projects": [
                     *         "web"
                     *       ],
                     *       "enabled": true,
                     *       "disabled_reason": null,
                     *       "failing_since_ms": null,
                     *       "created_ms": 1790000000000,
                     *       "last_delivery_ms": 1790000002100,
                     *       "deliveries": [
                     *         {
                     *           "id": "dlv_6f1d0c5be2a94873b1c7e0589adf3426",
                     *           "event": "evt_019aa5d3d2f41b6c80a95e7d3f2c4816",
                     *           "status": "delivered",
                     *           "http_status": 200,
                     *           "attempts": 1,
                     *           "duration_ms": 42,
                     *           "next_attempt_ms": null,
                     *           "sent_to": null,
                     *           "error": null,
                     *           "created_ms": 1790000002000
                     *         }
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["WebhookWithDeliveries"];
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "webhooks-delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The webhook's id */
                webhook: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The webhook was deleted */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "hook_019aa5d3e5b07c8d91f2a6430b7de158",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        id: string;
                        /** @constant */
                        deleted: true;
                    };
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body arrived too slowly. */
            408: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "teams-list": {
        parameters: {
            query?: {
                /** @description How many rows at most */
                limit?: number;
                /** @description next_cursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of teams */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "team_019aa5d3a2b1c6e07f48d39b5a1c2e60",
                     *           "slug": "acme",
                     *           "name": "Acme",
                     *           "plan": "free",
                     *           "personal": false,
                     *           "role": "owner",
                     *           "second_factor_required": false,
                     *           "limited": false,
                     *           "created_ms": 1790000000000
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["Team"][];
                        /** @description Pass it as cursor to get the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "teams-get": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The team's slug or id */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The team */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "team_019aa5d3a2b1c6e07f48d39b5a1c2e60",
                     *       "slug": "acme",
                     *       "name": "Acme",
                     *       "plan": "free",
                     *       "personal": false,
                     *       "role": "owner",
                     *       "second_factor_required": false,
                     *       "limited": false,
                     *       "created_ms": 1790000000000,
                     *       "members": [
                     *         {
                     *           "email": "ada@example.com",
                     *           "name": "Ada",
                     *           "role": "owner",
                     *           "joined_ms": 1790000000000,
                     *           "unproven": false,
                     *           "projects": null
                     *         },
                     *         {
                     *           "email": "grace@example.com",
                     *           "name": null,
                     *           "role": "member",
                     *           "joined_ms": null,
                     *           "unproven": false,
                     *           "projects": [
                     *             "prj_019aa5d3c80062f17c2f0b9e4d7a8c31"
                     *           ]
                     *         }
                     *       ],
                     *       "updated_ms": 1790000001000
                     *     }
                     */
                    "application/json": components["schemas"]["TeamDetails"];
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "teams-put": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The team's slug or id */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                /**
                 * @example {
                 *       "name": "Acme",
                 *       "members": [
                 *         {
                 *           "email": "ada@example.com",
                 *           "role": "owner"
                 *         },
                 *         {
                 *           "email": "grace@example.com",
                 *           "role": "member"
                 *         }
                 *       ]
                 *     }
                 */
                "application/json": {
                    /** @description Any label; default: the slug */
                    name?: string;
                    /** @description The complete list. New addresses are invited, and join by accepting; members left out are removed, and their keys revoked */
                    members?: {
                        /** @description null stands for all members without an email address */
                        email: string | null;
                        /** @enum {string} */
                        role: "owner" | "member";
                        /** @description The projects to which a member is limited, by name or id. null: no limit; left out: as it is, and no limit for a new address. An owner has none */
                        projects?: string[] | null;
                    }[];
                    /**
                     * @description From a previous read: 409 if the team was changed since
                     * @example 1790000000000
                     */
                    updated_ms?: number;
                };
            };
        };
        responses: {
            /** @description The team */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "team_019aa5d3a2b1c6e07f48d39b5a1c2e60",
                     *       "slug": "acme",
                     *       "name": "Acme",
                     *       "plan": "free",
                     *       "personal": false,
                     *       "role": "owner",
                     *       "second_factor_required": false,
                     *       "limited": false,
                     *       "created_ms": 1790000000000,
                     *       "members": [
                     *         {
                     *           "email": "ada@example.com",
                     *           "name": "Ada",
                     *           "role": "owner",
                     *           "joined_ms": 1790000000000,
                     *           "unproven": false,
                     *           "projects": null
                     *         },
                     *         {
                     *           "email": "grace@example.com",
                     *           "name": null,
                     *           "role": "member",
                     *           "joined_ms": null,
                     *           "unproven": false,
                     *           "projects": [
                     *             "prj_019aa5d3c80062f17c2f0b9e4d7a8c31"
                     *           ]
                     *         }
                     *       ],
                     *       "updated_ms": 1790000001000
                     *     }
                     */
                    "application/json": components["schemas"]["PutTeam"];
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body arrived too slowly. */
            408: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A conflict with a name in use or the current state, or an Idempotency-Key in use. */
            409: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "teams-delete": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The team's slug or id */
                team: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The team was deleted */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "team_019aa5d3a2b1c6e07f48d39b5a1c2e60",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        id: string;
                        /** @constant */
                        deleted: true;
                    };
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body arrived too slowly. */
            408: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A conflict with a name in use or the current state, or an Idempotency-Key in use. */
            409: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "tokens-listKeys": {
        parameters: {
            query?: {
                /** @description How many rows at most */
                limit?: number;
                /** @description next_cursor of the page before */
                cursor?: string;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of keys */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "key_019aa5d3b3208fd4e7a15c60b2938d4e",
                     *           "name": "deploy from CI",
                     *           "prefix": "svc_Ab3dE6…",
                     *           "team": "personal",
                     *           "role": "member",
                     *           "created_by": "usr_019aa5d3a0507e3b1d8c64f2a9b05c17",
                     *           "created_by_name": "Ada Lovelace",
                     *           "created_ms": 1790000000000,
                     *           "last_used_ms": 0
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["ApiKey"][];
                        /** @description Pass it as cursor to get the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "tokens-createKey": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, the same key and input get the first response again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "name": "deploy from CI",
                 *       "role": "member"
                 *     }
                 */
                "application/json": {
                    /**
                     * @description Any label
                     * @example deploy from CI
                     */
                    name: string;
                    /**
                     * @description The key's role, at most the creator's
                     * @default member
                     * @enum {string}
                     */
                    role?: "owner" | "member";
                };
            };
        };
        responses: {
            /** @description The key, with its token */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_019aa5d3b3208fd4e7a15c60b2938d4e",
                     *       "name": "deploy from CI",
                     *       "prefix": "svc_Ab3dE6…",
                     *       "team": "personal",
                     *       "role": "member",
                     *       "created_by": "usr_019aa5d3a0507e3b1d8c64f2a9b05c17",
                     *       "created_by_name": "Ada Lovelace",
                     *       "created_ms": 1790000000000,
                     *       "last_used_ms": 0,
                     *       "token": "svc_<32 characters><6 characters checksum>"
                     *     }
                     */
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body arrived too slowly. */
            408: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A conflict with a name in use or the current state, or an Idempotency-Key in use. */
            409: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "tokens-revokeKey": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                /** @description The key's id */
                key: string;
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The key was revoked */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "id": "key_019aa5d3b3208fd4e7a15c60b2938d4e",
                     *       "deleted": true
                     *     }
                     */
                    "application/json": {
                        id: string;
                        /** @constant */
                        deleted: true;
                    };
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body arrived too slowly. */
            408: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "tokens-mint": {
        parameters: {
            query?: never;
            header?: {
                /** @description Makes retries safe: for 24 hours, the same key and input get the first response again */
                "Idempotency-Key"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: {
            content: {
                /** @example {} */
                "application/json": {
                    /** @description A team's slug or id; for sessions and identity tokens, since an API key belongs to one */
                    team?: string;
                    /** @description With `oidc_token`: the name or id of the project to deploy to */
                    project?: string;
                    /**
                     * Format: password
                     * @description Without any other credential: an identity token (OpenID Connect) of a CI system that a trust policy of the project admits, issued for this API's address as its audience
                     */
                    oidc_token?: string;
                };
            };
        };
        responses: {
            /** @description The JWT */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "token": "eyJhbGciOiJIUzI1NiIsInR5cCI6InN2Yytqd3QifQ.<claims>.<signature>",
                     *       "token_type": "Bearer",
                     *       "team": "personal",
                     *       "role": "member",
                     *       "expires_ms": 1790028800000
                     *     }
                     */
                    "application/json": components["schemas"]["Token"];
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body arrived too slowly. */
            408: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The body is too large. */
            413: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "observability-overview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The overview */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "team": "acme",
                     *       "plan": "free",
                     *       "projects": 1,
                     *       "deployments": {
                     *         "total": 1,
                     *         "by_state": {
                     *           "queued": 0,
                     *           "building": 0,
                     *           "ready": 1,
                     *           "error": 0,
                     *           "canceled": 0
                     *         }
                     *       },
                     *       "domains": {
                     *         "total": 1,
                     *         "verified": 1
                     *       },
                     *       "webhooks": 1,
                     *       "requests_24h": 48210,
                     *       "bytes_24h": 612448031,
                     *       "errors_24h": 2,
                     *       "recent_deployments": [
                     *         {
                     *           "id": "dpl_019aa5d3d1c0a4b2f60d93c2e8175b64",
                     *           "project": "web",
                     *           "target": "production",
                     *           "state": "ready",
                     *           "url": "https://web-5e1f0a9c37d2.svc.site",
                     *           "aliases": [
                     *             "https://web.svc.site"
                     *           ],
                     *           "live": true,
                     *           "live_since_ms": 1790000002000,
                     *           "rollback_candidate": false,
                     *           "queue_position": null,
                     *           "build": {
                     *             "install_command": null,
                     *             "build_command": null,
                     *             "output_directory": "dist",
                     *             "root_directory": "."
                     *           },
                     *           "error": null,
                     *           "files": 2,
                     *           "bytes": 1742,
                     *           "meta": {
                     *             "branch": "main",
                     *             "commit": "4f0c2d1"
                     *           },
                     *           "warnings": [
                     *             {
                     *               "path": "_redirects",
                     *               "line": 3,
                     *               "message": "https://www.example.com/* is passed over: rules apply to every host of the site; write a path."
                     *             }
                     *           ],
                     *           "source": {
                     *             "kind": "api",
                     *             "name": "CI"
                     *           },
                     *           "redeploy_of": null,
                     *           "untrusted": false,
                     *           "created_by": "usr_019aa5d3a0507e3b1d8c64f2a9b05c17",
                     *           "created_by_name": "Ada Lovelace",
                     *           "created_ms": 1790000002000,
                     *           "building_ms": null,
                     *           "ready_ms": 1790000002000,
                     *           "ended_ms": 1790000002000,
                     *           "expires_ms": null
                     *         }
                     *       ],
                     *       "credential": {
                     *         "kind": "key",
                     *         "prefix": "svc_Ab3dE6…",
                     *         "role": "owner",
                     *         "expires_ms": null
                     *       },
                     *       "rate_limit": {
                     *         "per_second": 20,
                     *         "burst": 100,
                     *         "remaining": 99
                     *       },
                     *       "storage": {
                     *         "used_bytes": 81920400,
                     *         "limit_bytes": 1073741824
                     *       }
                     *     }
                     */
                    "application/json": components["schemas"]["Overview"];
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "observability-logs": {
        parameters: {
            query?: {
                /** @description How many rows at most */
                limit?: number;
                /** @description next_cursor of the page before */
                cursor?: string;
                /** @description Only those of this kind */
                kind?: "build" | "request" | "audit" | "git";
                /** @description A project's name or id */
                project?: string;
                /** @description A deployment's id */
                deployment?: string;
                /** @description Only those of exactly this level; audit lines are info */
                level?: "debug" | "info" | "warn" | "error";
                /** @description Only requests that got this status, such as 404, or one of this class, such as 4xx; a class has also the lines that count requests of it which are not logged */
                status?: string;
                /** @description Only requests to this host, as their lines have it: a label below the sites' domain, or a domain */
                host?: string;
                /** @description A substring of the message, case-insensitive */
                q?: string;
                /** @description Written at or after */
                since_ms?: number;
                /** @description Written before */
                until_ms?: number;
                /** @description Newest or oldest first */
                order?: "desc" | "asc";
                /** @description With order=asc: how long to wait for a line, in seconds */
                wait_s?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description A page of lines */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "data": [
                     *         {
                     *           "id": "evt_019aa5d3e6c1a4b2f60d93c2e8175b64",
                     *           "time_ms": 1790000003000,
                     *           "kind": "audit",
                     *           "level": "info",
                     *           "message": "promoted dpl_019aa5d3d1c0a4b2f60d93c2e8175b64 to production of web",
                     *           "project": "web",
                     *           "deployment": "dpl_019aa5d3d1c0a4b2f60d93c2e8175b64",
                     *           "fields": {
                     *             "type": "deployment.promoted",
                     *             "actor": "usr_019aa5d3a0507e3b1d8c64f2a9b05c17",
                     *             "actor_name": "Ada Lovelace",
                     *             "key": "key_019aa5d3b3208fd4e7a15c60b2938d4e",
                     *             "key_name": "deploy from CI",
                     *             "address": "203.0.113.9",
                     *             "request_id": "req_019aa5d3e6c0b7d1e2f3a4b5c6d7e8f9",
                     *             "data": {
                     *               "previous": null,
                     *               "rollback": false
                     *             }
                     *           }
                     *         }
                     *       ],
                     *       "next_cursor": null
                     *     }
                     */
                    "application/json": {
                        data: components["schemas"]["LogLine"][];
                        /** @description Pass it as cursor to get the next page; null on the last */
                        next_cursor: string | null;
                    };
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "observability-metrics": {
        parameters: {
            query: {
                /** @description requests: responses; bytes: size of the response bodies; errors: responses with status 500 and above; responses_2xx to responses_5xx: those of a class; responses_404: those of 404, also in responses_4xx; latency_*: percentiles of the response time */
                metric: "requests" | "bytes" | "errors" | "responses_2xx" | "responses_3xx" | "responses_4xx" | "responses_5xx" | "responses_404" | "latency_p50" | "latency_p95" | "latency_p99";
                /** @description A project's name or id */
                project?: string;
                /** @description Default: 24 hours before until_ms */
                since_ms?: number;
                /** @description Default: now */
                until_ms?: number;
                /** @description A whole number of minutes, in milliseconds; chosen automatically if omitted */
                step_ms?: number;
            };
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description The series */
            200: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    /**
                     * @example {
                     *       "metric": "latency_p95",
                     *       "unit": "ms",
                     *       "step_ms": 300000,
                     *       "points": [
                     *         [
                     *           1790000100000,
                     *           1.284
                     *         ],
                     *         [
                     *           1790000400000,
                     *           null
                     *         ]
                     *       ]
                     *     }
                     */
                    "application/json": components["schemas"]["Metrics"];
                };
            };
            /** @description The input is invalid; issues lists the fields. */
            400: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The token is missing, invalid, or of a kind that this operation does not accept. */
            401: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    "www-authenticate": "Bearer";
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description The role is insufficient, or another site sent the request with a session's cookie. */
            403: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Not found in this team. */
            404: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Too many requests; see Retry-After and retry_after_ms. */
            429: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy": string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description Internal error. */
            500: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
            /** @description A store is unavailable; see Retry-After. */
            503: {
                headers: {
                    /** @description Identifies this request in the logs */
                    "x-request-id": string;
                    /** @description The rate limit of this request: a burst of q, refilled within w seconds */
                    "RateLimit-Policy"?: string;
                    /** @description What remains of it: r requests now, all of them in t seconds */
                    RateLimit?: string;
                    /** @description Seconds */
                    "retry-after": number;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Error"];
                };
            };
        };
    };
    "event-deployment-created": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "deployment.created",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "deployment": {
                 *           "id": "dpl_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "project": "web",
                 *           "target": "production",
                 *           "state": "queued",
                 *           "url": "https://web-5e1f0a9c37d2.svc.site",
                 *           "source": {
                 *             "kind": "api",
                 *             "name": "deploy from CI"
                 *           },
                 *           "meta": {
                 *             "branch": "main",
                 *             "commit": "4f0c2d1"
                 *           },
                 *           "error": null,
                 *           "created_by": "usr_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "created_ms": 1790000002000
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentCreatedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-deployment-ready": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "deployment.ready",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "deployment": {
                 *           "id": "dpl_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "project": "web",
                 *           "target": "production",
                 *           "state": "ready",
                 *           "url": "https://web-5e1f0a9c37d2.svc.site",
                 *           "source": {
                 *             "kind": "api",
                 *             "name": "deploy from CI"
                 *           },
                 *           "meta": {
                 *             "branch": "main",
                 *             "commit": "4f0c2d1"
                 *           },
                 *           "error": null,
                 *           "created_by": "usr_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "created_ms": 1790000002000
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentReadyEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-deployment-error": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "deployment.error",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "deployment": {
                 *           "id": "dpl_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "project": "web",
                 *           "target": "production",
                 *           "state": "error",
                 *           "url": "https://web-5e1f0a9c37d2.svc.site",
                 *           "source": {
                 *             "kind": "api",
                 *             "name": "deploy from CI"
                 *           },
                 *           "meta": {
                 *             "branch": "main",
                 *             "commit": "4f0c2d1"
                 *           },
                 *           "error": {
                 *             "reason": "build_failed",
                 *             "message": "npm run build ended with 1."
                 *           },
                 *           "created_by": "usr_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "created_ms": 1790000002000
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentErrorEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-deployment-canceled": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "deployment.canceled",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "deployment": {
                 *           "id": "dpl_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "project": "web",
                 *           "target": "production",
                 *           "state": "canceled",
                 *           "url": "https://web-5e1f0a9c37d2.svc.site",
                 *           "source": {
                 *             "kind": "api",
                 *             "name": "deploy from CI"
                 *           },
                 *           "meta": {
                 *             "branch": "main",
                 *             "commit": "4f0c2d1"
                 *           },
                 *           "error": null,
                 *           "created_by": "usr_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "created_ms": 1790000002000
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentCanceledEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-deployment-promoted": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "deployment.promoted",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "deployment": {
                 *           "id": "dpl_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "project": "web",
                 *           "target": "production",
                 *           "state": "ready",
                 *           "url": "https://web-5e1f0a9c37d2.svc.site",
                 *           "source": {
                 *             "kind": "api",
                 *             "name": "deploy from CI"
                 *           },
                 *           "meta": {
                 *             "branch": "main",
                 *             "commit": "4f0c2d1"
                 *           },
                 *           "error": null,
                 *           "created_by": "usr_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "created_ms": 1790000002000
                 *         },
                 *         "previous": "dpl_019aa5d0c2b17e5f90a83d64c1f2b7e9",
                 *         "rollback": false
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentPromotedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-deployment-deleted": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "deployment.deleted",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "deployment": {
                 *           "id": "dpl_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "project": "web",
                 *           "target": "production",
                 *           "state": "ready",
                 *           "url": "https://web-5e1f0a9c37d2.svc.site",
                 *           "source": {
                 *             "kind": "api",
                 *             "name": "deploy from CI"
                 *           },
                 *           "meta": {
                 *             "branch": "main",
                 *             "commit": "4f0c2d1"
                 *           },
                 *           "error": null,
                 *           "created_by": "usr_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "created_ms": 1790000002000
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DeploymentDeletedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-project-created": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "project.created",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "project": {
                 *           "id": "prj_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "name": "web"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ProjectCreatedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-project-updated": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "project.updated",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "project": {
                 *           "id": "prj_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "name": "web"
                 *         },
                 *         "changed": [
                 *           "protection",
                 *           "env"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ProjectUpdatedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-project-deleted": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "project.deleted",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "project": {
                 *           "id": "prj_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "name": "web"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["ProjectDeletedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-domain-created": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "domain.created",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "domain": {
                 *           "id": "dom_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "domain": "www.example.com",
                 *           "project": "web",
                 *           "verified": false
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DomainCreatedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-domain-verified": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "domain.verified",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "domain": {
                 *           "id": "dom_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "domain": "www.example.com",
                 *           "project": "web",
                 *           "verified": true
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DomainVerifiedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-domain-unverified": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "domain.unverified",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "domain": {
                 *           "id": "dom_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "domain": "www.example.com",
                 *           "project": "web",
                 *           "verified": false
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DomainUnverifiedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-domain-certificate_failed": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "domain.certificate_failed",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "domain": {
                 *           "id": "dom_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "domain": "www.example.com",
                 *           "project": "web",
                 *           "verified": true
                 *         },
                 *         "error": {
                 *           "reason": "validation_failed",
                 *           "message": "The authority did not find what it looked for (http-01) at www.example.com: connection refused."
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DomainCertificate_failedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-domain-deleted": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "domain.deleted",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "domain": {
                 *           "id": "dom_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "domain": "www.example.com",
                 *           "project": "web",
                 *           "verified": true
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["DomainDeletedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-record-created": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "record.created",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "record": {
                 *           "id": "rec_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "domain": "example.com",
                 *           "name": "@",
                 *           "type": "MX",
                 *           "value": "mail.example.com",
                 *           "ttl": 300,
                 *           "priority": 10,
                 *           "weight": null,
                 *           "port": null
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RecordCreatedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-record-updated": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "record.updated",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "record": {
                 *           "id": "rec_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "domain": "example.com",
                 *           "name": "@",
                 *           "type": "MX",
                 *           "value": "mail.example.com",
                 *           "ttl": 3600,
                 *           "priority": 10,
                 *           "weight": null,
                 *           "port": null
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RecordUpdatedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-record-deleted": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "record.deleted",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "record": {
                 *           "id": "rec_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "domain": "example.com",
                 *           "name": "@",
                 *           "type": "MX",
                 *           "value": "mail.example.com",
                 *           "ttl": 300,
                 *           "priority": 10,
                 *           "weight": null,
                 *           "port": null
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["RecordDeletedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-key-created": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "key.created",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "key": {
                 *           "id": "key_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "name": "deploy from CI",
                 *           "prefix": "svc_Ab3dE6…",
                 *           "role": "member"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["KeyCreatedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-key-revoked": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "key.revoked",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "key": {
                 *           "id": "key_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "name": "deploy from CI",
                 *           "prefix": "svc_Ab3dE6…",
                 *           "role": "member"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["KeyRevokedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-hook-created": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "hook.created",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "hook": {
                 *           "id": "dhk_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "name": "Articles",
                 *           "project": "web",
                 *           "branch": null
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["HookCreatedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-hook-revoked": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "hook.revoked",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "hook": {
                 *           "id": "dhk_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "name": "Articles",
                 *           "project": "web",
                 *           "branch": null
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["HookRevokedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-trust-created": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "trust.created",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "policy": {
                 *           "id": "tp_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "project": "web",
                 *           "issuer": "https://token.actions.githubusercontent.com",
                 *           "claims": {
                 *             "repository_id": "123456789",
                 *             "ref": "refs/heads/main"
                 *           },
                 *           "targets": [
                 *             "preview",
                 *             "production"
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TrustCreatedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-trust-revoked": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "trust.revoked",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "policy": {
                 *           "id": "tp_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "project": "web",
                 *           "issuer": "https://token.actions.githubusercontent.com",
                 *           "claims": {
                 *             "repository_id": "123456789",
                 *             "ref": "refs/heads/main"
                 *           },
                 *           "targets": [
                 *             "preview",
                 *             "production"
                 *           ]
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TrustRevokedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-git-approved": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "git.approved",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "pull_request": {
                 *           "project": "web",
                 *           "number": 7,
                 *           "commit": "6dcb09b5b57875f334f61aebed695e2e4193db5e"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["GitApprovedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-team-updated": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "team.updated",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "team": {
                 *           "id": "team_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "slug": "acme",
                 *           "name": "Acme"
                 *         },
                 *         "changed": [
                 *           "members"
                 *         ]
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["TeamUpdatedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-member-added": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "member.added",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "member": {
                 *           "user": null,
                 *           "email": "grace@example.com",
                 *           "role": "member"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MemberAddedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-member-removed": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "member.removed",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "member": {
                 *           "user": null,
                 *           "email": "grace@example.com",
                 *           "role": "member"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["MemberRemovedEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    "event-webhook-ping": {
        parameters: {
            query?: never;
            header: {
                /** @description Identifies the message; the same in each attempt */
                "webhook-id": components["parameters"]["WebhookId"];
                /** @description When the attempt was made, in seconds of Unix time */
                "webhook-timestamp": components["parameters"]["WebhookTimestamp"];
                /** @description v1, a comma, and the HMAC-SHA256 of webhook-id.webhook-timestamp.body with the secret of the webhook, in Base64 */
                "webhook-signature": components["parameters"]["WebhookSignature"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                /**
                 * @example {
                 *       "id": "evt_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *       "type": "webhook.ping",
                 *       "created_ms": 1790000003000,
                 *       "team": "acme",
                 *       "data": {
                 *         "webhook": {
                 *           "id": "hook_019aa5d3d1c0a4b2f60d93c2e8175b64",
                 *           "url": "https://ci.example.com/svc"
                 *         }
                 *       }
                 *     }
                 */
                "application/json": components["schemas"]["WebhookPingEvent"];
            };
        };
        responses: {
            /** @description No more deliveries are wanted: the webhook is disabled. */
            410: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description Delivered, if the response comes within 15 seconds. Everything else is retried. */
            "2XX": {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
}
