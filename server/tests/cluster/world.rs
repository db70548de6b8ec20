//! A network for one test, made of Linux namespaces: hosts behind one router that drops packets on demand, without an error: a cut
//! connection stays open at both ends, as over a dead link. A proxy (`proxy.rs`) cannot simulate that.
//!
//! Namespaces have no names here: they end with their processes, and those end with this one, even if it is killed.

use std::cell::RefCell;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{AGAIN, PATIENCE};

/// Set if a test runs in a network of its own.
const INSIDE: &str = "MAWE_TEST_INSIDE";

/// Returns whether this process is in a network of its own; otherwise runs the test in one and returns false.
pub(crate) fn is_inside(test: &str) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        return true;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/namespaces");
    let found = Command::new(script).output().expect("bash is there");
    if found.status.code() == Some(3) {
        // tests/run prints the same at its end: the output of a passed test is not shown.
        let why = String::from_utf8_lossy(&found.stderr);
        eprintln!("{test} was NOT RUN: {why}");
        return false;
    }
    assert!(found.status.success(), "{found:?}");
    let words = String::from_utf8(found.stdout).expect("plain words");
    let mut words = words.lines();
    let path = std::env::var("PATH").unwrap_or_default();
    let program = std::env::current_exe().expect("this program");
    let ended = Command::new(words.next().expect("a word"))
        .args(words)
        // It must not outlive this process.
        .args(["setpriv", "--pdeathsig", "KILL"])
        .arg(program)
        .args(["--exact", "--nocapture", "--test-threads=1", test])
        .env(INSIDE, "yes")
        .env("PATH", format!("{path}:/usr/sbin:/sbin"))
        .stdin(Stdio::null())
        .output()
        .expect("it was tried a moment ago");
    let said = String::from_utf8_lossy(&ended.stdout);
    print!("{said}");
    eprint!("{}", String::from_utf8_lossy(&ended.stderr));
    assert!(
        ended.status.success() && said.contains("1 passed"),
        "see above: {test} in a network of its own"
    );
    false
}

/// The hosts, by number. Host 0 is this process.
pub(crate) struct World {
    router: Host,
    hosts: Vec<Host>,
    shaping: Option<Shaping>,
    cuts: RefCell<Vec<(usize, usize)>>,
}

/// The mechanism that makes a link slow and lossy.
#[derive(Debug, Clone, Copy)]
enum Shaping {
    /// Delays and losses drawn by the kernel.
    Netem,
    /// A link with low bandwidth: excess packets wait, and are lost when the queue is full.
    Narrow,
}

impl Shaping {
    fn words(self) -> &'static str {
        match self {
            Shaping::Netem => "netem delay 30ms 20ms loss 5%",
            Shaping::Narrow => "tbf rate 400kbit burst 3000 limit 15000",
        }
    }
}

/// A namespace, and the process that keeps it alive.
struct Host {
    /// `None` for the namespace of this process.
    keeper: Option<Child>,
}

impl Host {
    fn new() -> Host {
        let keeper = Command::new("unshare")
            .args(["--net", "cat"])
            .stdin(Stdio::piped())
            .spawn()
            .expect("unshare is there");
        let host = Host {
            keeper: Some(keeper),
        };
        let of = |process: &str| std::fs::read_link(format!("/proc/{process}/ns/net")).ok();
        let begun = Instant::now();
        while of(&host.process().to_string()) == of("self") {
            assert!(begun.elapsed() < PATIENCE, "unshare did nothing");
            std::thread::sleep(AGAIN);
        }
        host
    }

    fn process(&self) -> u32 {
        self.keeper.as_ref().map_or(std::process::id(), Child::id)
    }

    /// Returns the words in front of a command that is to run in the namespace.
    fn words(&self) -> Vec<String> {
        vec![
            "nsenter".to_owned(),
            format!("--net=/proc/{}/ns/net", self.process()),
        ]
    }

    fn try_run(&self, lines: &str) -> Result<(), String> {
        let words = self.words();
        let done = Command::new(&words[0])
            .args(&words[1..])
            .args(["sh", "-ec", lines])
            .stdin(Stdio::null())
            .output()
            .expect("nsenter is there");
        done.status
            .success()
            .then_some(())
            .ok_or_else(|| format!("{lines}: {}", String::from_utf8_lossy(&done.stderr)))
    }

    #[track_caller]
    fn run(&self, lines: &str) {
        self.try_run(lines)
            .unwrap_or_else(|complaint| panic!("{complaint}"));
    }
}

impl Drop for Host {
    fn drop(&mut self) {
        if let Some(keeper) = &mut self.keeper {
            let _ = keeper.kill();
            let _ = keeper.wait();
        }
    }
}

