//! Real Redis servers for tests: one that all tests of a process share, each with a database of its own, and servers that a test kills.

use std::io::{BufRead, BufReader};
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, OnceLock};
use std::time::{Duration, Instant};

use hashline_workspace::ledger::{FleetKey, FleetOptions, RedisNode};
use redis::{Client, Connection, FromRedisValue, RedisResult, cmd};
use rustix::process::{Pid, Signal, kill_process};

use crate::stores::note;

/// How many tests can have a database of their own.
const DATABASES: u32 = 20_000;
/// How many slots a cluster has.
const SLOTS: usize = 16_384;
/// How long to wait for what happens by itself. It takes seconds at most; a machine that has much else to do takes longer.
const PATIENCE: Duration = Duration::from_secs(60);
/// How long to wait for a server before another port is tried.
const ANSWER: Duration = Duration::from_secs(5);
/// Starts a server, prints its process number, and ends it when the test has ended, however that happened.
const KEEPER: &str = r#""$@" > redis.log 2>&1 & echo $!; read -r _; kill -9 $!"#;

/// The key of the fleet that tests are.
pub(crate) const KEY: &str = "5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed5eed";

/// Returns whether there is a Redis server to test with; otherwise prints that there is none.
pub(crate) fn is_installed() -> bool {
    static INSTALLED: OnceLock<bool> = OnceLock::new();
    *INSTALLED.get_or_init(|| {
        let output = Command::new("redis-server").arg("--version").output();
        let is_there = output.is_ok_and(|output| output.status.success());
        if !is_there {
            note("the ledger on Redis is not tested: there is no redis-server");
        }
        is_there
    })
}

/// Returns the server that the tests of this process share.
pub(crate) fn shared_by_tests() -> &'static RedisServer {
    static SERVER: OnceLock<RedisServer> = OnceLock::new();
    SERVER.get_or_init(|| RedisServer::start(&["--databases", &DATABASES.to_string()]))
}

/// A Redis server that ends when it is dropped, or the process ends.
pub(crate) struct RedisServer {
    dir: tempfile::TempDir,
    pub(crate) port: u16,
    options: Vec<String>,
    running: Mutex<Running>,
}

struct Running {
    keeper: Child,
    /// When it is closed, the keeper ends the server.
    _lifeline: ChildStdin,
    pid: Pid,
}

/// A part of the shared server that no other test uses.
pub(crate) struct Database {
    pub(crate) url: String,
    connection: Mutex<Connection>,
}

impl RedisServer {
    /// Starts a server on a free port of this machine.
    pub(crate) fn start(options: &[&str]) -> Self {
        let dir = tempfile::tempdir().expect("a folder");
        let options: Vec<String> = options.iter().map(|&option| option.to_owned()).collect();
        // Somebody else may take the port before the server does.
        for _ in 0..20 {
            let port = free_port();
            let running = Running::start(dir.path(), port, &options);
            if answers(port, &running) {
                let running = Mutex::new(running);
                return Self {
                    dir,
                    port,
                    options,
                    running,
                };
            }
        }
        panic!("redis-server does not start");
    }

    pub(crate) fn url(&self) -> String {
        format!("redis://127.0.0.1:{}", self.port)
    }

    pub(crate) fn connection(&self) -> Connection {
        connect(&self.url()).expect("connected")
    }

    /// Sends a command to the server.
    pub(crate) fn ask<T: FromRedisValue>(&self, words: &[&str]) -> T {
        let (name, args) = words.split_first().expect("a command");
        let answer = cmd(name).arg(args).query(&mut self.connection());
        answer.expect("answered")
    }

    /// Returns the name of the server in its cluster.
    pub(crate) fn id(&self) -> String {
        self.ask(&["CLUSTER", "MYID"])
    }

    /// Sends a signal to the server.
    pub(crate) fn signal(&self, signal: Signal) {
        let pid = self.running.lock().expect("unharmed").pid;
        kill_process(pid, signal).expect("signalled");
    }

    /// Ends the server, as a crash does.
    pub(crate) fn kill(&self) {
        let mut running = self.running.lock().expect("unharmed");
        let _ = kill_process(running.pid, Signal::KILL);
        let _ = running.keeper.kill();
        let _ = running.keeper.wait();
    }

