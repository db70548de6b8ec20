//! A network of the test's own, made of Linux namespaces: hosts behind one router that drops packets when it is told to. Nobody is told:
//! a connection that is cut here stays open at both ends, as one over a dead line does. A proxy (`proxy.rs`) cannot show that.
//!
//! Namespaces have no names here: they are gone with the processes in them, and those end with this one, however it ends.

use std::cell::RefCell;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use crate::common::{AGAIN, PATIENCE};

/// Set where a test runs in a network of its own.
const INSIDE: &str = "MAWE_TEST_INSIDE";

/// Whoever asks is in a network of its own already, or this runs the test there, and it is done.
pub(crate) fn is_inside(test: &str) -> bool {
    if std::env::var_os(INSIDE).is_some() {
        return true;
    }
    let script = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/namespaces");
    let found = Command::new(script).output().expect("bash is there");
    if found.status.code() == Some(3) {
        // tests/run says the same at its end: what a test that passes says is shown to nobody.
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
        // It must not outlive this one.
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

/// The hosts, by number. This process is 0.
pub(crate) struct World {
    router: Host,
    hosts: Vec<Host>,
    shaping: Option<Shaping>,
    cuts: RefCell<Vec<(usize, usize)>>,
}

/// How a line is made slow and lossy here.
#[derive(Debug, Clone, Copy)]
enum Shaping {
    /// Delays and losses as the kernel draws them.
    Netem,
    /// A line of little room: what does not fit waits, and is lost when too much waits.
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

/// A namespace, and the process that keeps it.
struct Host {
    /// `None` for this process's own.
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

    /// What is put before a command that is to run there.
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
    /// This process, and so many more.
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

    /// Where all of them are.
    pub(crate) const ALL: &str = "10.77.0.0/16";

    /// Where a host is.
    pub(crate) fn address(host: usize) -> String {
        format!("10.77.{host}.2")
    }

    /// What is put before a command that is to run there.
    pub(crate) fn words(&self, host: usize) -> Vec<String> {
        self.hosts[host].words()
    }

    /// From now on nothing of one host reaches the other.
    pub(crate) fn cut(&self, from: usize, to: usize) {
        self.router.run(&rule("add", from, to));
        self.cuts.borrow_mut().push((from, to));
    }

    /// Neither hears the other.
    pub(crate) fn cut_both(&self, one: usize, other: usize) {
        self.cut(one, other);
        self.cut(other, one);
    }

    /// Everybody reaches everybody again.
    pub(crate) fn mend(&self) {
        for (from, to) in self.cuts.take() {
            self.router.run(&rule("del", from, to));
        }
    }

    /// For this time the host is cut from the other and not, some tens of milliseconds each.
    pub(crate) async fn flicker(&self, one: usize, other: usize, time: Duration) {
        let begun = Instant::now();
        while begun.elapsed() < time {
            self.cut_both(one, other);
            tokio::time::sleep(Duration::from_millis(40)).await;
            self.mend();
            tokio::time::sleep(Duration::from_millis(80)).await;
        }
    }

    /// Drops for ever what belongs to the connections that the host has now; those that it makes from now on are carried.
    pub(crate) fn forget(&self, host: usize) {
        let address = World::address(host);
        let [first, last] = PORTS[0];
        self.router.run(&format!(
            "ip rule add from {address} ipproto tcp sport {first}-{last} blackhole
            ip rule add to {address} ipproto tcp dport {first}-{last} blackhole"
        ));
        self.hosts[host].run(&ports(1));
    }

    /// The cable is out, or in again.
    pub(crate) fn plug(&self, host: usize, is_in: bool) {
        let state = if is_in { "up" } else { "down" };
        self.router.run(&format!("ip link set h{host} {state}"));
    }

    /// All lines of the host are slow and lose packets, or no longer.
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

/// The ports that a host connects from, at first and once its old connections are forgotten. It listens beyond them.
const PORTS: [[u16; 2]; 2] = [[20_000, 29_999], [30_000, 39_999]];

fn ports(which: usize) -> String {
    let [first, last] = PORTS[which];
    format!("echo '{first} {last}' > /proc/sys/net/ipv4/ip_local_port_range")
}

fn rule(what: &str, from: usize, to: usize) -> String {
    let (from, to) = (World::address(from), World::address(to));
    format!("ip rule {what} from {from} to {to} blackhole")
}
