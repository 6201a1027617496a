//! Sockets in the file system.

use std::fs::{self, Permissions};
use std::os::unix::fs::{FileTypeExt, PermissionsExt, symlink};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::server::Server;
use super::wire::Wire;
use crate::front::{AllowedOrigins, BearerToken, BindAddress, Front, FrontError, HttpLimits};

/// Returns a temporary folder and the path of a private folder in it that does not exist yet.
fn scratch() -> (TempDir, PathBuf) {
    let scratch = tempfile::tempdir().expect("there is a scratch folder");
    let path = scratch.path().join("private/socket");
    (scratch, path)
}

fn bind(path: &Path) -> Result<Front, FrontError> {
    let token = BearerToken::random().expect("there is randomness");
    let place = BindAddress::UnixSocket(path.to_owned());
    Front::bind(place, &token, HttpLimits::default(), AllowedOrigins::none())
}

fn code(bound: Result<Front, FrontError>) -> &'static str {
    bound.map_or_else(|error| error.code().as_str(), |_| "bound")
}

fn mode(path: &Path) -> u32 {
    fs::symlink_metadata(path)
        .expect("it is there")
        .permissions()
        .mode()
        & 0o7777
}

#[test]
fn the_socket_is_the_users_own_and_goes_with_the_server() {
    let (_scratch, path) = scratch();
    let mut server = Server::on(BindAddress::UnixSocket(path.clone()));
    assert_eq!(
        (mode(&path), mode(path.parent().expect("it has one"))),
        (0o600, 0o700)
    );
    server.stop();
    assert!(!path.exists());
}

#[test]
fn over_a_socket_the_port_means_nothing_and_the_rest_is_checked() {
    let (_scratch, path) = scratch();
    let server = Server::on(BindAddress::UnixSocket(path.clone()));
    let token = format!("Authorization: Bearer {}", server.token.reveal());
    let status = |host: &str, more: &str| {
        let mut wire = Wire::over(UnixStream::connect(&path).expect("it accepts"));
        wire.send(format!(
            "GET /mcp HTTP/1.1\r\nHost: {host}\r\n{more}\r\n\r\n"
        ));
        wire.answer().map(|answer| answer.status)
    };
    for host in ["localhost", "localhost:1", "127.0.0.1", "[::1]", "[::1]:9"] {
        assert_eq!(status(host, &token), Some(200), "{host}");
    }
    assert_eq!(status("evil.example", &token), Some(421));
    assert_eq!(status("localhost", "X: y"), Some(401));
    assert_eq!(
        status("localhost", &format!("{token}\r\nOrigin: null")),
        Some(403)
    );
    assert_eq!(server.reached.count(), 5);
}

#[test]
fn a_dead_socket_is_replaced_and_a_living_one_is_not() {
    let (_scratch, path) = scratch();
    let front = bind(&path).expect("it binds");
    assert_eq!(code(bind(&path)), "already_served");
    drop(front);
    drop(UnixListener::bind(&path).expect("the name is free"));
    assert!(path.exists(), "the system leaves the name of a dead socket");
    let front = bind(&path).expect("it is replaced");
    assert!(
        fs::symlink_metadata(&path)
            .expect("it is there")
            .file_type()
            .is_socket()
    );
    drop(front);
}

#[test]
fn of_many_that_start_at_once_one_wins() {
    let (_scratch, path) = scratch();
    drop(bind(&path).expect("it binds"));
    drop(UnixListener::bind(&path).expect("the name is free"));
    let starting: Vec<_> = (0..16)
        .map(|_| {
            let path = path.clone();
            std::thread::spawn(move || bind(&path))
        })
        .collect();
    let ended: Vec<_> = starting
        .into_iter()
        .map(|start| start.join().expect("none panics"))
        .collect();
    assert_eq!(ended.iter().filter(|bound| bound.is_ok()).count(), 1);
    assert!(UnixStream::connect(&path).is_ok(), "and it is reached");
}

#[test]
fn the_socket_of_a_successor_is_left_alone() {
    let (_scratch, path) = scratch();
    let old = bind(&path).expect("it binds");
    fs::remove_file(&path).expect("somebody removes it");
    let new = bind(&path).expect("the name is free");
    drop(old);
    assert!(UnixStream::connect(&path).is_ok());
    drop(new);
    assert!(!path.exists());
}

#[test]
fn what_is_not_a_socket_is_left_alone() {
    let (scratch, path) = scratch();
    drop(bind(&path).expect("it binds"));
    fs::write(&path, "text").expect("it is written");
    assert_eq!(code(bind(&path)), "not_a_socket");
    assert_eq!(fs::read(&path).expect("it is there"), b"text");
    fs::remove_file(&path).expect("it is removed");
    symlink(scratch.path().join("elsewhere"), &path).expect("it is linked");
    assert_eq!(code(bind(&path)), "not_a_socket");
    assert!(!scratch.path().join("elsewhere").exists());
}

#[test]
fn a_folder_that_others_may_enter_is_refused() {
    let (scratch, path) = scratch();
    drop(bind(&path).expect("it binds"));
    let folder = path.parent().expect("it has one");
    for rights in [0o755, 0o710, 0o701, 0o770, 0o1777] {
        fs::set_permissions(folder, Permissions::from_mode(rights)).expect("they are ours");
        assert_eq!(code(bind(&path)), "not_private", "{rights:o}");
        assert!(!path.exists());
    }
    fs::set_permissions(folder, Permissions::from_mode(0o700)).expect("they are ours");
    let link = scratch.path().join("link");
    symlink(folder, &link).expect("it is linked");
    assert_eq!(code(bind(&link.join("socket"))), "not_private");
}

#[test]
fn a_path_without_a_name_or_too_long_is_refused() {
    let (_scratch, path) = scratch();
    assert_eq!(code(bind(Path::new("/"))), "bad_path");
    assert_eq!(code(bind(&path.with_file_name("x".repeat(200)))), "io");
}