    /// Starts the server again, on the same port, without its data.
    pub(crate) fn restart(&self) {
        self.kill();
        let mut running = self.running.lock().expect("unharmed");
        let started = Instant::now();
        loop {
            *running = Running::start(self.dir.path(), self.port, &self.options);
            if answers(self.port, &running) {
                return;
            }
            assert!(
                started.elapsed() < PATIENCE,
                "redis-server does not start again"
            );
        }
    }

    /// Returns a database that no other test uses.
    pub(crate) fn database(&self) -> Database {
        static NEXT: AtomicU32 = AtomicU32::new(0);
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let url = format!("{}/{}", self.url(), number % DATABASES);
        let connection = Mutex::new(connect(&url).expect("connected"));
        Database { url, connection }
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        self.kill();
    }
}

impl Running {
    fn start(dir: &Path, port: u16, options: &[String]) -> Self {
        let port = port.to_string();
        let usual = [
            "--port",
            &port,
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
        ];
        let mut keeper = Command::new("sh")
            .args(["-c", KEEPER, "sh", "redis-server"])
            .args(usual)
            .args(options)
            .current_dir(dir)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("started");
        let mut line = String::new();
        let output = keeper.stdout.take().expect("it is piped");
        BufReader::new(output).read_line(&mut line).expect("read");
        let pid = line.trim().parse().ok().and_then(Pid::from_raw);
        Self {
            _lifeline: keeper.stdin.take().expect("it is piped"),
            keeper,
            pid: pid.expect("a process number"),
        }
    }
}

