//! The families of metrics: name, type, help and samples. `docs/operating.md` has a row for each, and a test compares.

use std::borrow::Cow;

use prometheus_client::metrics::MetricType;

use super::reading::Reading;
use crate::app::App;
use crate::bots::WorkerKind;
use crate::meters::HistogramReading;
use crate::trace;

/// A family of metrics with its samples.
#[derive(Debug)]
pub(super) struct Family {
    /// The name; that of a counter without `_total`, that of an info without `_info`.
    pub(super) name: &'static str,
    pub(super) help: &'static str,
    pub(super) kind: MetricType,
    pub(super) samples: Vec<Sample>,
}

/// A sample of a family.
#[derive(Debug)]
pub(super) struct Sample {
    pub(super) labels: Labels,
    pub(super) value: Value,
}

/// The labels of a sample. Their values come from the program, never from a client.
pub(super) type Labels = Vec<(&'static str, Cow<'static, str>)>;

/// The value of a sample.
#[derive(Debug)]
pub(super) enum Value {
    Counter(f64),
    Gauge(f64),
    Histogram(HistogramReading),
    Info,
}

/// Numbers of any width as they are written. A number above 2^53 loses its last digits, which no reader of a metric misses.
trait Number {
    fn number(self) -> f64;
}

impl Number for f64 {
    fn number(self) -> f64 {
        self
    }
}

impl Number for u64 {
    #[expect(clippy::cast_precision_loss, reason = "see the trait")]
    fn number(self) -> f64 {
        self as f64
    }
}

impl Number for usize {
    fn number(self) -> f64 {
        (self as u64).number()
    }
}

impl Number for u32 {
    fn number(self) -> f64 {
        self.into()
    }
}

impl Number for bool {
    fn number(self) -> f64 {
        f64::from(u8::from(self))
    }
}

fn one(value: Value) -> Vec<Sample> {
    let labels = Vec::new();
    vec![Sample { labels, value }]
}

fn counter(name: &'static str, help: &'static str, value: impl Number) -> Family {
    counters(name, help, [(Vec::new(), value)])
}

fn counters<N: Number>(
    name: &'static str,
    help: &'static str,
    samples: impl IntoIterator<Item = (Labels, N)>,
) -> Family {
    let value = |number: N| Value::Counter(number.number());
    labelled(name, help, MetricType::Counter, samples, value)
}

fn gauge(name: &'static str, help: &'static str, value: impl Number) -> Family {
    gauges(name, help, [(Vec::new(), value)])
}

/// A gauge without a sample where the number does not exist or is unknown.
fn known(name: &'static str, help: &'static str, value: Option<impl Number>) -> Family {
    gauges(name, help, value.map(|value| (Vec::new(), value)))
}

fn gauges<N: Number>(
    name: &'static str,
    help: &'static str,
    samples: impl IntoIterator<Item = (Labels, N)>,
) -> Family {
    let value = |number: N| Value::Gauge(number.number());
    labelled(name, help, MetricType::Gauge, samples, value)
}

fn labelled<N>(
    name: &'static str,
    help: &'static str,
    kind: MetricType,
    samples: impl IntoIterator<Item = (Labels, N)>,
    value: impl Fn(N) -> Value,
) -> Family {
    let samples = samples.into_iter().map(|(labels, number)| Sample {
        labels,
        value: value(number),
    });
    Family {
        name,
        help,
        kind,
        samples: samples.collect(),
    }
}

fn histogram(name: &'static str, help: &'static str, samples: Vec<Sample>) -> Family {
    Family {
        name,
        help,
        kind: MetricType::Histogram,
        samples,
    }
}

fn label(name: &'static str, value: &'static str) -> (&'static str, Cow<'static, str>) {
    (name, Cow::Borrowed(value))
}

/// Returns all families. Each is there also while it has no sample.
pub(super) fn families(app: &App, reading: &Reading) -> Vec<Family> {
    let mut all = Vec::from(requests(app));
    all.extend(connections(app, reading));
    all.extend(matches(app, reading));
    all.extend(store(app, reading));
    all.extend(people(app, reading));
    all.extend(bots(reading));
    all.extend(evaluations(reading));
    all.extend(cluster(reading));
    all.extend(traces());
    all.extend(process(app, reading));
    all
}

fn requests(app: &App) -> [Family; 2] {
    let (mut statuses, mut seconds) = (Vec::new(), Vec::new());
    for requests in app.meters.requests.read() {
        let labels = vec![
            ("route", Cow::Owned(requests.route.to_owned())),
            label("method", requests.method),
        ];
        for (status, count) in requests.statuses {
            let status = ("status", Cow::Owned(status));
            statuses.push((labels.iter().cloned().chain([status]).collect(), count));
        }
        seconds.push(Sample {
            labels,
            value: Value::Histogram(requests.seconds),
        });
    }
    [
        counters::<u64>(
            "mawe_http_requests",
            "Requests by route template, method and status of the answer",
            statuses,
        ),
        histogram(
            "mawe_http_request_seconds",
            "Seconds from the head of a request to the head of its answer",
            seconds,
        ),
    ]
}

