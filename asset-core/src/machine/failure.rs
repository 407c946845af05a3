//! Why work on a model could not go on.

use super::ModelError;
use crate::memory::Limit;

/// Why a search, or an audit, could not go on.
#[derive(Clone, Debug)]
pub enum Failure {
    /// A limit was reached: the run is inconclusive.
    Limit(Limit),
    /// The model broke its contract; the number of the state, if it has one.
    Model(Box<ModelError>, Option<u32>),
}

impl From<Limit> for Failure {
    fn from(limit: Limit) -> Self {
        Failure::Limit(limit)
    }
}

impl From<ModelError> for Failure {
    fn from(error: ModelError) -> Self {
        Failure::model(error, None)
    }
}

impl Failure {
    /// The model broke its contract in this state, or in none.
    pub(crate) fn model(error: ModelError, id: Option<u32>) -> Self {
        Failure::Model(Box::new(error), id)
    }
}
