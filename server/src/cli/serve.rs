//! `mawe serve`: runs the server until a signal stops it.

use std::net::{IpAddr, SocketAddr};

use crate::app::Setting;
use crate::bots::endgames;
use crate::cli::log;
use crate::cli::output::{Failure, print, runtime};
use crate::cli::signals::Signals;
#[cfg(unix)]
use crate::cli::supervisor::Supervisor;
use crate::config::ServeOptions;
use crate::server::Server;
use crate::trace;

pub(super) fn run(options: ServeOptions, in_force: Vec<Setting>) -> Result<(), Failure> {
    let failed = |error: &dyn std::fmt::Display| Failure::Failed(error.to_string());
    let log = options.log.clone();
    let mut config = options.resolve().map_err(|error| failed(&error))?;
    config.in_force = in_force;
    let node = config.cluster.as_ref();
    let node = node.and_then(|cluster| cluster.node.as_deref());
    let traces = config.traces.as_ref();
    let traces = traces.map(|settings| trace::export::begin(settings, "mawe", node));
    let (tracer, exporter) = traces.transpose().map_err(|error| failed(&error))?.unzip();
    log::start(&log, tracer);
    endgames::install(&config.data_dir, |line| tracing::info!("{line}"));
    let solving = config
        .endgames
        .solve_endgames
        .then(|| config.data_dir.clone());
    runtime()?.block_on(async {
        let mut signals = Signals::new().map_err(|error| failed(&error))?;
        let exporting = exporter.map(trace::export::Exporter::start);
        let server = Server::start(config)
            .await
            .map_err(|error| failed(&error))?;
        // After the start: a server that cannot start leaves the disk alone.
        if let Some(data_dir) = solving
            && let Err(error) = endgames::complete_in_background(data_dir)
        {
            tracing::warn!(%error, "endgame databases are not made");
        }
        let own = if_addrs::get_if_addrs().unwrap_or_default();
        let own = own.into_iter().map(|interface| interface.ip());
        print(&welcome(server.address, own))?;
        #[cfg(unix)]
        let supervisor = Supervisor::ready();
        let replaced = tokio::select! {
            () = signals.stop() => false,
            () = server.replaced() => true,
        };
        tracing::info!("stopping");
        #[cfg(unix)]
        supervisor.stopping();
        server.stop().await;
        if let Some(exporting) = exporting {
            exporting.stop().await;
        }
        match replaced {
            true => Err(Failure::Failed(
                "another node with the name of this one has taken its place".to_owned(),
            )),
            false => Ok(()),
        }
    })
}

/// Returns the lines that name the address of the server, or of a server on all addresses those at which other devices reach it.
fn welcome(listen: SocketAddr, own: impl Iterator<Item = IpAddr>) -> String {
    let mut lines = format!("Mawe! is at http://{listen}\n");
    if !listen.ip().is_unspecified() {
        return lines;
    }
    // A link-local address of IPv6 needs the name of an interface, which no browser takes.
    let mut others: Vec<IpAddr> = own
        .filter(|ip| match ip {
            IpAddr::V4(ip) => !ip.is_loopback() && !ip.is_link_local(),
            IpAddr::V6(ip) => listen.is_ipv6() && !ip.is_loopback() && !ip.is_unicast_link_local(),
        })
        .collect();
    others.sort_unstable();
    others.dedup();
    for ip in others {
        let address = SocketAddr::new(ip, listen.port());
        lines.push_str(&format!("other devices reach it at http://{address}\n"));
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_addresses_for_other_devices_are_named() {
        let own = [
            "192.168.1.20",
            "127.0.0.1",
            "169.254.7.7",
            "fe80::1",
            "::1",
            "2001:db8::7",
            "192.168.1.20",
        ];
        let welcome = |listen: &str| {
            let own = own.into_iter().map(|ip| ip.parse().expect("an address"));
            welcome(listen.parse().expect("an address"), own)
        };
        assert_eq!(
            welcome("127.0.0.1:8080"),
            "Mawe! is at http://127.0.0.1:8080\n"
        );
        assert_eq!(
            welcome("0.0.0.0:8080"),
            "Mawe! is at http://0.0.0.0:8080\nother devices reach it at http://192.168.1.20:8080\n"
        );
        assert_eq!(
            welcome("[::]:80"),
            "Mawe! is at http://[::]:80\nother devices reach it at http://192.168.1.20:80\n\
             other devices reach it at http://[2001:db8::7]:80\n"
        );
    }
}
