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
    /// One instance for each combination of parameter values.
    pub instances: &'static [Instance],
}

/// A parameter of a model.
#[derive(Clone, Copy, Debug)]
pub struct Param {
    /// The constant's name in lower case with hyphens: the command line option.
    pub name: &'static str,
    /// The constant's documentation.
    pub doc: &'static str,
    /// The values that have an instance, as they are written on a command line.
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
    /// default. The error is a sentence that says what there is to choose.
    pub fn instance(&self, chosen: &[(String, String)]) -> Result<Instance, String> {
        let mut values: Vec<&str> = self.params.iter().map(|p| p.default).collect();
        for (name, value) in chosen {
            let Some(at) = self.params.iter().position(|p| p.name == name) else {
                return Err(format!("{} has no parameter '{name}'", self.name));
            };
            let Some(known) = self.params[at].values.iter().find(|v| *v == value) else {
                return Err(format!(
                    "{} has no instance with {name} = {value}; compiled values are {}",
                    self.name,
                    self.params[at].values.join(", ")
                ));
            };
            values[at] = known;
        }
        let found = self.instances.iter().find(|i| i.values == values);
        found.copied().ok_or_else(|| format!("{} has no such instance", self.name))
    }
}