impl World {
    /// Creates this process's host and `hosts` more.
    pub(crate) fn of(hosts: usize) -> World {
        let router = Host::new();
        router.run("ip link set lo up; echo 1 > /proc/sys/net/ipv4/ip_forward");
        let shaping = [Shaping::Netem, Shaping::Narrow]
            .into_iter()
            .find(|shaping| {
                let try_it = format!("tc qdisc add dev lo root {}", shaping.words());
                router.try_run(&try_it).is_ok()
            });
        println!(
            "lines are made slow and lossy by {}",
            shaping.map_or("short cuts alone: this kernel has nothing for it", |by| by
                .words())
        );
        let mut world = World {
            router,
            hosts: vec![Host { keeper: None }],
            shaping,
            cuts: RefCell::default(),
        };
        world.hosts.extend((0..hosts).map(|_| Host::new()));
        for (number, host) in world.hosts.iter().enumerate() {
            let process = host.process();
            world.router.run(&format!(
                "ip link add h{number} type veth peer name eth0 netns {process}
                ip address add 10.77.{number}.1/24 dev h{number}
                ip link set h{number} up"
            ));
            host.run(&format!(
                "ip link set lo up
                ip address add 10.77.{number}.2/24 dev eth0
                ip link set eth0 up
                ip route add default via 10.77.{number}.1
                {}",
                ports(0)
            ));
        }
        world
    }

    /// The address range of all hosts.
    pub(crate) const ALL: &str = "10.77.0.0/16";

    /// Returns the address of a host.
    pub(crate) fn address(host: usize) -> String {
        format!("10.77.{host}.2")
    }

    /// Returns the words in front of a command that is to run on a host.
    pub(crate) fn words(&self, host: usize) -> Vec<String> {
        self.hosts[host].words()
    }

    /// Drops all packets from one host to the other from now on.
    pub(crate) fn cut(&self, from: usize, to: usize) {
        self.router.run(&rule("add", from, to));
        self.cuts.borrow_mut().push((from, to));
    }

    /// Drops all packets between two hosts.
    pub(crate) fn cut_both(&self, one: usize, other: usize) {
        self.cut(one, other);
        self.cut(other, one);
    }

    /// Ends all cuts.
    pub(crate) fn mend(&self) {
        for (from, to) in self.cuts.take() {
            self.router.run(&rule("del", from, to));
        }
    }

    /// Cuts and restores the link between two hosts for this time, some tens of milliseconds each.
    pub(crate) async fn flicker(&self, one: usize, other: usize, time: Duration) {
        let begun = Instant::now();
        while begun.elapsed() < time {
            self.cut_both(one, other);
            tokio::time::sleep(Duration::from_millis(40)).await;
            self.mend();
            tokio::time::sleep(Duration::from_millis(80)).await;
        }
    }

    /// Drops the packets of the host's present connections from now on; new connections work.
    pub(crate) fn forget(&self, host: usize) {
        let address = World::address(host);
        let [first, last] = PORTS[0];
        self.router.run(&format!(
            "ip rule add from {address} ipproto tcp sport {first}-{last} blackhole
            ip rule add to {address} ipproto tcp dport {first}-{last} blackhole"
        ));
        self.hosts[host].run(&ports(1));
    }

    /// Pulls out the cable of a host, or plugs it in.
    pub(crate) fn plug(&self, host: usize, is_in: bool) {
        let state = if is_in { "up" } else { "down" };
        self.router.run(&format!("ip link set h{host} {state}"));
    }

    /// Makes all links of the host slow and lossy, or normal again.
    pub(crate) fn shape(&self, host: usize, is_bad: bool) {
        let Some(shaping) = self.shaping else { return };
        for (end, device) in [
            (&self.router, format!("h{host}")),
            (&self.hosts[host], "eth0".to_owned()),
        ] {
            end.run(&if is_bad {
                format!("tc qdisc add dev {device} root {}", shaping.words())
            } else {
                format!("tc qdisc del dev {device} root")
            });
        }
    }
}

/// The ports of a host's outgoing connections, at first and after its old connections are dropped. It listens outside these ranges.
const PORTS: [[u16; 2]; 2] = [[20_000, 29_999], [30_000, 39_999]];

fn ports(which: usize) -> String {
    let [first, last] = PORTS[which];
    format!("echo '{first} {last}' > /proc/sys/net/ipv4/ip_local_port_range")
}

fn rule(what: &str, from: usize, to: usize) -> String {
    let (from, to) = (World::address(from), World::address(to));
    format!("ip rule {what} from {from} to {to} blackhole")
}
