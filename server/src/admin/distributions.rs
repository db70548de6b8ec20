//! The distribution of ratings.

use mawe_play::rating::PROVISIONAL_DEVIATION;
use mawe_store::RatingCount;

use super::api::{BandView, DistributionView};
use super::refusal::Refused;
use crate::app::App;

/// The number of ratings in a band.
const WIDTH: i64 = 100;

pub(super) async fn distributions(app: &App) -> Result<Vec<DistributionView>, Refused> {
    let counts = app.store.rating_counts(PROVISIONAL_DEVIATION).await?;
    let pools = counts.chunk_by(|a, b| (a.game, a.speed) == (b.game, b.speed));
    Ok(pools.map(distribution).collect())
}

/// Returns the distribution of a game and speed, of its counts by rating.
fn distribution(counts: &[RatingCount]) -> DistributionView {
    let players = counts.iter().map(|count| count.players).sum();
    let mut below = 0;
    let median = counts.iter().find(|count| {
        below += count.players;
        2 * below >= players
    });
    let band = |count: &RatingCount| count.rating.div_euclid(WIDTH);
    let bands = band(&counts[0])..=band(&counts[counts.len() - 1]);
    DistributionView {
        game: counts[0].game,
        speed: counts[0].speed,
        players,
        provisional: counts.iter().map(|count| count.provisional).sum(),
        median: median.map_or(0, |count| count.rating),
        bands: bands
            .map(|number| BandView {
                from: number * WIDTH,
                to: (number + 1) * WIDTH - 1,
                players: counts
                    .iter()
                    .filter(|count| band(count) == number)
                    .map(|count| count.players)
                    .sum(),
            })
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use mawe_rules::GameKind;
    use mawe_wire::Speed;

    use super::*;

    #[test]
    fn bands_have_no_gaps_and_the_median_is_a_rating() {
        let counts =
            [(1_287, 1), (1_499, 1), (1_500, 3), (1_599, 1)].map(|(rating, players)| RatingCount {
                game: GameKind::Oware,
                speed: Speed::Blitz,
                rating,
                players,
                provisional: 1,
            });
        let view = distribution(&counts);
        let bands: Vec<(i64, i64, u64)> = view
            .bands
            .iter()
            .map(|band| (band.from, band.to, band.players))
            .collect();
        assert_eq!(
            bands,
            [
                (1_200, 1_299, 1),
                (1_300, 1_399, 0),
                (1_400, 1_499, 1),
                (1_500, 1_599, 4)
            ]
        );
        assert_eq!((view.players, view.provisional, view.median), (6, 4, 1_500));
        assert_eq!(distribution(&counts[..2]).median, 1_287);
    }
}