fn connections(app: &App, reading: &Reading) -> [Family; 8] {
    let (open, most) = reading.connections;
    let closed = app.sockets.meters.closed();
    [
        gauge("mawe_connections", "Open connections", open),
        gauge(
            "mawe_connections_limit",
            "The greatest number of open connections",
            most,
        ),
        counter(
            "mawe_connections_refused",
            "Connections that found no place",
            app.sockets.admission().refused(),
        ),
        gauge("mawe_sockets", "Open sockets and streams", reading.sockets),
        gauge(
            "mawe_players_online",
            "Players with an open socket on any node",
            reading.players,
        ),
        gauge(
            "mawe_guests_online",
            "Guests with an open socket on this node",
            reading.guests,
        ),
        counters(
            "mawe_sockets_closed",
            "Sockets and streams that the server has closed, by reason",
            closed.map(|(reason, count)| (vec![("reason", Cow::Owned(reason.name()))], count)),
        ),
        counter(
            "mawe_node_messages_dropped",
            "Messages for sockets on other nodes that found no place in the queue",
            app.sockets.meters.dropped.get(),
        ),
    ]
}

fn matches(app: &App, reading: &Reading) -> [Family; 5] {
    let moves = &app.rooms.services.moves;
    let slow = &reading.slow;
    let running = slow.running.zip(slow.realtime);
    let running = running.into_iter().flat_map(|(running, realtime)| {
        let kind = |name, count: u32| (vec![label("kind", name)], count);
        [
            kind("realtime", realtime),
            kind("daily", running.saturating_sub(realtime)),
        ]
    });
    [
        gauges(
            "mawe_matches_running",
            "Running matches in the store, of all nodes; those that have no room on a node sleep",
            running,
        ),
        gauge(
            "mawe_rooms_open",
            "Matches in the memory of this node",
            reading.rooms,
        ),
        gauge(
            "mawe_rooms_relayed",
            "Matches on other nodes that sockets here follow",
            reading.relayed,
        ),
        counter(
            "mawe_moves",
            "Durable moves, of players and computer opponents",
            moves.made.get(),
        ),
        histogram(
            "mawe_move_seconds",
            "Seconds from the reading of a player's move to its acknowledgement in the queue of the socket",
            one(Value::Histogram(moves.seconds.read())),
        ),
    ]
}

fn store(app: &App, reading: &Reading) -> Vec<Family> {
    let journal = &app.rooms.services.journal;
    let meters = journal.meters();
    let store = &reading.slow.store;
    let of_pool = |name: &'static str, state| vec![label("pool", name), label("state", state)];
    let pools = store.pools.iter().flat_map(|pool| {
        [
            (
                of_pool(pool.name, "used"),
                pool.open.saturating_sub(pool.idle),
            ),
            (of_pool(pool.name, "idle"), pool.idle),
        ]
    });
    let limits = store.pools.iter();
    let limits = limits.map(|pool| (vec![label("pool", pool.name)], pool.most));
    let errors = [
        ("unavailable", store.errors.unavailable),
        ("outcome-unknown", store.errors.outcome_unknown),
        ("damaged", store.errors.damaged),
    ];
    vec![
        histogram(
            "mawe_append_seconds",
            "Seconds of a commit of moves and other entries",
            one(Value::Histogram(meters.seconds.read())),
        ),
        histogram(
            "mawe_append_batch",
            "Appends that share a commit",
            one(Value::Histogram(meters.batch.read())),
        ),
        gauge(
            "mawe_append_queue",
            "Appends that wait for the writer of the journal",
            reading.appends_waiting,
        ),
        counter(
            "mawe_append_failures",
            "Appends that were not written and are tried again",
            meters.failed.get(),
        ),
        counters(
            "mawe_store_errors",
            "Errors of the store by kind",
            errors.map(|(kind, count)| (vec![label("kind", kind)], count)),
        ),
        gauges(
            "mawe_store_connections",
            "Connections to the database by pool and state",
            pools,
        ),
        gauges(
            "mawe_store_connections_limit",
            "The greatest number of connections of a pool",
            limits,
        ),
        gauge(
            "mawe_store_writers_waiting",
            "Writes that wait for their turn on the embedded database",
            store.writers_waiting,
        ),
        counter(
            "mawe_store_writes",
            "Writes that have had their turn or connection",
            store.waits.writes,
        ),
        counter(
            "mawe_store_write_wait_seconds",
            "Seconds that writes have waited before they began, in all",
            store.waits.waited.as_secs_f64(),
        ),
        known(
            "mawe_database_size_bytes",
            "Size of the database",
            reading.slow.database_bytes,
        ),
        known(
            "mawe_wal_size_bytes",
            "Size of the write-ahead log of the embedded database",
            store.wal_bytes,
        ),
        known(
            "mawe_disk_size_bytes",
            "Size of the disk of the embedded database",
            store.disk.map(|disk| disk.size),
        ),
        known(
            "mawe_disk_free_bytes",
            "Free space on the disk of the embedded database",
            store.disk.map(|disk| disk.free),
        ),
        known(
            "mawe_last_backup_timestamp_seconds",
            "Time of the last backup that is known",
            reading.backups.last_ms.map(seconds),
        ),
        known(
            "mawe_backup_interval_seconds",
            "Interval of the timetable of backups",
            reading.backups.every.map(|every| every.as_secs_f64()),
        ),
        counters(
            "mawe_backups_failed",
            "Backups on the timetable that failed",
            reading
                .backups
                .every
                .map(|_| (Vec::new(), reading.backups.failed)),
        ),
    ]
}

