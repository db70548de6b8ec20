//! The WebSocket of a running server: play, watch, come back, misbehave.

mod commands;
mod ends;
mod floods;
mod line;
mod play;
mod presence;
mod rematches;
mod resuming;
mod rfc6455;

use mawe_server::protocol::ServerMsg;

use crate::common::socket::Socket;

const NOBODYS_MATCH: &str = "AAAAAAAAAAAA";

/// The match that a rematch became; offers are passed over.
pub(crate) async fn next_match(socket: &mut Socket) -> String {
    socket
        .until(|message| match message {
            ServerMsg::Rematch { rematch, .. } => rematch.next.map(String::from),
            ServerMsg::Error(error) => panic!("refused: {error:?}"),
            _ => None,
        })
        .await
}
