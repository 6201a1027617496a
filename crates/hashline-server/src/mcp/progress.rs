//! Progress of long searches, for a client that asked to be told.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use rmcp::model::{ProgressNotificationParam, ProgressToken};
use rmcp::service::{Peer, RoleServer};

/// Between two words about it.
const PAUSE: Duration = Duration::from_millis(250);

/// Tells how many files were searched, again and again. Never ends by itself.
pub(crate) async fn tell(
    peer: &Peer<RoleServer>,
    token: Option<ProgressToken>,
    seen: &AtomicUsize,
) {
    let Some(token) = token else {
        return std::future::pending().await;
    };
    let mut told = 0;
    loop {
        tokio::time::sleep(PAUSE).await;
        let now = seen.load(Ordering::Relaxed);
        // The protocol wants it to grow each time.
        if now > told {
            told = now;
            let files = u32::try_from(now).unwrap_or(u32::MAX);
            let mut progress = ProgressNotificationParam::new(token.clone(), files.into());
            progress.message = Some(format!("{now} files searched"));
            // A client that is gone is told nothing.
            let _ = peer.notify_progress(progress).await;
        }
    }
}
