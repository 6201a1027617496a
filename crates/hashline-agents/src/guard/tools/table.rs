//! The table of commands that read or write files: names, options that take a value, and the function that determines the effect.

use super::{CommandCall, Effect, copies, found, git, nested, readers, sed_awk_dd, writers};
use crate::guard::options::{Arguments, ValueOptions, lists};
use crate::guard::places::GuardPaths;
use readers::{pager, reader};
use writers::editor;

/// A function that returns which guarded files a command with these arguments would read or write.
pub(super) type Judge = fn(&CommandCall, &Arguments, &GuardPaths) -> Effect;

/// Returns the options that take a value, and the function that determines the effect, for the command `name`.
pub(super) fn find(name: &str) -> Option<(ValueOptions, Judge)> {
    let row = TOOLS.iter().find(|row| lists(row.0, name))?;
    Some((ValueOptions(row.1), row.2))
}

/// All known commands that read or write files: names, options that take a value, and the function that determines the effect.
const TOOLS: &[(&str, &str, Judge)] = &[
    ("cat rev gcat", "", reader),
    ("most", "", pager),
    ("ul ptx", "-t -w -W -o", reader),
    ("col colrm envsubst", "", readers::tr),
    (
        "zcat gzcat bzcat xzcat zstdcat lzcat zless zmore",
        "",
        reader,
    ),
    (
        "gzip gunzip bzip2 bunzip2 xz unxz zstd unzstd",
        "-S -T -M --suffix --threads --memory",
        readers::unpacker,
    ),
    ("tac gtac", "-s --separator", reader),
    ("head ghead", "-n -c --lines --bytes", reader),
    (
        "tail gtail",
        "-n -c -s --lines --bytes --sleep-interval --pid --max-unchanged-stats",
        pager,
    ),
    (
        "less",
        "-b -h -j -k -o -O -p -P -t -T -x -y -z -D -# --pattern --prompt --tag --tag-file --log-file --LOG-FILE --tabs \
         --window --jump-target",
        pager,
    ),
    ("more", "-n --lines", pager),
    ("view", "-c -u -S -T -t -W -w -i --cmd", pager),
    (
        "nl",
        "-b -d -f -h -i -l -n -s -v -w --body-numbering --section-delimiter --footer-numbering --header-numbering \
         --line-increment --join-blank-lines --number-format --number-separator --starting-line-number --number-width",
        reader,
    ),
    (
        "bat batcat",
        "-l -r -H -m --language --line-range --highlight-line --theme --theme-dark --theme-light --style --map-syntax \
         --file-name --tabs --wrap --terminal-width --color --decorations --paging --pager --italic-text --diff-context \
         --nonprintable-notation --binary --squeeze-limit --strip-ansi --ignored-suffix",
        reader,
    ),
    // It spells long options with one hyphen (`-plain`) and knows no clusters.
    (
        "xxd",
        "-s -l -c -g -o -n -R -p? -a? -b? -i? -u? -r? -C? -e? -E? -d? -seek -len -cols -groupsize -offset -name",
        writers::xxd,
    ),
    (
        "hexdump hd",
        "-n -s -e -f --length --skip --format --format-file",
        reader,
    ),
    (
        "od god",
        "-A -j -N -t -S -w? --address-radix --skip-bytes --read-bytes --format --strings --endian",
        reader,
    ),
    (
        "strings",
        "-n -t -T -e -s -U --bytes --radix --target --encoding --output-separator --unicode",
        reader,
    ),
    (
        "base64 gbase64 base32 basenc",
        "-w -b --wrap --break",
        reader,
    ),
    ("fold gfold", "-w --width", reader),
    ("fmt", "-w -p -g --width --prefix --goal", reader),
    ("expand unexpand", "-t --tabs", reader),
    (
        "pr",
        "-D -h -l -N -o -W -w -e? -i? -n? -s? -S? --date-format --header --length --first-line-number --indent --page-width \
         --width --columns",
        pager,
    ),
    (
        "cut gcut",
        "-d -f -c -b --delimiter --fields --characters --bytes --output-delimiter",
        reader,
    ),
    ("paste", "-d --delimiters", reader),
    (
        "column",
        "-c -E -H -i -l -N -n -o -O -p -r -R -s -T -W --output-width --separator --output-separator --table-columns \
         --table-name --table-order --table-right --table-truncate --table-wrap --table-hide --table-noextreme \
         --table-columns-limit --tree --tree-id --tree-parent",
        reader,
    ),
    ("tr gtr", "", readers::tr),
    ("dd", "", sed_awk_dd::dd),
    (sed_awk_dd::SED, sed_awk_dd::SED_OPTIONS.0, sed_awk_dd::sed),
    (sed_awk_dd::AWK, sed_awk_dd::AWK_OPTIONS.0, sed_awk_dd::awk),
    (
        "grep egrep fgrep ggrep",
        "-e -f -A -B -C -m -d -D --regexp --file --after-context --before-context --context --max-count --directories \
         --devices --label --include --exclude --exclude-dir --exclude-from --binary-files",
        readers::grep,
    ),
    (
        "zgrep zegrep zfgrep bzgrep bzegrep bzfgrep xzgrep xzegrep xzfgrep lzgrep zstdgrep",
        "-e -f -A -B -C -m --regexp --file --after-context --before-context --context --max-count --label",
        readers::grep,
    ),
    (nested::SHELLS, nested::SHELL_OPTIONS.0, readers::shell),
    (
        "diff gdiff colordiff",
        "-x -X -S -I -F -W -U -C -D -L --exclude --exclude-from --starting-file --from-file --to-file --ignore-matching-lines \
         --show-function-line --width --unified --context --ifdef --label --color --palette --tabsize --horizon-lines",
        readers::diff,
    ),
    (
        "rg",
        "-e -f -g -t -T -A -B -C -m -M -j -E -r -d --regexp --file --glob --iglob --type --type-not --type-add --type-clear \
         --after-context --before-context --context --max-count --max-columns --max-depth --max-filesize --threads --encoding \
         --replace --sort --sortr --color --colors --engine --ignore-file --path-separator --pre --pre-glob \
         --context-separator --field-match-separator --field-context-separator --dfa-size-limit --regex-size-limit \
         --hostname-bin --hyperlink-format",
        readers::grep,
    ),
    (
        "ag",
        "-A -B -C -G -m -p -W -g --after --before --context --depth --file-search-regex --ignore --ignore-dir --max-count \
         --path-to-ignore --pager --width --workers",
        readers::grep,
    ),
    (
        "ack",
        "-A -B -C -m -g -t --after-context --before-context --context --ignore-dir --ignore-directory --ignore-file \
         --max-count --output --pager --type --type-add --type-del --type-set",
        readers::grep,
    ),
    // It reads keys from the file after `-s`, but is silent with `-es`.
    (
        "vi vim nvim",
        "-c -u -U -S -T -t -W -w -i -s -e? -E? --cmd --listen --server",
        editor,
    ),
    // Here `-s` says to be silent.
    (
        "ex",
        "-c -u -U -S -T -t -W -w -i --cmd --listen --server",
        editor,
    ),
    (
        "nano pico",
        "-C -Q -T -Y -o -r -s -X --backupdir --tabsize --syntax --fill --operatingdir --speller",
        editor,
    ),
    (
        "micro",
        "--config-dir -config-dir -filetype -colorscheme -tabsize -encoding -fileformat -ruler -syntax -softwrap",
        editor,
    ),
    (
        "emacs",
        "-l -f -u -t -L --load --funcall --eval --execute --script --directory --user",
        editor,
    ),
    ("ed", "-p --prompt", editor),
    ("tee sponge", "", writers::tee),
    (
        "yq",
        "-o -p -I -s --input-format --output-format --indent --from-file --expression --split-exp --front-matter \
         --xml-attribute-prefix --xml-content-name",
        writers::yq,
    ),
    ("sd", "-f -n --flags --max-replacements", writers::sd),
    (
        "sort",
        "-k -t -S -T -o --key --field-separator --buffer-size --temporary-directory --output --parallel --compress-program \
         --files0-from --batch-size --random-source --sort",
        writers::outputs,
    ),
    ("truncate", "-s -r --size --reference", writers::truncate),
    (
        "curl",
        "-A -b -c -C -d -D -e -E -F -H -K -m -o -P -Q -r -t -T -u -U -w -x -X -y -Y -z --output --output-dir --header --data \
         --data-raw --data-binary --data-urlencode --json --form --form-string --request --user --user-agent --referer \
         --cookie --cookie-jar --dump-header --write-out --url --proxy --max-time --connect-timeout --retry --retry-delay \
         --retry-max-time --cacert --cert --key --config --upload-file --range --resolve --connect-to --interface \
         --limit-rate --unix-socket --variable --oauth2-bearer --aws-sigv4 --trace --trace-ascii --stderr --etag-save --hsts \
         --alt-svc --libcurl --ca-native?",
        writers::curl,
    ),
    (
        "wget",
        "-O -o -a -e -i -B -t -T -w -Q -P -U -l -A -R -D -I -X --output-document --output-file --append-output --execute \
         --input-file --base --tries --timeout --wait --quota --directory-prefix --user-agent --level --accept --reject \
         --domains --include-directories --exclude-directories --header --post-data --post-file --user --password \
         --limit-rate --referer",
        writers::wget,
    ),
    ("git", "", git::judge),
    ("find gfind", "", writers::find),
    ("xargs gxargs", "", found::xargs_effect),
    (
        "shuf gshuf",
        "-i -n -o --input-range --head-count --output --random-source",
        writers::shuf,
    ),
    (
        "iconv",
        "-f -t -o --from-code --to-code --output",
        writers::converter,
    ),
    (
        "uniq guniq",
        "-f -s -w --skip-fields --skip-chars --check-chars",
        writers::uniq,
    ),
    (
        "split gsplit csplit gcsplit",
        "-a -b -C -l -n -t -f --suffix-length --bytes --line-bytes --lines --number --separator --additional-suffix \
         --filter --prefix --suffix-format --digits",
        writers::split,
    ),
    (
        "sdiff",
        "-o -w -I --output --width --ignore-matching-lines --diff-program",
        writers::outputs,
    ),
    ("fallocate", "-l -o --length --offset", writers::truncate),
    (
        "shred",
        "-n -s --iterations --size --random-source",
        writers::shred,
    ),
    (
        "gpg gpg2",
        "-o -u -r -R -a? --output --local-user --recipient --hidden-recipient --passphrase --passphrase-file --homedir \
         --status-fd --command-fd --logger-file --options --keyring --digest-algo --cipher-algo",
        writers::outputs,
    ),
    // They write translations, which are text.
    (
        "msgcat msgmerge msgconv msgen msgfilter msgattrib msguniq msgcomm msggrep",
        "-o -f -D -i -l -L -d -k? --output-file --output --files-from --directory --input --locale --language \
         --default-domain --lang --to-code --from-code",
        writers::converter,
    ),
    (
        "openssl",
        "-in -out -pass -k -kfile -K -S -iv -md -bufsize -iter",
        writers::openssl,
    ),
    (
        "patch",
        "-p -d -i -o -r -B -D -F -g -V -x -Y -z --strip --directory --input --output --reject-file --prefix --suffix --fuzz \
         --basename-prefix --ifdef --get --version-control --backup-suffix --reject-format --read-only --quoting-style",
        writers::patch,
    ),
    (
        "cp mv ln",
        "-t -S --target-directory --suffix",
        copies::judge,
    ),
    (
        "install",
        "-t -S -m -o -g --target-directory --suffix --mode --owner --group --strip-program",
        copies::judge,
    ),
    ("scp sftp", "-c -D -F -i -J -l -o -P -S -X", copies::judge),
    (
        "rsync",
        "-e -f -T -B -M --rsh --filter --exclude --exclude-from --include --include-from --files-from --rsync-path --log-file \
         --log-file-format --temp-dir --partial-dir --compare-dest --copy-dest --link-dest --backup-dir --suffix --chmod \
         --chown --bwlimit --port --password-file --timeout --contimeout --max-size --min-size --max-delete --out-format \
         --info --debug --block-size --remote-option --modify-window",
        copies::judge,
    ),
];