#[expect(clippy::cast_precision_loss, reason = "exact until the year 287396")]
fn seconds(unix_ms: i64) -> f64 {
    unix_ms as f64 / 1_000.0
}

fn people(app: &App, reading: &Reading) -> Vec<Family> {
    let passwords = reading.passwords;
    let of_pool = |key: mawe_wire::pool::PoolKey| {
        vec![
            label("game", key.game.id()),
            label("pool", key.pool.as_str()),
            label("rated", if key.rated { "true" } else { "false" }),
        ]
    };
    let pools = || reading.pools.iter();
    let push = app.rooms.services.push.as_ref();
    let sent = push.into_iter().flat_map(|push| {
        let meters = push.meters();
        let results = [
            ("sent", &meters.sent),
            ("gone", &meters.gone),
            ("refused", &meters.refused),
            ("given-up", &meters.given_up),
            ("dropped", &meters.dropped),
        ];
        results.map(|(result, count)| (vec![label("result", result)], count.get()))
    });
    let mails = app.mail.iter().flat_map(|mail| {
        let meters = mail.meters();
        let results = [
            ("sent", &meters.sent),
            ("refused", &meters.refused),
            ("given-up", &meters.given_up),
            ("dropped", &meters.dropped),
            ("limited", &meters.limited),
        ];
        results.map(|(result, count)| (vec![label("result", result)], count.get()))
    });
    let hashes = [
        ("running", passwords.running),
        ("waiting", passwords.waiting),
    ];
    vec![
        gauges(
            "mawe_password_hashes",
            "Password hashes (argon2) by state",
            hashes.map(|(state, count)| (vec![label("state", state)], count)),
        ),
        counter(
            "mawe_password_hashes_refused",
            "Password hashes that found no place in the queue",
            passwords.refused,
        ),
        gauges(
            "mawe_pool_waiting",
            "Players who wait in a pool",
            pools().map(|pool| (of_pool(pool.key), pool.waiting)),
        ),
        gauges(
            "mawe_pool_longest_wait_seconds",
            "The longest wait of a player in a pool so far, on the node that pairs",
            pools().map(|pool| (of_pool(pool.key), pool.longest.as_secs_f64())),
        ),
        counters(
            "mawe_pairings",
            "Pairs of players from the pools, by game",
            app.lobby
                .paired()
                .map(|(game, count)| (vec![label("game", game.id())], count)),
        ),
        known(
            "mawe_push_queue",
            "Calls that wait for the sender of push messages",
            reading.push_waiting,
        ),
        counters("mawe_push", "Push messages by result", sent),
        known(
            "mawe_mail_queue",
            "Mails that wait for the mail server",
            reading.mail_waiting,
        ),
        counters("mawe_mails", "Mails by result", mails),
    ]
}

