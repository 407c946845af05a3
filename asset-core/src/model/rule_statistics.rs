//! What stubborn set rules did in a run.

/// What the rules did, to help the person who writes them.
#[derive(Clone, Debug, Default)]
pub struct RuleStatistics {
    /// States for which a stubborn set was computed.
    pub n_states: u64,
    /// States that were also fired in full, to compare.
    pub n_samples: u64,
    /// Samples in which something enabled was left out.
    pub n_reduced: u64,
    /// Enabled transitions over all samples.
    pub n_enabled: u64,
    /// Fired transitions over all samples.
    pub n_fired: u64,
    /// For each transition, how often its rule was asked, in the states in which
    /// that was counted.
    pub asked: Vec<u64>,
    /// For each transition, how often its rule obliged everything.
    pub obliged_all: Vec<u64>,
}

impl RuleStatistics {
    /// A state was fired in full to compare with what its stubborn set has fired.
    pub(crate) fn count_sample(&mut self, n_enabled: usize, n_fired: usize) {
        self.n_samples += 1;
        self.n_reduced += u64::from(n_fired < n_enabled);
        self.n_enabled += n_enabled as u64;
        self.n_fired += n_fired as u64;
    }

    /// Adds what was counted elsewhere.
    pub(crate) fn add(&mut self, others: &RuleStatistics) {
        self.n_states += others.n_states;
        self.n_samples += others.n_samples;
        self.n_reduced += others.n_reduced;
        self.n_enabled += others.n_enabled;
        self.n_fired += others.n_fired;
        for (mine, others) in
            [(&mut self.asked, &others.asked), (&mut self.obliged_all, &others.obliged_all)]
        {
            mine.resize(mine.len().max(others.len()), 0);
            mine.iter_mut().zip(others).for_each(|(mine, others)| *mine += others);
        }
    }
}
