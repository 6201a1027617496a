//! The threads of a server.

use std::io;

use tokio::runtime::{Builder, Runtime};

/// Starts them: one for messages, which are little work, and others for tools as they are called. When they are given up, work that has
/// begun is brought to its end.
pub(crate) fn start() -> io::Result<Runtime> {
    Builder::new_current_thread().enable_all().build()
}

/// Hears when somebody ends the program: with a key, or as a service is ended. From when it is made, the program is not ended without being
/// told.
pub(crate) struct Ending {
    #[cfg(unix)]
    signals: [Option<tokio::signal::unix::Signal>; 2],
}

impl Ending {
    #[cfg(unix)]
    pub(crate) fn heard() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let kinds = [SignalKind::terminate(), SignalKind::interrupt()];
        let signals = kinds.map(|kind| signal(kind).ok());
        Self { signals }
    }

    #[cfg(not(unix))]
    pub(crate) fn heard() -> Self {
        Self {}
    }

    /// Waits for it.
    #[cfg(unix)]
    pub(crate) async fn come(&mut self) {
        use tokio::signal::unix::Signal;
        // Where it cannot be heard, the program is ended without being told.
        async fn one(signal: &mut Option<Signal>) {
            match signal {
                Some(signal) => drop(signal.recv().await),
                None => std::future::pending().await,
            }
        }
        let [terminate, interrupt] = &mut self.signals;
        tokio::select! {
            () = one(terminate) => {}
            () = one(interrupt) => {}
        }
    }

    /// Waits for it.
    #[cfg(not(unix))]
    pub(crate) async fn come(&mut self) {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    }
}