/// Waits until the server answers on its port; `false` if it does not, because another program has the port.
fn answers(port: u16, running: &Running) -> bool {
    let started = Instant::now();
    while started.elapsed() < ANSWER {
        let server = || connect(&format!("redis://127.0.0.1:{port}"));
        let pid = server().and_then(|mut redis| {
            let info: String = cmd("INFO").arg("server").query(&mut redis)?;
            let line = info
                .lines()
                .find_map(|line| line.strip_prefix("process_id:"));
            Ok(line.and_then(|pid| pid.trim().parse().ok()))
        });
        if pid.ok().flatten() == Some(running.pid.as_raw_nonzero().get()) {
            return true;
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    false
}

impl Database {
    /// Returns the options of a ledger in this database.
    pub(crate) fn fleet(&self, workspace: &str) -> FleetOptions {
        fleet(&[&self.url], workspace)
    }

    /// Returns the keys of all logs.
    pub(crate) fn logs(&self) -> Vec<String> {
        self.ask(&["KEYS", "*:log:*"])
    }

    /// Returns how many bytes all logs take, and checks that the sizes that are stored beside them are right.
    pub(crate) fn stored_bytes(&self) -> u64 {
        let size = |log: String| -> u64 { self.ask(&["STRLEN", &log]) };
        let bytes = self.logs().into_iter().map(size).sum();
        for sizes in self.ask::<Vec<String>>(&["KEYS", "*:sizes"]) {
            let sizes: Vec<(String, u64)> = self.ask(&["ZRANGE", &sizes, "0", "-1", "WITHSCORES"]);
            let (total, logs): (Vec<_>, Vec<_>) =
                sizes.into_iter().partition(|(name, _)| name == "total");
            assert_eq!(total[0].1, bytes);
            assert_eq!(logs.iter().map(|(_, size)| size).sum::<u64>(), bytes);
        }
        bytes
    }

    pub(crate) fn get(&self, key: &str) -> Vec<u8> {
        self.ask(&["GET", key])
    }

    pub(crate) fn set(&self, key: &str, bytes: &[u8]) {
        let mut redis = self.connection.lock().expect("unharmed");
        let set = cmd("SET").arg(key).arg(bytes).exec(&mut *redis);
        set.expect("set");
    }

    pub(crate) fn ask<T: FromRedisValue>(&self, words: &[&str]) -> T {
        let mut redis = self.connection.lock().expect("unharmed");
        let (name, args) = words.split_first().expect("a command");
        cmd(name).arg(args).query(&mut *redis).expect("answered")
    }
}

/// Returns the options of a ledger on some nodes, with more patience than usual: the machine may have much else to do.
pub(crate) fn fleet(urls: &[&str], workspace: &str) -> FleetOptions {
    let nodes = urls
        .iter()
        .map(|url| RedisNode::parse(url).expect("a node"));
    FleetOptions {
        nodes: nodes.collect(),
        key: FleetKey::parse(KEY).expect("a key"),
        workspace: workspace.to_owned(),
        root: "/".into(),
        patience: Duration::from_secs(10),
    }
}

pub(crate) fn connect(url: &str) -> RedisResult<Connection> {
    Client::open(url)?.get_connection_with_timeout(Duration::from_secs(10))
}

/// Returns a port that nobody uses. The nodes of a cluster also use the port 10,000 above.
pub(crate) fn free_port() -> u16 {
    loop {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).expect("bound");
        let port = listener.local_addr().expect("an address").port();
        if port < 55_000 {
            return port;
        }
    }
}

/// Waits until something is the case.
pub(crate) fn wait_until(what: &str, is_so: impl Fn() -> bool) {
    let started = Instant::now();
    while !is_so() {
        assert!(started.elapsed() < PATIENCE, "waited in vain: {what}");
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// A Redis Cluster.
pub(crate) struct Cluster {
    pub(crate) nodes: Vec<RedisServer>,
}

impl Cluster {
    /// Starts so many masters with so many replicas each.
    pub(crate) fn start(masters: usize, replicas: usize) -> Self {
        let options = [
            "--cluster-enabled",
            "yes",
            "--cluster-node-timeout",
            "1000",
            "--cluster-replica-validity-factor",
            "0",
            "--repl-diskless-sync-delay",
            "0",
        ];
        let nodes = (0..masters * (1 + replicas)).map(|_| RedisServer::start(&options));
        let cluster = Self {
            nodes: nodes.collect(),
        };
        cluster.join(masters);
        cluster
    }

    fn join(&self, masters: usize) {
        let (first, others) = self.nodes.split_first().expect("a node");
        for node in others {
            let () = first.ask(&["CLUSTER", "MEET", "127.0.0.1", &node.port.to_string()]);
        }
        for (number, node) in self.nodes[..masters].iter().enumerate() {
            let border = |number: usize| number * SLOTS / masters;
            let (from, to) = (border(number), border(number + 1) - 1);
            let (from, to) = (from.to_string(), to.to_string());
            let () = node.ask(&["CLUSTER", "ADDSLOTSRANGE", &from, &to]);
        }
        let says = |node: &RedisServer, line: &str| {
            let info: String = node.ask(&["CLUSTER", "INFO"]);
            info.lines().any(|found| found == line)
        };
        let known = format!("cluster_known_nodes:{}", self.nodes.len());
        for node in &self.nodes {
            wait_until("the nodes know each other", || says(node, &known));
        }
        for (number, node) in self.nodes[masters..].iter().enumerate() {
            let master = self.nodes[number % masters].id();
            let replicate = || {
                let mut replicate = cmd("CLUSTER");
                replicate.arg("REPLICATE").arg(&master);
                replicate.exec(&mut node.connection()).is_ok()
            };
            wait_until("the replicas know their masters", replicate);
        }
        for (number, node) in self.nodes.iter().enumerate() {
            let is_ready = || {
                let info: String = node.ask(&["INFO", "replication"]);
                let is_linked = info.contains("master_link_status:up");
                says(node, "cluster_state:ok") && (is_linked || number < masters)
            };
            wait_until("the cluster is ready", is_ready);
        }
    }

    pub(crate) fn urls(&self) -> Vec<String> {
        self.nodes.iter().map(RedisServer::url).collect()
    }

    /// Waits until the replicas have all that their masters have.
    pub(crate) fn wait_for_replicas(&self) {
        for node in &self.nodes {
            wait_until("the replicas have all records", || {
                let info: String = node.ask(&["INFO", "replication"]);
                let offset = info
                    .lines()
                    .find_map(|line| line.strip_prefix("master_repl_offset:"));
                let has_all = format!("offset={},", offset.unwrap_or_default());
                let mut replicas = info.lines().filter(|line| line.starts_with("slave0:"));
                replicas.all(|line| line.contains(&has_all))
            });
        }
    }

    /// Returns the master that has keys.
    pub(crate) fn master_with_keys(&self) -> usize {
        let has_keys = |node: &RedisServer| {
            let role: Vec<redis::Value> = node.ask(&["ROLE"]);
            let is_master = role[0] == redis::Value::BulkString(b"master".to_vec());
            is_master && node.ask::<u64>(&["DBSIZE"]) > 0
        };
        let found = self.nodes.iter().position(has_keys);
        found.expect("a master with keys")
    }
}
