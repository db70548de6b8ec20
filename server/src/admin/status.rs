//! The state of the server.

use super::api::StatusView;
use super::refusal::Refused;
use crate::app::App;
use crate::metrics;

pub(super) async fn status(app: &App) -> Result<StatusView, Refused> {
    let place = app.meters.readings.acquire().await;
    let _place = place.map_err(|_| Refused::Failed("the server stops".to_owned()))?;
    let reading = metrics::read(app).await;
    Ok(metrics::status(app, &reading).await)
}
