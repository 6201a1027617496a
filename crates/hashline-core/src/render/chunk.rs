//! Cutting rendered lines into chunks, for readers that take a file in parts.

/// How much goes into one chunk.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ChunkLimits {
    /// The most lines; 0 gives one line a chunk.
    pub lines: usize,
    /// The most bytes, the `\n`s between lines included; a longer line is a chunk of its own.
    pub bytes: usize,
}

impl Default for ChunkLimits {
    fn default() -> Self {
        Self {
            lines: 200,
            bytes: 65_536,
        }
    }
}

/// Groups rendered lines into chunks, each joined with `\n`.
pub fn chunks<S: AsRef<str>>(
    lines: impl IntoIterator<Item = S>,
    limits: ChunkLimits,
) -> Vec<String> {
    let mut done: Vec<String> = Vec::new();
    let mut chunk: Option<(String, usize)> = None;
    for line in lines {
        let line = line.as_ref();
        let full = |(text, count): &(String, usize)| {
            *count >= limits.lines || text.len().saturating_add(1 + line.len()) > limits.bytes
        };
        done.extend(chunk.take_if(|chunk| full(chunk)).map(|(text, _)| text));
        let (text, count) = chunk.get_or_insert_with(|| (String::new(), 0));
        if *count > 0 {
            text.push('\n');
        }
        text.push_str(line);
        *count += 1;
        done.extend(
            chunk
                .take_if(|(text, count)| *count >= limits.lines || text.len() >= limits.bytes)
                .map(|(text, _)| text),
        );
    }
    done.extend(chunk.map(|(text, _)| text));
    done
}
