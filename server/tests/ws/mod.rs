//! The WebSocket of a running server: playing, watching, resuming, misbehaviour.

mod commands;
mod ends;
mod floods;
mod line;
mod play;
mod presence;
mod rematches;
mod resuming;
mod rfc6455;

use mawe_wire::ServerMsg;

use crate::common::socket::Socket;

const NOBODYS_MATCH: &str = "AAAAAAAAAAAA";

/// Returns the match of an accepted rematch; offers are skipped.
pub(crate) async fn next_match(socket: &mut Socket) -> String {
    socket
        .until(|message| match message {
            ServerMsg::Rematch { rematch, .. } => rematch.next.map(String::from),
            ServerMsg::Error(error) => panic!("refused: {error:?}"),
            _ => None,
        })
        .await
}
