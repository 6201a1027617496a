//! `curl -o` and `wget -O`: downloads under a name that the command line gives.

use super::{Call, Deed};
use crate::guard::options::Spec;
use crate::guard::places::Places;
use crate::guard::shell::Word;

const CURL: Spec = Spec {
    valued: "AbcCdDeEFHKmoPQrtTuUwxXyYz",
    attached: "",
    long: &[
        "output",
        "output-dir",
        "header",
        "data",
        "data-raw",
        "data-binary",
        "data-urlencode",
        "json",
        "form",
        "form-string",
        "request",
        "user",
        "user-agent",
        "referer",
        "cookie",
        "cookie-jar",
        "dump-header",
        "write-out",
        "url",
        "proxy",
        "max-time",
        "connect-timeout",
        "retry",
        "retry-delay",
        "retry-max-time",
        "cacert",
        "cert",
        "key",
        "config",
        "upload-file",
        "range",
        "resolve",
        "connect-to",
        "interface",
        "limit-rate",
        "unix-socket",
        "variable",
        "oauth2-bearer",
        "aws-sigv4",
        "trace",
        "trace-ascii",
        "stderr",
        "etag-save",
        "hsts",
    ],
};

const WGET: Spec = Spec {
    valued: "OoaeiBtTwQPUlARDIX",
    attached: "",
    long: &[
        "output-document",
        "output-file",
        "append-output",
        "execute",
        "input-file",
        "base",
        "tries",
        "timeout",
        "wait",
        "quota",
        "directory-prefix",
        "user-agent",
        "level",
        "accept",
        "reject",
        "domains",
        "include-directories",
        "exclude-directories",
        "header",
        "post-data",
        "post-file",
        "user",
        "password",
        "limit-rate",
        "referer",
    ],
};

pub(super) fn curl(call: &Call, places: &Places) -> Deed {
    let arguments = CURL.read(&call.args);
    let folder = arguments.values(&["output-dir"]).last();
    let files: Vec<Word> = arguments
        .values(&["o", "output"])
        .map(|file| within(folder, file))
        .collect();
    Deed::writing(&files, places)
}

pub(super) fn wget(call: &Call, places: &Places) -> Deed {
    let arguments = WGET.read(&call.args);
    Deed::writing(arguments.values(&["O", "output-document"]), places)
}

fn within(folder: Option<&Word>, file: &Word) -> Word {
    match folder {
        Some(folder) if !file.is("-") => {
            let mut path = folder.clone();
            path.push_text("/");
            path.append(file);
            path
        }
        _ => file.clone(),
    }
}
