//! The signals that a server waits for.

/// Starts catching the signals that end the program; the returned future waits for the first of them.
#[cfg(unix)]
pub(crate) fn shutdown_signal() -> impl Future<Output = ()> {
    use tokio::signal::unix::{Signal, SignalKind, signal};
    // A signal that cannot be caught ends the program by itself.
    async fn received(signal: Option<Signal>) {
        match signal {
            Some(mut signal) => drop(signal.recv().await),
            None => std::future::pending().await,
        }
    }
    let kinds = [SignalKind::terminate(), SignalKind::interrupt()];
    let [terminate, interrupt] = kinds.map(|kind| signal(kind).ok());
    async {
        tokio::select! {
            () = received(terminate) => {}
            () = received(interrupt) => {}
        }
    }
}

#[cfg(not(unix))]
pub(crate) async fn shutdown_signal() {
    if tokio::signal::ctrl_c().await.is_err() {
        std::future::pending::<()>().await;
    }
}

/// Starts catching SIGHUP; the returned future calls `reload` for each of them, on a blocking thread, and never ends.
#[cfg(unix)]
pub(crate) fn hang_ups(reload: impl Fn() + Send + Sync + 'static) -> impl Future<Output = ()> {
    use std::sync::Arc;

    use tokio::signal::unix::{SignalKind, signal};
    let caught = signal(SignalKind::hangup()).ok();
    let reload = Arc::new(reload);
    async move {
        let Some(mut caught) = caught else {
            return std::future::pending().await;
        };
        while caught.recv().await.is_some() {
            let reload = Arc::clone(&reload);
            // A panic while reloading must not end the server.
            let _ = tokio::task::spawn_blocking(move || reload()).await;
        }
        std::future::pending::<()>().await;
    }
}

#[cfg(not(unix))]
pub(crate) async fn hang_ups(_reload: impl Fn() + Send + Sync + 'static) {
    std::future::pending().await
}
