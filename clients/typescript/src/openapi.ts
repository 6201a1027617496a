// Made by generate.mjs from the program: do not edit.
export interface paths {
    "/api/sandbox/edit-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Edit lines of a file by their anchors, all edits or none */
        post: operations["edit-file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/read-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read a file, or a range of its lines */
        post: operations["read-file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/sandbox/write-file": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Write a whole file, over the version that is expected */
        post: operations["write-file"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/healthz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether the server runs */
        get: operations["healthz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/metrics": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** What was counted, for Prometheus */
        get: operations["metrics"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** This document */
        get: operations["openapi"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/readyz": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        /** Whether all workspaces can be used */
        get: operations["readyz"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/edit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Apply a request of anchored edits in any dialect, over one file or several, all or nothing */
        post: operations["edit"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/read": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Read files with an anchor on every line */
        post: operations["read"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Search files for lines, and show them with their anchors */
        post: operations["search"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/telemetry": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Report what a task took, once at its end */
        post: operations["telemetry"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Check where anchors land now */
        post: operations["verify"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/v1/write": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        /** Write a whole file: a new one, or one whose revision or version is named */
        post: operations["write"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        /** @description Another file of the request that is refused too. */
        AlsoRefused: {
            /** @description The SHA-256 that the file has instead of `expected`. */
            actual?: string | null;
            /** @description The error code, such as `stale`. */
            code: string;
            /**
             * Format: uint
             * @description For `overlap`: the number (from 1) of the other edit that changes the same lines.
             */
            conflicts_with?: number | null;
            /**
             * Format: uint
             * @description How often the text to replace is in the file, if it must be there exactly once.
             */
            count?: number | null;
            /**
             * Format: uint
             * @description The number of the refused edit in the request, from 1; absent if the refusal is not about one edit.
             */
            edit?: number | null;
            /** @description The SHA-256 of the file that the request requires, if the file has another one. */
            expected?: string | null;
            /** @description For `overlap`: the numbers of the lines that both edits change, such as `3` or `3-5`. */
            lines?: string | null;
            /** @description The lines that the refusal is about, as they are now, with their anchors. */
            now?: string[] | null;
            /** @description If anchors are refused: the edits whose anchors could be resolved. */
            others?: components["schemas"]["OtherEdit"][];
            /** @description The path of the file, if the refusal is about one. */
            path?: string | null;
            /** @description The refused anchors, if the refusal is about anchors. */
            problems?: components["schemas"]["ProblemAnswer"][] | null;
            /** @description The current revision of the file (8 hex digits), to be sent as `rev` with fresh anchors. */
            rev?: string | null;
        };
        /** @description Lines that an ambiguous anchor may mean. */
        CandidateLines: {
            /** @description Whether the lines are still in the file. */
            lands: boolean;
            /** @description The lines with their current anchors; if they are no longer in the file, the lines at about their place. */
            lines: string[];
            /** @description The revision in which the lines were shown (8 hex digits); sent as `rev`, it selects this candidate. */
            rev: string;
        };
        /** @description The answer to an edit request, the same for every dialect. A field that is not required is left out if there is nothing to report. */
        CommonAnswer: components["schemas"]["Done"] | components["schemas"]["Refused"];
        /** @description The answer to an edit request for one file in the cowboy dialect. A field that is not required is left out if there is nothing to report. */
        CowboyAnswer: components["schemas"]["CowboyDone"] | components["schemas"]["NothingLeft"] | components["schemas"]["CowboyRefused"];
        /** @description The answer to an edit request that was applied, or checked in a dry run. */
        CowboyDone: {
            /** @description Whether the content of the file changed. */
            changed: boolean;
            /**
             * Format: uint
             * @description How many edits were dropped because an earlier one is identical; absent if none.
             */
            duplicates?: number;
            /** @description New text that looks like a known mistake but was written as it was sent. */
            hints?: components["schemas"]["HintGiven"][];
            /** @description Lines that were found under other numbers than in their anchors, because the file had changed. */
            moves?: components["schemas"]["MovedLines"][];
            /** @description The numbers (from 1) of edits that changed nothing because their new text is the same as the old. */
            noops?: number[];
            /**
             * @description The numbers (from 1) of edits whose lines have the numbers and the text with which they were shown, in a file that has changed and has
             *     too many lines to follow them.
             */
            not_followed?: number[];
            /**
             * @description The numbers (from 1) of substitutions that were not applied because their text is not in the file; only if the original tool's rules
             *     apply (`profile = seed`), otherwise the request is refused.
             */
            not_found?: number[];
            /** @description Mistakes in the request that were accepted, and fields that were ignored. In the common answer these are next to `files`. */
            notes?: components["schemas"]["RequestNote"][];
            /** @description Always true: no edit was refused. */
            ok: boolean;
            /** @description The path of the file. */
            path: string;
            /** @description The lines of the file with their anchors; of a long file, only the changed places with some lines around them. */
            preview: string[];
            /** @description Corrections of the new text, each with its proof. */
            repairs?: components["schemas"]["RepairDone"][];
            /** @description The new revision (8 hex digits), to be sent as `rev` with the next edits. */
            rev: string;
            /** @description The numbers (from 1) of edits of ranges of which only the first and last line could be checked. */
            unchecked?: number[];
            /** @description The numbers (from 1) of edits whose lines were checked by number and tag alone, because there is no record that they were shown. */
            unrecorded?: number[];
        };
        /** @description The answer to a request that was refused. */
        CowboyRefused: {
            /** @description The other files of the request that are refused too. */
            also?: components["schemas"]["AlsoRefused"][];
            /**
             * @description The error code, such as `stale`: the same for all dialects.
             * @enum {string}
             */
            code: "stale" | "ambiguous" | "unknown_rev" | "unseen" | "partly_shown" | "out_of_range" | "bad_anchor" | "bad_range" | "overlap" | "stale_file" | "text_not_found" | "text_not_unique" | "empty_insert" | "not_encodable" | "escaped_bytes" | "no_change" | "file_not_found" | "file_exists" | "conflicting_operations" | "bad_request" | "bad_pattern" | "too_large" | "too_many" | "bad_path" | "outside_root" | "protected" | "not_a_file" | "binary" | "encoding" | "line_too_long" | "read_only" | "hardlinked" | "cannot_replace" | "busy" | "unstable" | "timeout" | "cancelled" | "needs_recovery" | "internal" | "recovery_conflict" | "bad_config" | "io" | "entry_taken" | "bad_agent_file" | "cannot_bind" | "no_common_port" | "no_loopback" | "already_served" | "not_a_socket" | "not_a_token" | "not_private" | "no_sockets" | "runtime" | "no_locks";
            /** @description The error code in the original tool's words; `code` is the same for all dialects. */
            error: string;
            /**
             * Format: uint
             * @description The index of the refused edit in the request, from 0; absent if the refusal is not about one edit.
             */
            failing_edit_index?: number | null;
            /** @description The line number of an anchor that is past the end of the file. */
            line?: components["schemas"]["LineClaim"] | null;
            /** @description The current numbers (from 1, ascending) of the lines that changed. */
            lines?: number[] | null;
            /** @description The whole refusal as text for a model. */
            message: string;
            /** @description Mistakes in the request that were accepted, and fields that were ignored. */
            notes?: components["schemas"]["RequestNote"][];
            /** @description Always false: nothing was written. */
            ok: boolean;
            /** @description The path of the file, if the refusal is about one. */
            path?: string | null;
            /** @description For changed lines: each anchor that was sent, with the current anchor of its line. */
            remaps?: components["schemas"]["Remaps"] | null;
            /** @description Whether the request can succeed with fresh anchors, or if it is sent again later. */
            retryable: boolean;
            /** @description The current revision of the file (8 hex digits), to be sent as `rev` with fresh anchors. */
            rev?: string | null;
            written: components["schemas"]["WrittenAnswer"];
        };
        /** @description A request that was refused before its body was looked at. */
        Denied: {
            /** @description The reason, such as `unauthorized`. Names are stable. */
            code: string;
            /** @description What is wrong. */
            message: string;
            /**
             * @description Always false.
             * @constant
             */
            ok: false;
        };
        /** @description An answer in the shape of a dialect. */
        DialectAnswer: components["schemas"]["OmpAnswer"] | components["schemas"]["PushAnswer"] | components["schemas"]["CowboyAnswer"] | components["schemas"]["OpenagentAnswer"] | components["schemas"]["PiAnswer"] | components["schemas"]["CommonAnswer"];
        /** @description The answer to an edit request that was applied, or checked in a dry run. */
        Done: {
            /** @description Whether any file differs from before; in a dry run, whether it would. */
            changed: boolean;
            /** @description Notices about the files on disk, such as an interrupted request that was recovered. */
            disk?: components["schemas"]["Notice"][];
            /** @description Whether the request was a dry run: if true, nothing was written, and the answer describes what would have been. */
            dry_run: boolean;
            /** @description The edited files, in the order of the request. */
            files: components["schemas"]["FileDone"][];
            /** @description Mistakes in the request that were accepted, and fields that were ignored. */
            notes?: components["schemas"]["RequestNote"][];
            /**
             * @description Always true: no edit was refused.
             * @constant
             */
            ok: true;
            /** @description Notices about the ledger (the record of the lines that were shown). */
            state?: components["schemas"]["Notice"][];
        };
        /** @description `edit-file` is off for the task of a request. */
        EditDisabled: {
            /**
             * @description Always `edit_disabled`.
             * @constant
             */
            error: "edit_disabled";
            /** @description What to do next, as text for a model. */
            message: string;
            /**
             * @description Always false: nothing was written.
             * @constant
             */
            ok: false;
            /**
             * @description The route to use instead: `write-file`.
             * @constant
             */
            use: "write-file";
        };
        /** @description What was done to one file. */
        FileDone: {
            /**
             * Format: uint
             * @description Number of lines added in the diff.
             */
            added: number;
            /**
             * Format: uint
             * @description How many edits were applied, including those that changed nothing, but not those in `not_found`.
             */
            applied: number;
            /** @description Whether the file differs from before: in its content, its path or its existence. */
            changed: boolean;
            /** @description All lines of the file with their anchors; only if the whole file was to be shown. */
            content?: string[] | null;
            /** @description A unified diff of the file; absent if nothing was to be shown. */
            diff?: string | null;
            /**
             * Format: uint
             * @description How many edits were dropped because an earlier one is identical; absent if none.
             */
            duplicates?: number;
            /**
             * Format: uint
             * @description The number of the first line whose text changed, from 1; null if no text changed.
             */
            first_changed_line: number | null;
            /** @description The old path; only if the file was moved. */
            from?: string | null;
            /** @description New text that looks like a known mistake but was written as it was sent. */
            hints?: components["schemas"]["HintGiven"][];
            /**
             * Format: uint
             * @description How many lines the file has now; null if it was deleted.
             */
            lines: number | null;
            /** @description Lines that were found under other numbers than in their anchors, because the file had changed. */
            moves?: components["schemas"]["MovedLines"][];
            /** @description The numbers (from 1) of edits that changed nothing because their new text is the same as the old. */
            noops?: number[];
            /**
             * @description The numbers (from 1) of edits whose lines have the numbers and the text with which they were shown, in a file that has changed and has
             *     too many lines to follow them.
             */
            not_followed?: number[];
            /**
             * @description The numbers (from 1) of substitutions that were not applied because their text is not in the file; only if the original tool's rules
             *     apply (`profile = seed`), otherwise the request is refused.
             */
            not_found?: number[];
            /** @description Mistakes in the request that were accepted, and fields that were ignored. In the common answer these are next to `files`. */
            notes?: components["schemas"]["RequestNote"][];
            /** @description The path of the file, after a move its new path. */
            path: string;
            /**
             * Format: uint
             * @description Number of lines removed in the diff.
             */
            removed: number;
            /** @description Corrections of the new text, each with its proof. */
            repairs?: components["schemas"]["RepairDone"][];
            /** @description The new revision (8 hex digits), to be sent as `rev` with the next edits; null if the file was deleted. */
            rev: string | null;
            /** @description The revision before the edits (8 hex digits); null if the file was created. */
            rev_before: string | null;
            /** @description `modified`, `added`, `moved` or `deleted`. */
            status: string;
            /** @description The numbers (from 1) of edits of ranges of which only the first and last line could be checked. */
            unchecked?: number[];
            /** @description The numbers (from 1) of edits whose lines were checked by number and tag alone, because there is no record that they were shown. */
            unrecorded?: number[];
            /**
             * @description The changed places, each a list of consecutive lines with anchors and some lines around them; absent if only a diff, or nothing, was
             *     to be shown.
             */
            windows?: string[][] | null;
        };
        FileFound: {
            /** @description Runs of consecutive lines: matches and their context. */
            blocks: components["schemas"]["LineFound"][][];
            /** @description The encoding of the file, if it is not UTF-8. */
            encoding?: string | null;
            /**
             * Format: uint
             * @description How many lines of the file match.
             */
            matches: number;
            path: string;
            rev: string;
            /**
             * Format: uint
             * @description How many matching lines of the file are shown.
             */
            shown: number;
        };
        /** @description One file of a read: its lines, or why it could not be read. */
        FileRead: components["schemas"]["LinesOrRefused"];
        /** @description The answer to a read of one file or several. */
        FilesRead: components["schemas"]["FileRead"] | components["schemas"]["SeveralRead"];
        /** @description The JSON answer of a search. */
        FoundAnswer: {
            code?: string;
            /** @description Whether the files were certainly not read in the middle of one of our own commits over several files. */
            consistent: boolean;
            /** @description Notices about the disk, such as an interrupted commit that was recovered. */
            disk?: components["schemas"]["Notice"][];
            files: components["schemas"]["FileFound"][];
            /** @description The text of the refusal, in the wording for a model. */
            message?: string;
            ok: boolean;
            /** @description The file or folder that could not be searched. */
            path?: string | null;
            retryable?: boolean;
            /** @description The first files that could not be searched. */
            skipped: components["schemas"]["SkippedFile"][];
            totals: components["schemas"]["SearchTotals"];
            written?: boolean;
        };
        /** @description A likely mistake in the new text of an edit, which was not corrected. */
        HintGiven: {
            /**
             * Format: uint
             * @description The number of the edit in the request, from 1.
             */
            edit: number;
            /** @description The name of the mistake, as in `repairs`. */
            rule: string;
        };
        /** @description A line number as it was sent: a number, or the anchor if its number does not fit into 64 bits. */
        LineClaim: number | string;
        LineFound: {
            anchor: string;
            match: boolean;
            text: string;
        };
        /** @description The answer to a read of one file. */
        LinesAnswer: {
            /** @description Whether it is certain that the files were not read in the middle of another request's commit over several files. */
            consistent: boolean;
            /** @description The encoding of the file, such as `windows-1252`; absent for UTF-8. */
            encoding?: string | null;
            /**
             * Format: uint
             * @description The number of the last line in `lines`, inclusive; absent if there are none.
             */
            end_line?: number | null;
            /** @description The lines, each with its anchor in front unless the request asks for none. */
            lines: string[];
            /**
             * Format: uint
             * @description How many lines of the file match; absent if the read did not search.
             */
            matches?: number | null;
            /**
             * @description Always true: the lines were read.
             * @constant
             */
            ok: true;
            /** @description The path of the file. */
            path: string;
            /** @description The revision of the file (8 hex digits), to be sent as `rev` with edits. */
            rev: string;
            /**
             * Format: uint
             * @description The number of the first line in `lines`, from 1; absent if there are none.
             */
            start_line?: number | null;
            /**
             * Format: uint
             * @description How many lines the file has.
             */
            total_lines: number;
        };
        /** @description The answer to a read of one file. */
        LinesOrRefused: components["schemas"]["LinesAnswer"] | components["schemas"]["Refused"];
        /** @description Lines that an edit named by old numbers, and where they were found. */
        MovedLines: {
            /**
             * Format: uint
             * @description The number of the edit in the request, from 1.
             */
            edit: number;
            /** @description The line numbers in the request's anchors, such as `3` or `3-5`. */
            from: string;
            /** @description The text of the first line. */
            text: string;
            /** @description The line numbers before the edits were applied, in the same form. */
            to: string;
        };
        /** @description The answer to a request whose edits cancelled each other out, such as a file that was created and deleted again. */
        NothingLeft: {
            /**
             * @description Always false: no file changed.
             * @constant
             */
            changed: false;
            /**
             * @description Always true: no edit was refused.
             * @constant
             */
            ok: true;
        };
        /** @description Information about the disk, the ledger or the counters that goes with an answer. */
        Notice: {
            /** @description The new paths of files that an interrupted request left behind and that were moved away. */
            kept?: string[];
            /** @description The notice as a sentence. */
            message: string;
            /** @description The stable name of the notice, such as `finished` or `not_private`. */
            note: string;
            /** @description The files that the notice is about; absent if it is about the ledger or the counters. */
            paths?: string[] | null;
        };
        /** @description The answer to an edit request for one file in the omp dialect. A field that is not required is left out if there is nothing to report. */
        OmpAnswer: components["schemas"]["OmpDone"] | components["schemas"]["OmpRefused"];
        /** @description The answer to an edit request that was applied, or checked in a dry run. */
        OmpDone: {
            /**
             * Format: uint
             * @description How many edits were dropped because an earlier one is identical; absent if none.
             */
            duplicates?: number;
            /**
             * Format: uint
             * @description The number of the first line that changed, from 1; null if none did.
             */
            first_changed_line?: number | null;
            /** @description New text that looks like a known mistake but was written as it was sent. */
            hints?: components["schemas"]["HintGiven"][];
            /** @description Lines that were found under other numbers than in their anchors, because the file had changed. */
            moves?: components["schemas"]["MovedLines"][];
            /** @description The numbers (from 1) of edits that changed nothing because their new text is the same as the old. */
            noops?: number[];
            /**
             * @description The numbers (from 1) of edits whose lines have the numbers and the text with which they were shown, in a file that has changed and has
             *     too many lines to follow them.
             */
            not_followed?: number[];
            /**
             * @description The numbers (from 1) of substitutions that were not applied because their text is not in the file; only if the original tool's rules
             *     apply (`profile = seed`), otherwise the request is refused.
             */
            not_found?: number[];
            /** @description Mistakes in the request that were accepted, and fields that were ignored. In the common answer these are next to `files`. */
            notes?: components["schemas"]["RequestNote"][];
            /** @description Always true: no edit was refused. */
            ok: boolean;
            /** @description Corrections of the new text, each with its proof. */
            repairs?: components["schemas"]["RepairDone"][];
            /** @description The new revision (8 hex digits), to be sent as `rev` with the next edits. */
            rev?: string;
            /** @description What was done, as text for a model. */
            text: string;
            /** @description The numbers (from 1) of edits of ranges of which only the first and last line could be checked. */
            unchecked?: number[];
            /** @description The numbers (from 1) of edits whose lines were checked by number and tag alone, because there is no record that they were shown. */
            unrecorded?: number[];
        };
        /** @description A line whose tag does not match its anchor. */
        OmpLine: {
            /** @description The tag that the line has now. */
            actual: string;
            /** @description The tag in the anchor that was sent. */
            expected: string;
            /**
             * Format: uint64
             * @description The number of the line, from 1.
             */
            line: number;
        };
        /** @description The lines whose tags do not match their anchors. */
        OmpMismatch: {
            /** @description The whole refusal as text for a model, with the current lines and their anchors. */
            message: string;
            /** @description The lines with their expected and actual tags; only if the original tool's rules apply (`profile = seed`). */
            mismatches?: components["schemas"]["OmpLine"][] | null;
            /** @description Each anchor that was sent and whose line changed, with the current anchor of that line. */
            remaps: components["schemas"]["Remaps"];
            /** @description The current revision of the file (8 hex digits); absent if there are `mismatches`. */
            rev?: string | null;
        };
        /** @description The answer to a request that was refused. */
        OmpRefused: {
            /** @description The other files of the request that are refused too. */
            also?: components["schemas"]["AlsoRefused"][];
            /**
             * @description The error code, such as `stale`: the same for all dialects.
             * @enum {string}
             */
            code: "stale" | "ambiguous" | "unknown_rev" | "unseen" | "partly_shown" | "out_of_range" | "bad_anchor" | "bad_range" | "overlap" | "stale_file" | "text_not_found" | "text_not_unique" | "empty_insert" | "not_encodable" | "escaped_bytes" | "no_change" | "file_not_found" | "file_exists" | "conflicting_operations" | "bad_request" | "bad_pattern" | "too_large" | "too_many" | "bad_path" | "outside_root" | "protected" | "not_a_file" | "binary" | "encoding" | "line_too_long" | "read_only" | "hardlinked" | "cannot_replace" | "busy" | "unstable" | "timeout" | "cancelled" | "needs_recovery" | "internal" | "recovery_conflict" | "bad_config" | "io" | "entry_taken" | "bad_agent_file" | "cannot_bind" | "no_common_port" | "no_loopback" | "already_served" | "not_a_socket" | "not_a_token" | "not_private" | "no_sockets" | "runtime" | "no_locks";
            /** @description The whole refusal as text for a model; absent if there is a `mismatch`. */
            error?: string | null;
            /** @description The lines whose tags do not match their anchors, if that is why the request was refused. */
            mismatch?: components["schemas"]["OmpMismatch"] | null;
            /** @description Mistakes in the request that were accepted, and fields that were ignored. */
            notes?: components["schemas"]["RequestNote"][];
            /** @description The last lines of the file with their anchors, if a line past its end was named and `error` does not show them (`profile = seed`). */
            now?: string[] | null;
            /** @description Always false: nothing was written. */
            ok: boolean;
            /** @description The path of the file, if the refusal is about one. */
            path?: string | null;
            /** @description Whether the request can succeed with fresh anchors, or if it is sent again later. */
            retryable: boolean;
            /** @description The current revision of the file (8 hex digits), to be sent as `rev` with fresh anchors. */
            rev?: string | null;
            written: components["schemas"]["WrittenAnswer"];
        };
        /** @description The answer to an edit request for one file in the openagent dialect. A field that is not required is left out if there is nothing to report. */
        OpenagentAnswer: components["schemas"]["OpenagentDone"] | components["schemas"]["OpenagentRefused"];
        /** @description The answer to an edit request that was applied, or checked in a dry run. */
        OpenagentDone: {
            /**
             * Format: uint
             * @description How many lines of the diff are added.
             */
            additions?: number;
            /**
             * Format: uint
             * @description How many edits were dropped because an earlier one is identical.
             */
            deduplicated_edits?: number;
            /** @description True if the file was deleted, else absent. The fields from `rev` to `deletions` are absent then. */
            deleted?: boolean | null;
            /**
             * Format: uint
             * @description How many lines of the diff are removed.
             */
            deletions?: number;
            /** @description A unified diff of the file. */
            diff?: string;
            /**
             * Format: uint
             * @description How many edits were dropped because an earlier one is identical; absent if none.
             */
            duplicates?: number;
            /**
             * Format: uint
             * @description The number of the first line whose text changed, from 1; null if no text changed.
             */
            first_changed_line?: number | null;
            /** @description New text that looks like a known mistake but was written as it was sent. */
            hints?: components["schemas"]["HintGiven"][];
            /** @description Lines that were found under other numbers than in their anchors, because the file had changed. */
            moves?: components["schemas"]["MovedLines"][];
            /**
             * Format: uint
             * @description How many edits changed nothing.
             */
            noop_edits?: number;
            /** @description The numbers (from 1) of edits that changed nothing because their new text is the same as the old. */
            noops?: number[];
            /**
             * @description The numbers (from 1) of edits whose lines have the numbers and the text with which they were shown, in a file that has changed and has
             *     too many lines to follow them.
             */
            not_followed?: number[];
            /**
             * @description The numbers (from 1) of substitutions that were not applied because their text is not in the file; only if the original tool's rules
             *     apply (`profile = seed`), otherwise the request is refused.
             */
            not_found?: number[];
            /** @description Mistakes in the request that were accepted, and fields that were ignored. In the common answer these are next to `files`. */
            notes?: components["schemas"]["RequestNote"][];
            /** @description Always true: no edit was refused. */
            ok: boolean;
            /** @description Corrections of the new text, each with its proof. */
            repairs?: components["schemas"]["RepairDone"][];
            /** @description The new revision (8 hex digits), to be sent as `rev` with the next edits. */
            rev?: string;
            /** @description What was done, as text. */
            text: string;
            /** @description The numbers (from 1) of edits of ranges of which only the first and last line could be checked. */
            unchecked?: number[];
            /** @description The numbers (from 1) of edits whose lines were checked by number and tag alone, because there is no record that they were shown. */
            unrecorded?: number[];
        };
        /** @description The answer to a request that was refused. */
        OpenagentRefused: {
            /** @description The other files of the request that are refused too. */
            also?: components["schemas"]["AlsoRefused"][];
            /**
             * @description The error code, such as `stale`: the same for all dialects.
             * @enum {string}
             */
            code: "stale" | "ambiguous" | "unknown_rev" | "unseen" | "partly_shown" | "out_of_range" | "bad_anchor" | "bad_range" | "overlap" | "stale_file" | "text_not_found" | "text_not_unique" | "empty_insert" | "not_encodable" | "escaped_bytes" | "no_change" | "file_not_found" | "file_exists" | "conflicting_operations" | "bad_request" | "bad_pattern" | "too_large" | "too_many" | "bad_path" | "outside_root" | "protected" | "not_a_file" | "binary" | "encoding" | "line_too_long" | "read_only" | "hardlinked" | "cannot_replace" | "busy" | "unstable" | "timeout" | "cancelled" | "needs_recovery" | "internal" | "recovery_conflict" | "bad_config" | "io" | "entry_taken" | "bad_agent_file" | "cannot_bind" | "no_common_port" | "no_loopback" | "already_served" | "not_a_socket" | "not_a_token" | "not_private" | "no_sockets" | "runtime" | "no_locks";
            /** @description The error code in the original tool's words; `code` is the same for all dialects. */
            error: string;
            /**
             * Format: uint
             * @description The index (from 0) of the edit that cannot be parsed; null if the mistake is outside the edits; absent for other refusals.
             */
            failing_edit_index?: number | null;
            /** @description The current numbers (from 1, ascending) of the lines that changed. */
            lines?: number[] | null;
            /**
             * Format: uint
             * @description How many edits would change nothing, if that is why the request was refused.
             */
            noop_edits?: number | null;
            /** @description Mistakes in the request that were accepted, and fields that were ignored. */
            notes?: components["schemas"]["RequestNote"][];
            /** @description Always false: nothing was written. */
            ok: boolean;
            /** @description The path of the file, if the refusal is about one. */
            path?: string | null;
            /** @description For changed lines: each anchor that was sent, with the current anchor of its line. */
            remaps?: components["schemas"]["Remaps"] | null;
            /** @description Whether the request can succeed with fresh anchors, or if it is sent again later. */
            retryable: boolean;
            /** @description The current revision of the file (8 hex digits), to be sent as `rev` with fresh anchors. */
            rev?: string | null;
            /** @description The whole refusal as text for a model, after `Error: `. */
            text: string;
            written: components["schemas"]["WrittenAnswer"];
        };
        /** @description An edit whose anchors could be resolved, in a request that is refused because of others. */
        OtherEdit: {
            /** @description The anchors as they were sent. */
            anchors: string[];
            /**
             * Format: uint
             * @description The number of the edit in the request, from 1.
             */
            edit: number;
            /** @description The current anchors of the same lines, to be sent instead. */
            now: string[];
        };
        /** @description The answer to an edit request in the pi dialect. A field that is not required is left out if there is nothing to report. */
        PiAnswer: components["schemas"]["PiDone"] | components["schemas"]["PiRefused"];
        /** @description The answer to an edit request that was applied, or checked in a dry run. */
        PiDone: {
            /**
             * Format: uint
             * @description How many edits were dropped because an earlier one is identical; absent if none.
             */
            duplicates?: number;
            /** @description The edited files, in the order of the request. */
            files: components["schemas"]["PiFile"][];
            /** @description New text that looks like a known mistake but was written as it was sent. */
            hints?: components["schemas"]["HintGiven"][];
            /** @description Lines that were found under other numbers than in their anchors, because the file had changed. */
            moves?: components["schemas"]["MovedLines"][];
            /** @description The numbers (from 1) of edits that changed nothing because their new text is the same as the old. */
            noops?: number[];
            /**
             * @description The numbers (from 1) of edits whose lines have the numbers and the text with which they were shown, in a file that has changed and has
             *     too many lines to follow them.
             */
            not_followed?: number[];
            /**
             * @description The numbers (from 1) of substitutions that were not applied because their text is not in the file; only if the original tool's rules
             *     apply (`profile = seed`), otherwise the request is refused.
             */
            not_found?: number[];
            /** @description Mistakes in the request that were accepted, and fields that were ignored. In the common answer these are next to `files`. */
            notes?: components["schemas"]["RequestNote"][];
            /** @description Always true: no edit was refused. */
            ok: boolean;
            /** @description The anchors whose line was found under another number. */
            relocations: components["schemas"]["PiRelocation"][];
            /** @description Corrections of the new text, each with its proof. */
            repairs?: components["schemas"]["RepairDone"][];
            /** @description The numbers (from 1) of edits of ranges of which only the first and last line could be checked. */
            unchecked?: number[];
            /** @description The numbers (from 1) of edits whose lines were checked by number and tag alone, because there is no record that they were shown. */
            unrecorded?: number[];
        };
        /** @description What was done to one file. */
        PiFile: {
            /** @description The changed places, each a list of consecutive lines with anchors and some lines around them. */
            anchors: string[][];
            /** @description A unified diff of the file. */
            diff: string;
            /** @description The path of the file, after a move its new path. */
            path: string;
            /** @description The new revision (8 hex digits), to be sent as `rev` with the next edits. */
            rev: string;
            /** @description `modified`, `added`, `moved` or `deleted`. */
            status: string;
        };
        /** @description The answer to a request that was refused. */
        PiRefused: {
            /** @description The other files of the request that are refused too. */
            also?: components["schemas"]["AlsoRefused"][];
            /** @description The first refused anchor, if the refusal is about anchors. */
            anchor?: string | null;
            /**
             * Format: uint
             * @description How many lines `anchor` may mean.
             */
            candidates?: number | null;
            /**
             * @description The error code, such as `stale`: the same for all dialects.
             * @enum {string}
             */
            code: "stale" | "ambiguous" | "unknown_rev" | "unseen" | "partly_shown" | "out_of_range" | "bad_anchor" | "bad_range" | "overlap" | "stale_file" | "text_not_found" | "text_not_unique" | "empty_insert" | "not_encodable" | "escaped_bytes" | "no_change" | "file_not_found" | "file_exists" | "conflicting_operations" | "bad_request" | "bad_pattern" | "too_large" | "too_many" | "bad_path" | "outside_root" | "protected" | "not_a_file" | "binary" | "encoding" | "line_too_long" | "read_only" | "hardlinked" | "cannot_replace" | "busy" | "unstable" | "timeout" | "cancelled" | "needs_recovery" | "internal" | "recovery_conflict" | "bad_config" | "io" | "entry_taken" | "bad_agent_file" | "cannot_bind" | "no_common_port" | "no_loopback" | "already_served" | "not_a_socket" | "not_a_token" | "not_private" | "no_sockets" | "runtime" | "no_locks";
            /** @description The error code in the original tool's words; `code` is the same for all dialects. */
            error: string;
            /**
             * Format: uint
             * @description The index of the refused operation in the request, from 0; absent if the refusal is not about one operation.
             */
            failing_op?: number | null;
            /** @description The whole refusal as text for a model. */
            message: string;
            /** @description Mistakes in the request that were accepted, and fields that were ignored. */
            notes?: components["schemas"]["RequestNote"][];
            /** @description Always false: nothing was written. */
            ok: boolean;
            /** @description The path of the file, if the refusal is about one. */
            path?: string | null;
            /** @description The current lines around the place of `anchor`, with their anchors, as text for a model. */
            recovery?: string | null;
            /** @description Whether the request can succeed with fresh anchors, or if it is sent again later. */
            retryable: boolean;
            /** @description The current revision of the file (8 hex digits), to be sent as `rev` with fresh anchors. */
            rev?: string | null;
            written: components["schemas"]["WrittenAnswer"];
        };
        /** @description An anchor whose line was found under another number, because the file had changed. */
        PiRelocation: {
            /** @description The anchor as it was sent. */
            from: string;
            /** @description The path of the file. */
            path: string;
            /** @description The text of the line. */
            text: string | null;
            /** @description The anchor that the line had when the edits were applied. */
            to: string | null;
        };
        /** @description A refused anchor. */
        ProblemAnswer: {
            /** @description The anchor as it was sent; a very long one is shortened. */
            anchor: string;
            /** @description For `ambiguous`: what the anchor may mean. */
            candidates?: components["schemas"]["CandidateLines"][] | null;
            /** @description The error code of this anchor, such as `stale` or `ambiguous`. */
            code: string;
            /**
             * Format: uint
             * @description The number of the edit in the request, from 1.
             */
            edit: number;
            /** @description The current lines around the place of the anchor, with their anchors; empty if the anchor has no place. */
            now: string[];
            /** @description Why the anchor is refused, as text. */
            reason: string;
        };
        /** @description Why a correction is right. */
        ProofGiven: "own_anchor" | {
            /** Format: uint32 */
            tags: number;
        } | "syntax" | "definition";
        /** @description The answer to an edit request for one file in the push dialect. A field that is not required is left out if there is nothing to report. */
        PushAnswer: components["schemas"]["PushDone"] | components["schemas"]["NothingLeft"] | components["schemas"]["PushRefused"];
        /** @description The answer to an edit request that was applied, or checked in a dry run. */
        PushDone: {
            /**
             * Format: uint
             * @description How many edits were applied, including those that changed nothing.
             */
            applied: number;
            /** @description Whether the content of the file changed. */
            changed: boolean;
            /** @description All lines with their anchors, joined with `\n`; only if the request has `full_refresh`. */
            content?: string | null;
            /** @description A unified diff of the file. */
            diff: string;
            /** @description Whether the request was a dry run: if true, nothing was written. */
            dry_run: boolean;
            /**
             * Format: uint
             * @description How many edits were dropped because an earlier one is identical; absent if none.
             */
            duplicates?: number;
            /** @description The SHA-256 of the new content, to be sent as `file_hash`. */
            file_hash: string;
            /** @description New text that looks like a known mistake but was written as it was sent. */
            hints?: components["schemas"]["HintGiven"][];
            /** @description Lines that were found under other numbers than in their anchors, because the file had changed. */
            moves?: components["schemas"]["MovedLines"][];
            /** @description The numbers (from 1) of edits that changed nothing because their new text is the same as the old. */
            noops?: number[];
            /**
             * @description The numbers (from 1) of edits whose lines have the numbers and the text with which they were shown, in a file that has changed and has
             *     too many lines to follow them.
             */
            not_followed?: number[];
            /**
             * @description The numbers (from 1) of substitutions that were not applied because their text is not in the file; only if the original tool's rules
             *     apply (`profile = seed`), otherwise the request is refused.
             */
            not_found?: number[];
            /** @description Mistakes in the request that were accepted, and fields that were ignored. In the common answer these are next to `files`. */
            notes?: components["schemas"]["RequestNote"][];
            /**
             * @description Always true: no edit was refused.
             * @constant
             */
            ok: true;
            /** @description The path of the file. */
            path: string;
            /** @description Corrections of the new text, each with its proof. */
            repairs?: components["schemas"]["RepairDone"][];
            /** @description The new revision (8 hex digits), to be sent as `rev` with the next edits. */
            rev: string;
            /**
             * Format: uint
             * @description How many lines the file has now.
             */
            total_lines: number;
            /** @description The numbers (from 1) of edits of ranges of which only the first and last line could be checked. */
            unchecked?: number[];
            /** @description The numbers (from 1) of edits whose lines were checked by number and tag alone, because there is no record that they were shown. */
            unrecorded?: number[];
            /** @description The changed places, each a list of consecutive lines with anchors and some lines around them. */
            window: string[][];
        };
        /** @description The answer to a read in the push dialect. */
        PushReadAnswer: {
            /** @description The lines, joined with `\n`; each begins with its anchor if the request has `annotate`. */
            content: string;
            /**
             * Format: uint
             * @description The number of the last line shown, inclusive.
             */
            end_line: number;
            /** @description The SHA-256 of the whole file, to be sent as `file_hash`. */
            file_hash: string;
            /**
             * @description Always true: the file was read.
             * @constant
             */
            ok: true;
            /** @description The revision of the file (8 hex digits), to be sent as `rev` with edits. */
            rev: string;
            /**
             * Format: uint
             * @description The number of the first line shown, from 1.
             */
            start_line: number;
            /**
             * Format: uint
             * @description How many lines the file has.
             */
            total_lines: number;
            /** @description Whether lines were left out because the answer would be too long: `start_line` and `end_line` say which were not. */
            truncated: boolean;
        };
        /** @description The answer to a request that was refused. */
        PushRefused: {
            /** @description The current tag of the line (null if there is no such line), or the SHA-256 of the file. */
            actual_hash?: string | null;
            /** @description The other files of the request that are refused too. */
            also?: components["schemas"]["AlsoRefused"][];
            /**
             * @description The error code, such as `stale`: the same for all dialects.
             * @enum {string}
             */
            code: "stale" | "ambiguous" | "unknown_rev" | "unseen" | "partly_shown" | "out_of_range" | "bad_anchor" | "bad_range" | "overlap" | "stale_file" | "text_not_found" | "text_not_unique" | "empty_insert" | "not_encodable" | "escaped_bytes" | "no_change" | "file_not_found" | "file_exists" | "conflicting_operations" | "bad_request" | "bad_pattern" | "too_large" | "too_many" | "bad_path" | "outside_root" | "protected" | "not_a_file" | "binary" | "encoding" | "line_too_long" | "read_only" | "hardlinked" | "cannot_replace" | "busy" | "unstable" | "timeout" | "cancelled" | "needs_recovery" | "internal" | "recovery_conflict" | "bad_config" | "io" | "entry_taken" | "bad_agent_file" | "cannot_bind" | "no_common_port" | "no_loopback" | "already_served" | "not_a_socket" | "not_a_token" | "not_private" | "no_sockets" | "runtime" | "no_locks";
            /**
             * Format: uint
             * @description The index (from 0) of the other edit that changes the same lines.
             */
            conflicts_with?: number | null;
            /**
             * @description The error code in the original tool's words; `code` is the same for all dialects.
             * @enum {string}
             */
            error: "invalid_request" | "stale_ref" | "ambiguous" | "unknown_rev" | "unseen" | "partly_shown" | "invalid_ref" | "invalid_range" | "overlapping_edits" | "stale_file" | "text_not_found" | "text_not_unique" | "invalid_edit" | "not_encodable" | "escaped_bytes" | "no_change" | "not_found" | "file_exists" | "conflicting_operations" | "bad_pattern" | "too_large" | "too_many" | "bad_path" | "outside_root" | "protected" | "not_a_file" | "binary" | "encoding" | "line_too_long" | "read_only" | "hardlinked" | "cannot_replace" | "busy" | "unstable" | "timeout" | "cancelled" | "needs_recovery" | "internal" | "recovery_conflict" | "bad_config" | "io" | "entry_taken" | "bad_agent_file" | "cannot_bind" | "no_common_port" | "no_loopback" | "already_served" | "not_a_socket" | "not_a_token" | "not_private" | "no_sockets" | "runtime" | "no_locks";
            /** @description The tag in `failing_ref`, or the SHA-256 that the request requires. */
            expected_hash?: string | null;
            /**
             * Format: uint
             * @description The index of the refused edit in the request, from 0; absent if the refusal is not about one edit.
             */
            failing_edit_index?: number | null;
            /** @description The first refused anchor, as it was sent; absent if the refusal is not about anchors. */
            failing_ref?: string;
            /** @description The current lines around the place of `failing_ref`, with their anchors; absent if it is not an anchor at all. */
            fresh_refs?: string[] | null;
            /** @description The whole refusal as text for a model. */
            message: string;
            /** @description Mistakes in the request that were accepted, and fields that were ignored. */
            notes?: components["schemas"]["RequestNote"][];
            /**
             * @description Always false: nothing was written.
             * @constant
             */
            ok: false;
            /** @description The path of the file, if the refusal is about one. */
            path?: string | null;
            /** @description Whether the request can succeed with fresh anchors, or if it is sent again later. */
            retryable: boolean;
            /** @description The current revision of the file (8 hex digits), to be sent as `rev` with fresh anchors. */
            rev?: string | null;
            written: components["schemas"]["WrittenAnswer"];
        };
        /** @description A whole file that was not written, because it has another version than the request expects. */
        PushStaleFile: {
            /** @description The SHA-256 that the file has; null if there is no such file. */
            current_version: string | null;
            /**
             * @description Always `STALE_FILE`.
             * @constant
             */
            error: "STALE_FILE";
            /** @description The SHA-256 that the request expects. */
            expected_version: string;
            /** @description What happened and what to do next, as text for a model. */
            message: string;
            /**
             * @description Always false: nothing was written.
             * @constant
             */
            ok: false;
            /** @description The path of the file. */
            path: string;
        };
        /** @description The answer to a request to write a whole file. */
        PushWriteAnswer: components["schemas"]["PushWritten"] | components["schemas"]["PushStaleFile"] | components["schemas"]["PushRefused"];
        /** @description A whole file that was written. */
        PushWritten: {
            /**
             * Format: uint
             * @description How many bytes the file has now.
             */
            bytes: number;
            /** @description Whether the file was created. */
            created: boolean;
            /**
             * @description Always true: the file was written.
             * @constant
             */
            ok: true;
            /** @description The path of the file. */
            path: string;
            /** @description The revision of the file (8 hex digits), to be sent as `rev` with edits. */
            rev: string;
            /** @description The SHA-256 of the file, to be sent as `expected_version` with the next write, or as `file_hash` with edits. */
            version: string;
        };
        /** @description The answer to a request that was refused. */
        Refused: {
            /** @description The SHA-256 that the file has instead of `expected`. */
            actual?: string | null;
            /** @description The other files of the request that are refused too. */
            also?: components["schemas"]["AlsoRefused"][];
            /** @description The place of a mistake in the request, as a JSON path with indexes from 0, such as `edits[2].anchor`. */
            at?: string | null;
            /**
             * @description The error code, such as `stale`. Codes are stable.
             * @enum {string}
             */
            code: "stale" | "ambiguous" | "unknown_rev" | "unseen" | "partly_shown" | "out_of_range" | "bad_anchor" | "bad_range" | "overlap" | "stale_file" | "text_not_found" | "text_not_unique" | "empty_insert" | "not_encodable" | "escaped_bytes" | "no_change" | "file_not_found" | "file_exists" | "conflicting_operations" | "bad_request" | "bad_pattern" | "too_large" | "too_many" | "bad_path" | "outside_root" | "protected" | "not_a_file" | "binary" | "encoding" | "line_too_long" | "read_only" | "hardlinked" | "cannot_replace" | "busy" | "unstable" | "timeout" | "cancelled" | "needs_recovery" | "internal" | "recovery_conflict" | "bad_config" | "io" | "entry_taken" | "bad_agent_file" | "cannot_bind" | "no_common_port" | "no_loopback" | "already_served" | "not_a_socket" | "not_a_token" | "not_private" | "no_sockets" | "runtime" | "no_locks";
            /**
             * Format: uint
             * @description For `overlap`: the number (from 1) of the other edit that changes the same lines.
             */
            conflicts_with?: number | null;
            /**
             * Format: uint
             * @description How often the text to replace is in the file, if it must be there exactly once.
             */
            count?: number | null;
            /** @description Notices about the files on disk, such as an interrupted request that was recovered. */
            disk?: components["schemas"]["Notice"][];
            /**
             * Format: uint
             * @description The number of the refused edit in the request, from 1; absent if the refusal is not about one edit.
             */
            edit?: number | null;
            /** @description The SHA-256 of the file that the request requires, if the file has another one. */
            expected?: string | null;
            /** @description For `overlap`: the numbers of the lines that both edits change, such as `3` or `3-5`. */
            lines?: string | null;
            /** @description The whole refusal as text for a model: what happened, whether anything was written, the current lines, and what to do next. */
            message: string;
            /** @description Mistakes in the request that were accepted, and fields that were ignored. */
            notes?: components["schemas"]["RequestNote"][];
            /** @description The lines that the refusal is about, as they are now, with their anchors. */
            now?: string[] | null;
            /**
             * @description Always false: nothing was written.
             * @constant
             */
            ok: false;
            /** @description If anchors are refused: the edits whose anchors could be resolved. */
            others?: components["schemas"]["OtherEdit"][];
            /** @description The path of the file, if the refusal is about one. */
            path?: string | null;
            /** @description The refused anchors, if the refusal is about anchors. */
            problems?: components["schemas"]["ProblemAnswer"][] | null;
            /** @description Whether the request can succeed with fresh anchors, or if it is sent again later. */
            retryable: boolean;
            /** @description The current revision of the file (8 hex digits), to be sent as `rev` with fresh anchors. */
            rev?: string | null;
            /** @description Notices about the ledger (the record of the lines that were shown). */
            state?: components["schemas"]["Notice"][];
            written: components["schemas"]["WrittenAnswer"];
        };
        /** @description Maps each anchor that was sent and whose line changed to the current anchor of that line. */
        Remaps: {
            [key: string]: string;
        };
        /** @description A correction of the new text of an edit. */
        RepairDone: {
            /** @description The lines of text that were used instead. */
            after: string[];
            /** @description The lines of text as they were sent. */
            before: string[];
            /**
             * Format: uint
             * @description The number of the edit in the request, from 1.
             */
            edit: number;
            /** @description Why the correction is right. */
            proof: components["schemas"]["ProofGiven"];
            /** @description The name of the mistake, such as `copied_anchors` or `boundary_echo`. */
            rule: string;
        };
        /** @description The answer to a report. */
        ReportTaken: {
            /** @description Always true. */
            ok: boolean;
        };
        /** @description A mistake in the request that was accepted, or a field that was ignored. */
        RequestNote: {
            /** @description The place in the request as a JSON path with indexes from 0, such as `edits[2].anchor`. */
            at: string;
            /** @description `list_in_string`, `object_for_list`, `unknown_field`, `other_name` (of a known field) or `overruled` (by another field). */
            kind: string;
        };
        SearchTotals: {
            /**
             * Format: uint
             * @description How many files have a line that is so long that only its beginning was searched.
             */
            cut?: number | null;
            /** Format: uint */
            files: number;
            /** Format: uint */
            matches: number;
            /** Format: uint */
            searched: number;
            /** Format: uint */
            shown: number;
            /** @description How many files could not be searched, by error code. */
            skipped: {
                [key: string]: number;
            };
        };
        /** @description The files of a read, in the order of the request. */
        SeveralRead: {
            /** @description The files, each with its lines or the reason why it could not be read. */
            files: components["schemas"]["FileRead"][];
            /** @description Whether all files could be read. */
            ok: boolean;
        };
        SkippedFile: {
            code: string;
            message: string;
            path: string | null;
        };
        VerifiedAnchor: {
            anchor: string;
            ok: boolean;
        } | {
            /** Format: uint */
            end_line: number;
            lines: string[];
            moved: boolean;
            /** Format: uint */
            start_line: number;
        } | {
            code: string;
            /** @description The current lines around the former place of the anchor. */
            now: string[];
            reason: string | null;
        };
        /** @description The JSON answer of `hashline verify`. */
        VerifiedAnswer: {
            anchors: components["schemas"]["VerifiedAnchor"][];
            code?: string;
            /** @description The text of the refusal, in the wording for a model. */
            message?: string;
            ok: boolean;
            path: string;
            retryable?: boolean;
            rev: string;
            written?: boolean;
        };
        /** @description Whether any file was written: `false`, `true` (some were), or `"unknown"`. */
        WrittenAnswer: boolean | string;
    };
    responses: never;
    parameters: never;
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    "edit-file": {
        parameters: {
            query?: never;
            header?: {
                /** @description Which agent of the task sends it: a coder is shown anchors unless it says otherwise, an orchestrator is not */
                "Hashline-Role"?: "coder" | "orchestrator";
                /** @description The session that the anchors belong to */
                "Hashline-Session"?: string;
                /** @description The task on behalf of which the request is sent */
                "Hashline-Task"?: string;
                /** @description The version that the file must have */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description How many lines the answer shows around each change: 0 to 50, 5 unless given. */
                    context?: number;
                    /** @description Check everything and answer the same, but write nothing. */
                    dry_run?: boolean;
                    /** @description The edits. All refs are those of the file as it was read. */
                    edits: {
                        /** @description The last line of a range. */
                        end_ref?: string;
                        /** @description The new text. */
                        new_content?: string;
                        /** @description The line, as in `12:OcoM`. */
                        ref?: string;
                        /** @description The first line of a range. */
                        start_ref?: string;
                        /** @description What to do: replace_line, replace_range, insert_after, insert_before, delete_line or delete_range. */
                        type?: string;
                    }[];
                    /** @description The encoding of the file, if a read named it, such as `windows-1252`. */
                    encoding?: string;
                    /** @description The SHA-256 the file must have, as the read answer gave it. */
                    file_hash?: string;
                    /** @description Answer with the whole annotated file as well. */
                    full_refresh?: boolean;
                    /** @description The file. */
                    path: string;
                    /** @description The revision the anchors were read from, as the read answer gave it. */
                    rev?: string;
                    /** @description The name of the workspace, which must be that of the token. */
                    sandbox_id?: string;
                };
            };
        };
        responses: {
            /** @description The answer, or why the request was refused */
            200: {
                headers: {
                    /** @description The SHA-256 of the file, in quotes, if the answer is about one file */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushAnswer"] | components["schemas"]["PushRefused"] | components["schemas"]["EditDisabled"];
                };
            };
            /** @description The body is not JSON, or a header cannot be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushRefused"] | components["schemas"]["Denied"];
                };
            };
            /** @description The token is missing or not accepted */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The token gives access to another sandbox, or the request comes from a web page */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The path takes another method */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The length of the body is missing */
            411: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description A condition of the headers does not hold */
            412: {
                headers: {
                    /** @description The SHA-256 of the file, in quotes, if the answer is about one file */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushAnswer"] | components["schemas"]["PushRefused"] | components["schemas"]["EditDisabled"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The body is not declared as JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description `Host` is not a name of this server */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The server is busy or about to end */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
        };
    };
    "read-file": {
        parameters: {
            query?: never;
            header?: {
                /** @description Which agent of the task sends it: a coder is shown anchors unless it says otherwise, an orchestrator is not */
                "Hashline-Role"?: "coder" | "orchestrator";
                /** @description The session that the anchors belong to */
                "Hashline-Session"?: string;
                /** @description The task on behalf of which the request is sent */
                "Hashline-Task"?: string;
                /** @description The version of the file that the caller has */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Put an anchor before every line. */
                    annotate?: boolean;
                    /** @description The encoding of the file, such as `windows-1252`; detected unless given. */
                    encoding?: string;
                    /** @description The last line. */
                    end_line?: number;
                    /** @description Always "read". */
                    operation?: string;
                    /** @description The file. */
                    path: string;
                    /** @description The name of the workspace, which must be that of the token. */
                    sandbox_id?: string;
                    /** @description The first line, counted from 1. */
                    start_line?: number;
                };
            };
        };
        responses: {
            /** @description The answer, or why the request was refused */
            200: {
                headers: {
                    /** @description The SHA-256 of the file, in quotes, if the answer is about one file */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushReadAnswer"] | components["schemas"]["PushRefused"];
                };
            };
            /** @description The caller has this version already (`If-None-Match`) */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The body is not JSON, or a header cannot be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushRefused"] | components["schemas"]["Denied"];
                };
            };
            /** @description The token is missing or not accepted */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The token gives access to another sandbox, or the request comes from a web page */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The path takes another method */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The length of the body is missing */
            411: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description A condition of the headers does not hold */
            412: {
                headers: {
                    /** @description The SHA-256 of the file, in quotes, if the answer is about one file */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushReadAnswer"] | components["schemas"]["PushRefused"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The body is not declared as JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description `Host` is not a name of this server */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The server is busy or about to end */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
        };
    };
    "write-file": {
        parameters: {
            query?: never;
            header?: {
                /** @description Which agent of the task sends it: a coder is shown anchors unless it says otherwise, an orchestrator is not */
                "Hashline-Role"?: "coder" | "orchestrator";
                /** @description The session that the anchors belong to */
                "Hashline-Session"?: string;
                /** @description The task on behalf of which the request is sent */
                "Hashline-Task"?: string;
                /** @description The version that the file must have */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Its new content; with `"encoding": "base64"` the bytes of the file in Base64. */
                    content: string;
                    /** @description `base64` for bytes that need not be text; or a text encoding such as `windows-1252`; UTF-8 unless given. */
                    encoding?: string;
                    /** @description The SHA-256 that the file must have, as the last read or write gave it; without it the file is overwritten. */
                    expected_version?: string;
                    /** @description Write lines that begin with their own anchor as they are. */
                    keep_anchors?: boolean;
                    /** @description The file. */
                    path: string;
                    /** @description The name of the workspace, which must be that of the token. */
                    sandbox_id?: string;
                };
            };
        };
        responses: {
            /** @description The answer, or why the request was refused */
            200: {
                headers: {
                    /** @description The SHA-256 of the file, in quotes, if the answer is about one file */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushWriteAnswer"] | components["schemas"]["PushRefused"];
                };
            };
            /** @description The body is not JSON, or a header cannot be used */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushRefused"] | components["schemas"]["Denied"];
                };
            };
            /** @description The token is missing or not accepted */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The token gives access to another sandbox, or the request comes from a web page */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The path takes another method */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The length of the body is missing */
            411: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description A condition of the headers does not hold */
            412: {
                headers: {
                    /** @description The SHA-256 of the file, in quotes, if the answer is about one file */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PushWriteAnswer"] | components["schemas"]["PushRefused"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The body is not declared as JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description `Host` is not a name of this server */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The server is busy or about to end */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
        };
    };
    healthz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether the server runs */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description The token is missing or not accepted */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The token gives access to another sandbox, or the request comes from a web page */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The path takes another method */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The length of the body is missing */
            411: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The body is not declared as JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description `Host` is not a name of this server */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The server is busy or about to end */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
        };
    };
    metrics: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description What was counted, for Prometheus */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "text/plain": string;
                };
            };
            /** @description The token is missing or not accepted */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The token gives access to another sandbox, or the request comes from a web page */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The path takes another method */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The length of the body is missing */
            411: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The body is not declared as JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description `Host` is not a name of this server */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The server is busy or about to end */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
        };
    };
    openapi: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description This document */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description The token is missing or not accepted */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The token gives access to another sandbox, or the request comes from a web page */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The path takes another method */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The length of the body is missing */
            411: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The body is not declared as JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description `Host` is not a name of this server */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The server is busy or about to end */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
        };
    };
    readyz: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            /** @description Whether all workspaces can be used */
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": Record<string, never>;
                };
            };
            /** @description The token is missing or not accepted */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The token gives access to another sandbox, or the request comes from a web page */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The path takes another method */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The length of the body is missing */
            411: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request is too large */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The body is not declared as JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description `Host` is not a name of this server */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The server is busy or about to end */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
        };
    };
    edit: {
        parameters: {
            query?: never;
            header?: {
                /** @description The form of the answer */
                "Hashline-Answer"?: "common" | "dialect";
                /** @description The dialect of the anchors */
                "Hashline-Dialect"?: "omp" | "push" | "cowboy" | "openagent" | "pi" | "lean";
                /** @description Which agent of the task sends it: a coder is shown anchors unless it says otherwise, an orchestrator is not */
                "Hashline-Role"?: "coder" | "orchestrator";
                /** @description The session that the anchors belong to */
                "Hashline-Session"?: string;
                /** @description The task on behalf of which the request is sent */
                "Hashline-Task"?: string;
                /** @description The version that the file must have */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description How many lines the answer shows around each change: 0 to 50, 5 unless given. */
                    context?: number;
                    /** @description Check everything and answer the same, but write nothing. */
                    dry_run?: boolean;
                    /** @description The edits, each with exactly one of its four keys. All anchors are those of the file as it was read. */
                    edits: {
                        /** @description Insert lines after a line. */
                        insert_after?: {
                            /** @description The line, as in `12:a3`. */
                            anchor: string;
                            /** @description The new text; an empty string is one blank line. */
                            text: string;
                        };
                        /** @description Replace an exact text, after the edits by anchor. */
                        replace?: {
                            /** @description Replace every occurrence; without it there must be exactly one. */
                            all?: boolean;
                            /** @description The text that takes its place. */
                            new_text: string;
                            /** @description The text to find, exactly as it appears in the file. */
                            old_text: string;
                        };
                        /** @description Replace a range of lines. */
                        replace_lines?: {
                            /** @description The last line; without it only the first is replaced. */
                            end_anchor?: string;
                            /** @description The new text; an empty string deletes the lines. */
                            new_text: string;
                            /** @description The first line, as in `12:a3`. */
                            start_anchor: string;
                        };
                        /** @description Replace one line. */
                        set_line?: {
                            /** @description The line, as in `12:a3`. */
                            anchor: string;
                            /** @description The new text; an empty string deletes the line, `"\n"` makes it blank. */
                            new_text: string;
                        };
                    }[];
                    /** @description The encoding of the file, if a read named it, such as `windows-1252`. */
                    encoding?: string;
                    /** @description The file. */
                    path: string;
                    /** @description The revision the anchors were read from, as the read answer gave it. */
                    rev?: string;
                } | {
                    /** @description How many lines the answer shows around each change: 0 to 50, 5 unless given. */
                    context?: number;
                    /** @description Check everything and answer the same, but write nothing. */
                    dry_run?: boolean;
                    /** @description The edits. All refs are those of the file as it was read. */
                    edits: {
                        /** @description The last line of a range. */
                        end_ref?: string;
                        /** @description The new text. */
                        new_content?: string;
                        /** @description The line, as in `12:OcoM`. */
                        ref?: string;
                        /** @description The first line of a range. */
                        start_ref?: string;
                        /** @description What to do: replace_line, replace_range, insert_after, insert_before, delete_line or delete_range. */
                        type?: string;
                    }[];
                    /** @description The encoding of the file, if a read named it, such as `windows-1252`. */
                    encoding?: string;
                    /** @description The SHA-256 the file must have, as the read answer gave it. */
                    file_hash?: string;
                    /** @description Answer with the whole annotated file as well. */
                    full_refresh?: boolean;
                    /** @description The file. */
                    path: string;
                    /** @description The revision the anchors were read from, as the read answer gave it. */
                    rev?: string;
                } | {
                    /** @description How many lines the answer shows around each change: 0 to 50, 5 unless given. */
                    context?: number;
                    /** @description Check everything and answer the same, but write nothing. */
                    dry_run?: boolean;
                    /** @description The encoding of the file, if a read named it, such as `windows-1252`. */
                    encoding?: string;
                    /** @description The operations. All anchors are those of the file as it was read. */
                    operations: {
                        /** @description What to do: replace, insert_before, insert_after or delete. */
                        action?: string;
                        /** @description The new text; not for `delete`. */
                        content?: string;
                        /** @description The last line of a range; `replace` and `delete` only. */
                        end?: string;
                        /** @description The line, or the first line of a range, as in `12:a3`. */
                        start?: string;
                    }[];
                    /** @description The file. */
                    path: string;
                    /** @description The revision the anchors were read from, as the read answer gave it. */
                    rev?: string;
                } | {
                    /** @description How many lines the answer shows around each change: 0 to 50, 5 unless given. */
                    context?: number;
                    /** @description Delete the file; needs an empty list of edits. */
                    delete?: boolean;
                    /** @description Check everything and answer the same, but write nothing. */
                    dry_run?: boolean;
                    /** @description The edits. All references are those of the file as it was read. */
                    edits: {
                        /** @description The last line of a range, for `replace`. */
                        end?: string;
                        /** @description The new lines; an empty list with `replace` deletes. */
                        lines?: string[];
                        /** @description What to do: replace, append or prepend. */
                        op?: string;
                        /** @description The line, as in `12#NK`; `append` and `prepend` without it are for the end and the start of the file. */
                        pos?: string;
                    }[];
                    /** @description The encoding of the file, if a read named it, such as `windows-1252`. */
                    encoding?: string;
                    /** @description The file. */
                    filePath: string;
                    /** @description The file's new name. */
                    rename?: string;
                    /** @description The revision the anchors were read from, as the read answer gave it. */
                    rev?: string;
                } | {
                    /** @description How many lines the answer shows around each change: 0 to 50, 5 unless given. */
                    context?: number;
                    /** @description Check everything and answer the same, but write nothing. */
                    dry_run?: boolean;
                    /** @description The encoding of the file, if a read named it, such as `windows-1252`. */
                    encoding?: string;
                    /** @description The encodings of files, by path, if reads named them. */
                    encodings?: {
                        [key: string]: string;
                    };
                    /** @description The operations, in order. All anchors are those of the files as they were read. */
                    patch: {
                        /** @description The line, as in `12:a3`. */
                        anchor?: string;
                        /** @description The content of a new file, exactly. */
                        content?: string;
                        /** @description The last line of a range. */
                        end_anchor?: string;
                        /** @description The file to move. */
                        from?: string;
                        /** @description What to do: set_line, replace_range, insert_after, delete, add_file, move_file or delete_file. */
                        op?: string;
                        /** @description The file. */
                        path?: string;
                        /** @description The first line of a range. */
                        start_anchor?: string;
                        /** @description The new text. */
                        text?: string;
                        /** @description Its new name. */
                        to?: string;
                    }[];
                    /** @description The file of line operations that do not name one. */
                    path?: string;
                    /** @description The revision the anchors were read from, as the read answer gave it. */
                    rev?: string;
                    /** @description The revisions that the anchors were read from, by path. */
                    revs?: {
                        [key: string]: string;
                    };
                } | {
                    /** @description How many lines the answer shows around each change: 0 to 50, 5 unless given. */
                    context?: number;
                    /** @description Check everything and answer the same, but write nothing. */
                    dry_run?: boolean;
                    /** @description The edits. All anchors are those of the file as it was read. */
                    edits?: {
                        /** @description Replace every occurrence, for substitute; without it there must be exactly one. */
                        all?: boolean;
                        /** @description The line, or the first line of a range, as the read answer shows it. */
                        at?: string;
                        /** @description The content of a file, exactly, for create (a new file) and rewrite (a whole file anew, as its `rev` was). */
                        content?: string;
                        /** @description The new lines. */
                        lines?: string[];
                        /** @description The text that takes its place, for substitute. */
                        new?: string;
                        /** @description The text to find, exactly, for substitute. */
                        old?: string;
                        /** @description What to do: replace, delete, insert_before, insert_after, prepend, append, substitute, create, rewrite, move or delete_file. */
                        op?: string;
                        /** @description The last line of a range, for replace and delete. */
                        to?: string;
                        /** @description The file's new name, for move. */
                        to_path?: string;
                    }[];
                    /** @description The encoding of the file, if a read named it, such as `windows-1252`. */
                    encoding?: string;
                    /** @description Several files at once, instead of `path` and `edits`. */
                    files?: {
                        /** @description The edits. */
                        edits?: {
                            /** @description Replace every occurrence, for substitute; without it there must be exactly one. */
                            all?: boolean;
                            /** @description The line, or the first line of a range, as the read answer shows it. */
                            at?: string;
                            /** @description The content of a file, exactly, for create (a new file) and rewrite (a whole file anew, as its `rev` was). */
                            content?: string;
                            /** @description The new lines. */
                            lines?: string[];
                            /** @description The text that takes its place, for substitute. */
                            new?: string;
                            /** @description The text to find, exactly, for substitute. */
                            old?: string;
                            /** @description What to do: replace, delete, insert_before, insert_after, prepend, append, substitute, create, rewrite, move or delete_file. */
                            op?: string;
                            /** @description The last line of a range, for replace and delete. */
                            to?: string;
                            /** @description The file's new name, for move. */
                            to_path?: string;
                        }[];
                        /** @description The file. */
                        path: string;
                        /** @description The revision the anchors were read from, as the read answer gave it. */
                        rev?: string;
                    }[];
                    /** @description The file. */
                    path?: string;
                    /** @description The revision the anchors were read from, as the read answer gave it. */
                    rev?: string;
                };
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description The SHA-256 of the file, in quotes, if the answer is about one file */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DialectAnswer"];
                };
            };
            /** @description The request was refused; `code` says why */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["DialectAnswer"];
                };
            };
            /** @description The token is missing or not accepted */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["DialectAnswer"];
                };
            };
            /** @description The request was refused; `code` says why */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["DialectAnswer"];
                };
            };
            /** @description The path takes another method */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["DialectAnswer"];
                };
            };
            /** @description The length of the body is missing */
            411: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            412: {
                headers: {
                    /** @description The SHA-256 of the file, in quotes, if the answer is about one file */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["DialectAnswer"];
                };
            };
            /** @description The request was refused; `code` says why */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["DialectAnswer"];
                };
            };
            /** @description The body is not declared as JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description `Host` is not a name of this server */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["DialectAnswer"];
                };
            };
            /** @description The headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            499: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["DialectAnswer"];
                };
            };
            /** @description The request was refused; `code` says why */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["DialectAnswer"];
                };
            };
            /** @description The request was refused; `code` says why */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["DialectAnswer"];
                };
            };
        };
    };
    read: {
        parameters: {
            query?: never;
            header?: {
                /** @description The dialect of the anchors */
                "Hashline-Dialect"?: "omp" | "push" | "cowboy" | "openagent" | "pi" | "lean";
                /** @description Which agent of the task sends it: a coder is shown anchors unless it says otherwise, an orchestrator is not */
                "Hashline-Role"?: "coder" | "orchestrator";
                /** @description The session that the anchors belong to */
                "Hashline-Session"?: string;
                /** @description The task on behalf of which the request is sent */
                "Hashline-Task"?: string;
                /** @description The version of the file that the caller has */
                "If-None-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Put an anchor before every line; true unless given, but for an orchestrator. */
                    annotate?: boolean;
                    /** @description Do not ignore case in `search`; the default is false. */
                    caseSensitive?: boolean;
                    /** @description How many lines to show after each match. */
                    contextAfter?: number;
                    /** @description How many lines to show before each match. */
                    contextBefore?: number;
                    /** @description The encoding of the file, such as `windows-1252`; detected unless given. */
                    encoding?: string;
                    /** @description How many lines at most. */
                    limit?: number;
                    /** @description How many matching lines to show: 1 to 1000, 200 unless given; 0 counts as 1. */
                    maxMatches?: number;
                    /** @description The first line, counted from 1. */
                    offset?: number;
                    /** @description The file. */
                    path?: string;
                    /** @description Several files at once, instead of `path`. */
                    paths?: string[];
                    /** @description Treat the text as a regular expression. */
                    regex?: boolean;
                    /** @description The name of the workspace, which must be that of the token. */
                    sandbox_id?: string;
                    /** @description A text to search for; only lines that contain it are shown. */
                    search?: string;
                };
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description The SHA-256 of the file, in quotes, if the answer is about one file */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FilesRead"];
                };
            };
            /** @description The caller has this version already (`If-None-Match`) */
            304: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
            /** @description The request was refused; `code` says why */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["FilesRead"];
                };
            };
            /** @description The token is missing or not accepted */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["FilesRead"];
                };
            };
            /** @description The request was refused; `code` says why */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["FilesRead"];
                };
            };
            /** @description The path takes another method */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["FilesRead"];
                };
            };
            /** @description The length of the body is missing */
            411: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            412: {
                headers: {
                    /** @description The SHA-256 of the file, in quotes, if the answer is about one file */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["FilesRead"];
                };
            };
            /** @description The request was refused; `code` says why */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["FilesRead"];
                };
            };
            /** @description The body is not declared as JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description `Host` is not a name of this server */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["FilesRead"];
                };
            };
            /** @description The headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            499: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["FilesRead"];
                };
            };
            /** @description The request was refused; `code` says why */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["FilesRead"];
                };
            };
            /** @description The request was refused; `code` says why */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["FilesRead"];
                };
            };
        };
    };
    search: {
        parameters: {
            query?: never;
            header?: {
                /** @description The dialect of the anchors */
                "Hashline-Dialect"?: "omp" | "push" | "cowboy" | "openagent" | "pi" | "lean";
                /** @description Which agent of the task sends it: a coder is shown anchors unless it says otherwise, an orchestrator is not */
                "Hashline-Role"?: "coder" | "orchestrator";
                /** @description The session that the anchors belong to */
                "Hashline-Session"?: string;
                /** @description The task on behalf of which the request is sent */
                "Hashline-Task"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Only files after this one in the order of answers: to continue where an answer ended. */
                    beyond?: string;
                    /** @description How many lines to show after each match. */
                    contextAfter?: number;
                    /** @description How many lines to show before each match. */
                    contextBefore?: number;
                    /** @description The encoding of all files that are searched, such as `windows-1252`; detected unless given. */
                    encoding?: string;
                    /** @description Only files whose path matches this glob, such as `*.rs` or `!tests/**`. */
                    glob?: string;
                    /** @description Ignore case; the default is false. */
                    ignoreCase?: boolean;
                    /** @description Treat the pattern as plain text. */
                    literal?: boolean;
                    /** @description How many matching lines to show at most: 1 to 1000; 0 counts as 1. */
                    maxMatches?: number;
                    /** @description A file or folder; without it the whole workspace. */
                    path?: string;
                    /** @description The regular expression, matched against one line at a time. */
                    pattern: string;
                    /** @description The name of the workspace, which must be that of the token. */
                    sandbox_id?: string;
                };
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description The SHA-256 of the file, in quotes, if the answer is about one file */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["FoundAnswer"];
                };
            };
            /** @description The request was refused; `code` says why */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["FoundAnswer"];
                };
            };
            /** @description The token is missing or not accepted */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["FoundAnswer"];
                };
            };
            /** @description The request was refused; `code` says why */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["FoundAnswer"];
                };
            };
            /** @description The path takes another method */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["FoundAnswer"];
                };
            };
            /** @description The length of the body is missing */
            411: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            412: {
                headers: {
                    /** @description The SHA-256 of the file, in quotes, if the answer is about one file */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["FoundAnswer"];
                };
            };
            /** @description The request was refused; `code` says why */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["FoundAnswer"];
                };
            };
            /** @description The body is not declared as JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description `Host` is not a name of this server */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["FoundAnswer"];
                };
            };
            /** @description The headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            499: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["FoundAnswer"];
                };
            };
            /** @description The request was refused; `code` says why */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["FoundAnswer"];
                };
            };
            /** @description The request was refused; `code` says why */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["FoundAnswer"];
                };
            };
        };
    };
    telemetry: {
        parameters: {
            query?: never;
            header?: {
                /** @description Which agent of the task sends it: a coder is shown anchors unless it says otherwise, an orchestrator is not */
                "Hashline-Role"?: "coder" | "orchestrator";
                /** @description The session that the anchors belong to */
                "Hashline-Session"?: string;
                /** @description The task on behalf of which the request is sent */
                "Hashline-Task"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description How the task ended. */
                    outcome: "success" | "failure" | "abandoned";
                    /** @description How many of its edits and writes were sent again because the one before was refused. */
                    retries?: number;
                    /** @description How many rounds the agent needed. */
                    rounds?: number;
                    /** @description The name of the workspace, which must be that of the token. */
                    sandbox_id?: string;
                    /** @description How long the task took, in seconds. */
                    seconds?: number;
                    /** @description The name of the task, as in the header `Hashline-Task`. It is not stored. */
                    task: string;
                    /** @description How many tokens the model read. */
                    tokens_in?: number;
                    /** @description How many tokens the model wrote. */
                    tokens_out?: number;
                };
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description The SHA-256 of the file, in quotes, if the answer is about one file */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportTaken"];
                };
            };
            /** @description The request was refused; `code` says why */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["ReportTaken"];
                };
            };
            /** @description The token is missing or not accepted */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["ReportTaken"];
                };
            };
            /** @description The request was refused; `code` says why */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["ReportTaken"];
                };
            };
            /** @description The path takes another method */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["ReportTaken"];
                };
            };
            /** @description The length of the body is missing */
            411: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            412: {
                headers: {
                    /** @description The SHA-256 of the file, in quotes, if the answer is about one file */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["ReportTaken"];
                };
            };
            /** @description The request was refused; `code` says why */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["ReportTaken"];
                };
            };
            /** @description The body is not declared as JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description `Host` is not a name of this server */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["ReportTaken"];
                };
            };
            /** @description The headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            499: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["ReportTaken"];
                };
            };
            /** @description The request was refused; `code` says why */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["ReportTaken"];
                };
            };
            /** @description The request was refused; `code` says why */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["ReportTaken"];
                };
            };
        };
    };
    verify: {
        parameters: {
            query?: never;
            header?: {
                /** @description The dialect of the anchors */
                "Hashline-Dialect"?: "omp" | "push" | "cowboy" | "openagent" | "pi" | "lean";
                /** @description Which agent of the task sends it: a coder is shown anchors unless it says otherwise, an orchestrator is not */
                "Hashline-Role"?: "coder" | "orchestrator";
                /** @description The session that the anchors belong to */
                "Hashline-Session"?: string;
                /** @description The task on behalf of which the request is sent */
                "Hashline-Task"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description The anchors; a range is two of them with `..` in between. */
                    anchors: string[];
                    /** @description How many lines to show around the place of an anchor that does not land. */
                    context?: number;
                    /** @description The encoding of the file, such as `windows-1252`; detected unless given. */
                    encoding?: string;
                    /** @description The file. */
                    path: string;
                    /** @description The revision that the anchors were read from. */
                    rev?: string;
                    /** @description The name of the workspace, which must be that of the token. */
                    sandbox_id?: string;
                };
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description The SHA-256 of the file, in quotes, if the answer is about one file */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["VerifiedAnswer"];
                };
            };
            /** @description The request was refused; `code` says why */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["VerifiedAnswer"];
                };
            };
            /** @description The token is missing or not accepted */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["VerifiedAnswer"];
                };
            };
            /** @description The request was refused; `code` says why */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["VerifiedAnswer"];
                };
            };
            /** @description The path takes another method */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["VerifiedAnswer"];
                };
            };
            /** @description The length of the body is missing */
            411: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            412: {
                headers: {
                    /** @description The SHA-256 of the file, in quotes, if the answer is about one file */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["VerifiedAnswer"];
                };
            };
            /** @description The request was refused; `code` says why */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["VerifiedAnswer"];
                };
            };
            /** @description The body is not declared as JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description `Host` is not a name of this server */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["VerifiedAnswer"];
                };
            };
            /** @description The headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            499: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["VerifiedAnswer"];
                };
            };
            /** @description The request was refused; `code` says why */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["VerifiedAnswer"];
                };
            };
            /** @description The request was refused; `code` says why */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["VerifiedAnswer"];
                };
            };
        };
    };
    write: {
        parameters: {
            query?: never;
            header?: {
                /** @description The dialect of the anchors */
                "Hashline-Dialect"?: "omp" | "push" | "cowboy" | "openagent" | "pi" | "lean";
                /** @description Which agent of the task sends it: a coder is shown anchors unless it says otherwise, an orchestrator is not */
                "Hashline-Role"?: "coder" | "orchestrator";
                /** @description The session that the anchors belong to */
                "Hashline-Session"?: string;
                /** @description The task on behalf of which the request is sent */
                "Hashline-Task"?: string;
                /** @description The version that the file must have */
                "If-Match"?: string;
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    /** @description Its new content, byte for byte. */
                    content: string;
                    /** @description The encoding of the file, such as `windows-1252`; UTF-8 for a new file, unless given. */
                    encoding?: string;
                    /** @description Write lines that begin with their own anchor as they are. */
                    keep_anchors?: boolean;
                    /** @description The file. */
                    path: string;
                    /** @description The revision that `read` showed, to replace a file that exists; without it the file is created. */
                    rev?: string;
                    /** @description The name of the workspace, which must be that of the token. */
                    sandbox_id?: string;
                };
            };
        };
        responses: {
            /** @description The answer */
            200: {
                headers: {
                    /** @description The SHA-256 of the file, in quotes, if the answer is about one file */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CommonAnswer"];
                };
            };
            /** @description The request was refused; `code` says why */
            400: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["CommonAnswer"];
                };
            };
            /** @description The token is missing or not accepted */
            401: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            403: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["CommonAnswer"];
                };
            };
            /** @description The request was refused; `code` says why */
            404: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["CommonAnswer"];
                };
            };
            /** @description The path takes another method */
            405: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request did not arrive in time */
            408: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            409: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["CommonAnswer"];
                };
            };
            /** @description The length of the body is missing */
            411: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            412: {
                headers: {
                    /** @description The SHA-256 of the file, in quotes, if the answer is about one file */
                    ETag?: string;
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["CommonAnswer"];
                };
            };
            /** @description The request was refused; `code` says why */
            413: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["CommonAnswer"];
                };
            };
            /** @description The body is not declared as JSON */
            415: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description `Host` is not a name of this server */
            421: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            422: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["CommonAnswer"];
                };
            };
            /** @description The headers are too large */
            431: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denied"];
                };
            };
            /** @description The request was refused; `code` says why */
            499: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["CommonAnswer"];
                };
            };
            /** @description The request was refused; `code` says why */
            500: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["CommonAnswer"];
                };
            };
            /** @description The request was refused; `code` says why */
            503: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Refused"] | components["schemas"]["Denied"] | components["schemas"]["CommonAnswer"];
                };
            };
        };
    };
}
