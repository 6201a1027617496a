//! Tests of tokens and token files.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::front::secret_folder::SecretFolder;
use crate::front::token::read_token;
use crate::front::{
    AllowedOrigins, BearerToken, BindAddress, Caller, Front, HttpLimits, TokenDigest, TokenFile,
    Tokens,
};

fn scratch() -> (TempDir, PathBuf) {
    let scratch = tempfile::tempdir().expect("there is a scratch folder");
    let path = scratch.path().join("private/token");
    (scratch, path)
}

fn read(path: &Path) -> io::Result<BearerToken> {
    let (folder, name) = SecretFolder::of(path).expect("it is private");
    read_token(&folder, &name)
}

fn random() -> BearerToken {
    BearerToken::random().expect("there is randomness")
}

#[test]
fn a_token_is_64_digits_that_differ_each_time_and_is_not_shown() {
    let (one, other) = (random(), random());
    assert_eq!(one.reveal().len(), 64);
    assert_ne!(one.reveal(), other.reveal());
    assert_eq!(format!("{one:?}"), "BearerToken(..)");
    let secret = one.reveal().to_owned();
    let front = Front::bind(
        BindAddress::Loopback(0),
        &one,
        HttpLimits::default(),
        AllowedOrigins::none(),
    );
    assert!(!format!("{front:?}").contains(&secret));
}

#[test]
fn only_small_digits_are_a_token() {
    let digits = "0123456789abcdef".repeat(4);
    assert_eq!(
        BearerToken::parse(&digits).map(|token| token.reveal().to_owned()),
        Some(digits.clone())
    );
    for bad in [
        "",
        "0",
        &digits.to_uppercase(),
        &digits[1..],
        &format!("{digits}0"),
        &"g".repeat(64),
    ] {
        assert!(BearerToken::parse(bad).is_none(), "{bad}");
    }
}

#[test]
fn a_token_is_only_itself_and_belongs_to_its_caller() {
    let (one, other) = (random(), random());
    let caller = |name: &str| Caller(name.into());
    let digest = |token: &BearerToken| TokenDigest::of(token.reveal().as_bytes());
    let tokens = Tokens::default();
    tokens.replace([(digest(&one), caller("a")), (digest(&other), caller("b"))]);
    let digits = one.reveal().as_bytes();
    assert_eq!(tokens.find(digits), Some(caller("a")));
    assert_eq!(tokens.find(other.reveal().as_bytes()), Some(caller("b")));
    for at in 0..digits.len() {
        let mut changed = digits.to_vec();
        changed[at] ^= 1;
        assert_eq!(tokens.find(&changed).or(tokens.find(&digits[..at])), None);
    }
    tokens.replace([(digest(&other), caller("b"))]);
    assert_eq!(tokens.find(digits), None);
}

#[test]
fn the_file_is_the_users_own_and_goes_with_the_server() {
    let (_scratch, path) = scratch();
    let token = random();
    let file = TokenFile::create(&path, &token).expect("it is made");
    let mode = fs::metadata(file.path())
        .expect("it is there")
        .permissions()
        .mode();
    assert_eq!(mode & 0o7777, 0o600);
    let read = read(&path).expect("it is read");
    assert_eq!(read.reveal(), token.reveal());
    drop(file);
    assert!(!path.exists());
}

#[test]
fn the_token_of_another_server_stays() {
    let (_scratch, path) = scratch();
    let first = TokenFile::create(&path, &random()).expect("it is made");
    let token = random();
    let second = TokenFile::create(&path, &token).expect("it is made");
    drop(first);
    let read = read(&path).expect("it is still there");
    assert_eq!(read.reveal(), token.reveal());
    drop(second);
    assert!(!path.exists());
}

#[test]
fn what_an_earlier_server_left_is_replaced_and_no_link_is_followed() {
    let (scratch, path) = scratch();
    drop(TokenFile::create(&path, &random()).expect("it is made"));
    let victim = scratch.path().join("victim");
    fs::write(&victim, "precious").expect("it is written");
    symlink(&victim, &path).expect("it is linked");
    assert!(read(&path).is_err(), "a link is not read through");
    let file = TokenFile::create(&path, &random()).expect("the link is replaced");
    assert!(fs::symlink_metadata(&path).expect("it is there").is_file());
    assert_eq!(fs::read(&victim).expect("it is there"), b"precious");
    drop(file);
}

#[test]
fn a_file_that_holds_no_token_is_left_alone() {
    let (_scratch, path) = scratch();
    drop(TokenFile::create(&path, &random()).expect("it is made"));
    for precious in [&b"precious"[..], b"", b"\xff\xfe"] {
        fs::write(&path, precious).expect("it is written");
        let refused = TokenFile::create(&path, &random()).expect_err("it is refused");
        assert_eq!(refused.code().as_str(), "not_a_token");
        assert_eq!(fs::read(&path).expect("it is there"), precious);
    }
}

#[test]
fn a_folder_that_others_may_enter_is_refused() {
    let (_scratch, path) = scratch();
    drop(TokenFile::create(&path, &random()).expect("it is made"));
    let folder = path.parent().expect("it has one");
    fs::set_permissions(folder, Permissions::from_mode(0o750)).expect("they are ours");
    let refused = TokenFile::create(&path, &random()).map(drop);
    assert_eq!(
        refused.map_err(|error| error.code().as_str()),
        Err("not_private")
    );
    assert!(!path.exists());
}