fn bots(reading: &Reading) -> [Family; 5] {
    let levels = || {
        let levels = reading.bots.levels.iter();
        levels.map(|figures| (("level", Cow::Owned(figures.level.to_string())), figures))
    };
    let jobs = levels().flat_map(|(level, figures)| {
        let state = |name, count| (vec![level.clone(), label("state", name)], count);
        [
            state("queued", figures.waiting),
            state("running", figures.running),
        ]
    });
    let answered = levels().flat_map(|(level, figures)| {
        let kinds = WorkerKind::ALL.into_iter().zip(figures.answered);
        kinds.map(move |(kind, count)| (vec![level.clone(), label("worker", kind.name())], count))
    });
    [
        gauges(
            "mawe_bot_jobs",
            "Jobs of computer opponents by level and state",
            jobs,
        ),
        gauge(
            "mawe_bot_longest_wait_seconds",
            "The longest wait of a job for a worker so far",
            reading.bots.longest_wait.as_secs_f64(),
        ),
        counters(
            "mawe_bot_jobs_answered",
            "Jobs answered, by level and kind of worker",
            answered,
        ),
        counters(
            "mawe_bot_jobs_late",
            "Jobs taken from a worker because their time was over, by level",
            levels().map(|(level, figures)| (vec![level], figures.late)),
        ),
        counters(
            "mawe_bot_jobs_failed",
            "Jobs whose worker had no answer or an illegal one, by level",
            levels().map(|(level, figures)| (vec![level], figures.failed)),
        ),
    ]
}

fn evaluations(reading: &Reading) -> [Family; 2] {
    let figures = reading.bots.evaluations;
    let state = |name, count| (vec![label("state", name)], count);
    let result = |name, count| (vec![label("result", name)], count);
    [
        gauges(
            "mawe_evaluations",
            "Evaluations of positions for analyses, by state",
            [
                state("queued", figures.waiting),
                state("running", figures.running),
            ],
        ),
        counters(
            "mawe_evaluations_ended",
            "Evaluations of positions by workers, by result",
            [
                result("done", figures.done),
                result("failed", figures.failed),
                result("refuted", figures.refuted),
            ],
        ),
    ]
}

fn cluster(reading: &Reading) -> [Family; 5] {
    let cluster = reading.cluster.as_ref();
    [
        gauge(
            "mawe_nodes",
            "Living nodes that this one knows, itself among them",
            cluster.map_or(1, |cluster| cluster.nodes.len()),
        ),
        known(
            "mawe_lease_held",
            "Whether the lease of this node lasts (1) or not (0)",
            cluster.map(|cluster| cluster.has_lease),
        ),
        counters(
            "mawe_lease_renewals_failed",
            "Renewals of the lease of this node that failed",
            cluster.map(|cluster| (Vec::new(), cluster.renewals_failed)),
        ),
        counters(
            "mawe_leases_lost",
            "Leases of this node that ended before their renewal",
            cluster.map(|cluster| (Vec::new(), cluster.leases_lost)),
        ),
        known(
            "mawe_nats_connected",
            "Whether this node is connected to NATS (1) or not (0)",
            cluster.map(|cluster| cluster.is_connected),
        ),
    ]
}

fn traces() -> [Family; 2] {
    let meters = trace::export::meters();
    let dropped = [
        ("queue-full", &meters.queue_full),
        ("not-taken", &meters.not_taken),
    ];
    [
        counter(
            "mawe_trace_spans_exported",
            "Spans of traces that the collector has taken",
            meters.exported.get(),
        ),
        counters(
            "mawe_trace_spans_dropped",
            "Spans of traces that were dropped, by reason: no place in the queue, or a collector that did not take them",
            dropped.map(|(reason, count)| (vec![label("reason", reason)], count.get())),
        ),
    ]
}

fn process(app: &App, reading: &Reading) -> Vec<Family> {
    let process = reading.slow.process;
    let backend = reading.slow.store.backend;
    let build = vec![
        label("version", env!("CARGO_PKG_VERSION")),
        label("database", backend),
    ];
    vec![
        Family {
            name: "mawe_build",
            help: "The version of the program and the kind of its database",
            kind: MetricType::Info,
            samples: vec![Sample {
                labels: build,
                value: Value::Info,
            }],
        },
        gauge("mawe_tasks", "Tasks of the runtime", reading.tasks),
        known(
            "mawe_allocator_allocated_bytes",
            "Memory that the program has asked the allocator for and not given back",
            reading.allocator.map(|figures| figures.allocated),
        ),
        known(
            "mawe_allocator_resident_bytes",
            "Memory that the allocator holds in pages of the system",
            reading.allocator.map(|figures| figures.resident),
        ),
        counters(
            "process_cpu_seconds",
            "Processor time of the process in seconds",
            process.cpu_seconds.map(|seconds| (Vec::new(), seconds)),
        ),
        known(
            "process_resident_memory_bytes",
            "Memory of the process in pages of the system",
            process.resident_bytes,
        ),
        known(
            "process_open_fds",
            "Open files of the process",
            process.open_files,
        ),
        known(
            "process_max_fds",
            "The greatest number of open files",
            process.most_files,
        ),
        gauge(
            "process_start_time_seconds",
            "Start of the server in seconds since the Unix epoch",
            seconds(app.meters.began_ms),
        ),
    ]
}
