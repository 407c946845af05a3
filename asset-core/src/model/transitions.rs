//! Transitions as the macro numbers them: in the order of declaration, the last parameter
//! running fastest.

use super::TransitionNumber;
use crate::state::{Layout, Shape, Shown};

/// A model's enum of transitions. It is no part of the prelude, so that a model may have
/// methods of these names.
pub trait TransitionEnum: TransitionNumber + Sized {
    /// Number of transitions.
    const COUNT: usize;

    /// The variants with their parameters.
    const SHAPES: &'static [TransitionShape];

    /// The transition with this number.
    ///
    /// # Panics
    ///
    /// If the number is not below [`Self::COUNT`].
    fn from_number(number: usize) -> Self;

    /// The transition with its parameters, as it stands in traces.
    fn name(self) -> String {
        transition_name(Self::SHAPES, self.number())
    }
}

/// A transition of the author's enum: its name and its parameters.
pub struct TransitionShape {
    /// The variant's name.
    pub name: &'static str,
    /// Its parameters with their names, the last one running fastest; those in parentheses
    /// have none.
    pub parameters: &'static [(&'static str, ParameterShape)],
}

/// A parameter of a transition.
pub struct ParameterShape {
    /// Number of values.
    pub n_values: usize,
    /// What the first of them is as a number.
    pub first: i128,
    /// How they look.
    pub shape: &'static Shape,
    /// The layout whose numbers those of the values are; `None` if they are integers that
    /// follow the first.
    pub layout: Option<&'static Layout>,
}

impl ParameterShape {
    /// The value with this number.
    pub fn show(&self, number: usize) -> Shown {
        match self.layout {
            Some(layout) => self.shape.show_numbered(layout, number as u64),
            None => self.shape.show(&mut std::iter::once(self.first + number as i128)),
        }
    }
}

/// The name with its parameters of the transition with this number.
pub fn transition_name(shapes: &[TransitionShape], mut number: usize) -> String {
    for TransitionShape { name, parameters } in shapes {
        let n: usize = parameters.iter().map(|(_, parameter)| parameter.n_values).product();
        if number >= n {
            number -= n;
            continue;
        }
        let mut values: Vec<String> = Vec::with_capacity(parameters.len());
        for (name, parameter) in parameters.iter().rev() {
            let value = parameter.show(number % parameter.n_values);
            let space = if name.is_empty() { "" } else { " " };
            values.push(format!("{name}{space}{value}"));
            number /= parameter.n_values;
        }
        values.reverse();
        return if values.is_empty() {
            (*name).to_owned()
        } else {
            format!("{name}({})", values.join(", "))
        };
    }
    panic!("no transition has this number")
}
