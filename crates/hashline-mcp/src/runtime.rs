//! The threads of a server.

use std::io;

use tokio::runtime::{Builder, Runtime};

/// Starts them: one for messages, which are little work, and others for tools as they are called. When they are given up, work that has
/// begun is brought to its end.
pub(crate) fn start() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// Waits until somebody ends the program: with a key, or as a service is ended.
pub(crate) async fn told_to_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let Ok(mut ended) = signal(SignalKind::terminate()) {
            tokio::select! {
                _ = ended.recv() => {}
                _ = tokio::signal::ctrl_c() => {}
            }
            return;
        }
    }
    // Where it cannot be heard, the program is ended without being told.
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}
