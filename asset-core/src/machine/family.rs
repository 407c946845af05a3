//! All compiled instances of one model, and how to choose among them.

use super::Machine;

/// A model with all its instances, as the generated function `model()` returns.
#[derive(Clone, Copy)]
pub struct Family {
    /// The module's name.
    pub name: &'static str,
    /// The module's documentation.
    pub doc: &'static str,
    /// The parameters, in the order of declaration.
    pub params: &'static [Param],
    /// The instances that are built: one for each combination of parameter values, or, if
    /// there are many, for those that were named.
    pub instances: &'static [Instance],
}

/// A parameter of a model.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The constant's name in lower case with hyphens: the command line option.
    pub name: &'static str,
    /// The constant's documentation.
    pub doc: &'static str,
    /// The values that it can have, as they are written on a command line.
    pub values: &'static [&'static str],
    /// The default value.
    pub default: &'static str,
}

/// One compiled instance.
#[derive(Clone, Copy)]
pub struct Instance {
    /// The parameters' values, in the order of [`Family::params`].
    pub values: &'static [&'static str],
    /// The compiled code.
    pub machine: &'static dyn Machine,
}

impl Family {
    /// The instance with the given values; parameters not named keep their
    /// default. The error is a sentence that says what there is to choose, or how the
    /// instance is built.
    pub fn instance(&self, chosen: &[(String, String)]) -> Result<Instance, String> {
        let values = self.values(chosen)?;
        let found = self.instances.iter().find(|instance| instance.values == values);
        found.copied().ok_or_else(|| {
            format!("{}; to build it: {} cargo build", self.missing(&values), self.named(&values))
        })
    }

    /// The values of all parameters if these are chosen, or a sentence that says what there
    /// is to choose.
    fn values(&self, chosen: &[(String, String)]) -> Result<Vec<&'static str>, String> {
        let mut values: Vec<&str> = self.params.iter().map(|p| p.default).collect();
        for (name, value) in chosen {
            let Some(at) = self.params.iter().position(|p| p.name == name) else {
                let known: Vec<&str> = self.params.iter().map(|p| p.name).collect();
                let known = if known.is_empty() { "none".to_owned() } else { known.join(", ") };
                return Err(format!("{} has no parameter '{name}'; it has {known}", self.name));
            };
            let Some(known) = self.params[at].values.iter().find(|v| *v == value) else {
                return Err(format!(
                    "{} has no instance with {name} = {value}; its values are {}",
                    self.name,
                    self.params[at].values.join(", ")
                ));
            };
            values[at] = known;
        }
        Ok(values)
    }

    /// Whether all instances are built.
    pub fn is_whole(&self) -> bool {
        self.instances.len() as u128 == self.n_listed()
    }

    /// How many combinations of values there are, built or not.
    pub fn n_listed(&self) -> u128 {
        self.params.iter().fold(1, |n: u128, param| n.saturating_mul(param.values.len() as u128))
    }

    /// If the instance with the chosen values exists and is not built: a sentence that says
    /// so, and the environment variable that cargo has to be called with.
    pub fn unbuilt(&self, chosen: &[(String, String)]) -> Option<(String, String)> {
        let values = self.values(chosen).ok()?;
        let is_built = self.instances.iter().any(|instance| instance.values == values);
        (!is_built).then(|| (self.missing(&values), self.named(&values)))
    }

    fn missing(&self, values: &[&str]) -> String {
        let pairs = self.params.iter().zip(values);
        let pairs: Vec<String> = pairs.map(|(p, value)| format!("{} = {value}", p.name)).collect();
        format!(
            "{} has {} instances, of which few are built, and not that with {}",
            self.name,
            self.n_listed(),
            pairs.join(", ")
        )
    }

    /// Names the instance with these values, where they are not the defaults.
    fn named(&self, values: &[&str]) -> String {
        let pairs = self.params.iter().zip(values).filter(|(p, value)| p.default != **value);
        let pairs: Vec<String> = pairs.map(|(p, value)| format!("{}={value}", p.name)).collect();
        format!("ASSET_INSTANCES='{}'", pairs.join(","))
    }
}
