//! A limit on the long responses (streams, exports, waiting workers) in progress for one address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::http::error::ApiError;
use crate::http::limits::network;

/// The counts of responses in progress, by address.
#[derive(Debug)]
pub struct Crowd {
    most: u32,
    inside: Mutex<HashMap<IpAddr, u32>>,
}

impl Crowd {
    /// Creates the counts, with at most `most` responses at a time for one address.
    #[must_use]
    pub fn of(most: u32) -> Arc<Crowd> {
        Arc::new(Crowd {
            most,
            inside: Mutex::default(),
        })
    }

    /// Counts one more response for an address.
    ///
    /// # Errors
    /// [`ApiError::TooManyStreams`].
    pub fn enter(self: &Arc<Self>, from: IpAddr) -> Result<Place, ApiError> {
        let address = network(from);
        let mut inside = self.lock();
        let count = inside.entry(address).or_default();
        if *count >= self.most {
            return Err(ApiError::TooManyStreams);
        }
        *count += 1;
        drop(inside);
        Ok(Place {
            crowd: Arc::clone(self),
            address,
        })
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<IpAddr, u32>> {
        self.inside.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A counted response; dropping it decrements the count.
#[derive(Debug)]
pub struct Place {
    crowd: Arc<Crowd>,
    address: IpAddr,
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut inside = self.crowd.lock();
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
        let crowd = Crowd::of(2);
        let here = IpAddr::from([10, 0, 0, 1]);
        let one = crowd.enter(here).expect("a place");
        let _two = crowd.enter(here).expect("a place");
        assert!(crowd.enter(here).is_err());
        assert!(crowd.enter(IpAddr::from([10, 0, 0, 2])).is_ok());
        drop(one);
        assert!(crowd.enter(here).is_ok());
        assert_eq!(crowd.lock().len(), 1);
    }
}
