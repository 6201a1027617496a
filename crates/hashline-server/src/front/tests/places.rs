//! Where a front listens, and what it may be called there.

use std::net::{Ipv6Addr, SocketAddr, TcpListener};

use super::server::Server;
use super::wire::Wire;
use crate::front::{
    AllowedOrigins, BearerToken, BindAddress, ExposedAddress, Front, FrontError, HttpLimits,
    ListenAddress,
};

fn bind(place: BindAddress) -> Result<Front, FrontError> {
    let token = BearerToken::random().expect("there is randomness");
    Front::bind(place, &token, HttpLimits::default(), AllowedOrigins::none())
}

fn has_ipv6() -> bool {
    TcpListener::bind((Ipv6Addr::LOCALHOST, 0)).is_ok()
}

#[test]
fn both_loopback_addresses_are_bound_on_one_port_and_answer() {
    let server = Server::with(HttpLimits::default());
    let at: Vec<SocketAddr> = server
        .at
        .iter()
        .map(|address| match address {
            ListenAddress::Tcp(at) => *at,
            ListenAddress::UnixSocket(_) => panic!("this is no port"),
        })
        .collect();
    assert_eq!(at.len(), if has_ipv6() { 2 } else { 1 });
    for at in at {
        assert!(at.ip().is_loopback() && at.port() == server.tcp().port());
        let mut wire = Wire::to(at);
        wire.send(server.good("POST", "/mcp", "{}"));
        assert_eq!(wire.answer().map(|answer| answer.status), Some(200));
    }
}

#[test]
fn a_port_that_is_taken_on_either_address_is_refused() {
    for ip in ["127.0.0.1", "[::1]"] {
        if ip == "[::1]" && !has_ipv6() {
            continue;
        }
        let other = TcpListener::bind(format!("{ip}:0")).expect("it exists");
        let at = other.local_addr().expect("it is bound");
        match bind(BindAddress::Loopback(at.port())) {
            Err(FrontError::Bind {
                address: refused, ..
            }) => assert_eq!(refused, at),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn an_exposed_front_says_so_and_takes_addresses_and_known_names() {
    let at = SocketAddr::from(([0, 0, 0, 0], 0));
    let exposed = ExposedAddress::because_the_person_asked(at).with_host_name("build.example");
    assert!(
        bind(BindAddress::Exposed(exposed.clone()))
            .expect("it binds")
            .is_exposed()
    );
    assert!(
        !bind(BindAddress::Loopback(0))
            .expect("it binds")
            .is_exposed()
    );

    let server = Server::on(BindAddress::Exposed(exposed));
    let port = server.tcp().port();
    let status = |host: &str| {
        let request = server.good("POST", "/mcp", "{}");
        let request = request.replace(&format!("Host: 0.0.0.0:{port}"), &format!("Host: {host}"));
        let mut wire = Wire::to(SocketAddr::from(([127, 0, 0, 1], port)));
        wire.send(request);
        wire.answer().map(|answer| answer.status)
    };
    for host in ["192.0.2.7", "[2001:db8::1]", "localhost", "Build.example"] {
        assert_eq!(status(&format!("{host}:{port}")), Some(200), "{host}");
        assert_eq!(status(host), Some(421), "{host} without a port");
    }
    for host in ["evil.example", "x.build.example", "1.2.3.4.nip.io"] {
        assert_eq!(status(&format!("{host}:{port}")), Some(421), "{host}");
    }
}

#[test]
fn only_whole_origins_can_be_listed() {
    for good in [
        "https://a.example",
        "http://localhost:3000",
        "vscode-webview://abc",
        "http://[::1]:80",
    ] {
        assert!(AllowedOrigins::listed([good]).is_ok(), "{good}");
    }
    for bad in [
        "null",
        "*",
        "",
        "a.example",
        "https://",
        "https://a/",
        "https://*",
        "https://a b",
    ] {
        assert!(AllowedOrigins::listed([bad]).is_err(), "{bad}");
    }
}

#[test]
fn addresses_are_written_as_clients_want_them() {
    let written = |at: &str| ListenAddress::Tcp(at.parse().expect("an address")).to_string();
    assert_eq!(written("127.0.0.1:80"), "http://127.0.0.1:80");
    assert_eq!(written("[::1]:80"), "http://[::1]:80");
}
