//! A limit on the long responses (streams, exports, waiting workers) in progress for one address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::Arc;

use parking_lot::Mutex;

use crate::limits::network::network;

/// A refusal: the address has as many responses in progress as it may.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TooManyAtOnce;

/// The counts of responses in progress, by address.
#[derive(Debug)]
pub struct ConcurrencyLimit {
    most: u32,
    inside: Mutex<HashMap<IpAddr, u32>>,
}

impl ConcurrencyLimit {
    /// Creates the counts, with at most `most` responses at a time for one address.
    #[must_use]
    pub fn new(most: u32) -> Arc<ConcurrencyLimit> {
        Arc::new(ConcurrencyLimit {
            most,
            inside: Mutex::default(),
        })
    }

    /// Counts one more response for an address.
    ///
    /// # Errors
    /// [`TooManyAtOnce`].
    pub fn enter(self: &Arc<Self>, from: IpAddr) -> Result<Permit, TooManyAtOnce> {
        let address = network(from);
        let mut inside = self.inside.lock();
        let count = inside.entry(address).or_default();
        if *count >= self.most {
            return Err(TooManyAtOnce);
        }
        *count += 1;
        drop(inside);
        Ok(Permit {
            limit: Arc::clone(self),
            address,
        })
    }
}

/// A counted response; dropping it decrements the count.
#[derive(Debug)]
pub struct Permit {
    limit: Arc<ConcurrencyLimit>,
    address: IpAddr,
}

impl Drop for Permit {
    fn drop(&mut self) {
        let mut inside = self.limit.inside.lock();
        if let Some(count) = inside.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                inside.remove(&self.address);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_given_back() {
        let limit = ConcurrencyLimit::new(2);
        let here = IpAddr::from([10, 0, 0, 1]);
        let one = limit.enter(here).expect("a place");
        let _two = limit.enter(here).expect("a place");
        assert!(limit.enter(here).is_err());
        assert!(limit.enter(IpAddr::from([10, 0, 0, 2])).is_ok());
        drop(one);
        assert!(limit.enter(here).is_ok());
        assert_eq!(limit.inside.lock().len(), 1);
    }
}
