//! The loss of a prediction.

/// The logistic function: the expected share of the point at this many logits.
pub(super) fn logistic(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// The loss in nats of a prediction in logits.
pub(super) fn cross_entropy(target: f32, logit: f32) -> f32 {
    // `ln(1 + e^x)` without overflow.
    let soft = |x: f32| x.max(0.0) + (-x.abs()).exp().ln_1p();
    target * soft(-logit) + (1.0 - target) * soft(logit)
}

/// The mean of these losses; 0 without any.
pub(super) fn mean(losses: impl Iterator<Item = f32>) -> f32 {
    let (mut sum, mut count) = (0.0_f64, 0_u32);
    for loss in losses {
        sum += f64::from(loss);
        count += 1;
    }
    (sum / f64::from(count.max(1))) as f32
}
