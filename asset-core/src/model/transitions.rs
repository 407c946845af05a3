//! Transitions as the macro numbers them: in the order of declaration, the last parameter
//! running fastest.

use super::{Fair, FairMark, TransitionNumber};
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
#[derive(Clone, Copy)]
pub struct TransitionShape {
    /// The variant's name.
    pub name: &'static str,
    /// Whether there is such a transition for these parameters of the model.
    pub exists: bool,
    /// Its parameters with their names, the last one running fastest; those in parentheses
    /// have none.
    pub parameters: &'static [(&'static str, ParameterShape)],
}

/// A parameter of a transition.
#[derive(Clone, Copy)]
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
pub fn transition_name(shapes: &[TransitionShape], number: usize) -> String {
    let (variant, number) = variant_of(shapes, number);
    named(&shapes[variant], number, None)
}

/// The fairness condition of a transition, by the mark of each variant.
pub fn fairness(
    shapes: &[TransitionShape],
    marks: &[Option<FairMark>],
    number: usize,
) -> Option<Fair> {
    let (variant, number) = variant_of(shapes, number);
    let FairMark { is_strong, group, by } = marks[variant]?;
    let TransitionShape { parameters, .. } = shapes[variant];
    let group = match (group, by) {
        (None, None) => None,
        (None, by) => Some(named(&shapes[variant], number, by)),
        (Some(group), None) => Some(group.to_owned()),
        (Some(group), Some(by)) => {
            let after: usize = parameters[by + 1..].iter().map(|(_, p)| p.n_values).product();
            let (_, parameter) = &parameters[by];
            Some(format!("{group}({})", parameter.show(number / after % parameter.n_values)))
        }
    };
    Some(Fair { is_strong, group })
}

/// The variant of the transition with this number, and its number within the variant.
fn variant_of(shapes: &[TransitionShape], mut number: usize) -> (usize, usize) {
    let all = shapes.iter().enumerate();
    for (variant, TransitionShape { parameters, .. }) in all.filter(|(_, shape)| shape.exists) {
        let n: usize = parameters.iter().map(|(_, parameter)| parameter.n_values).product();
        if number < n {
            return (variant, number);
        }
        number -= n;
    }
    panic!("no transition has this number")
}

/// The name with the parameters; with only one of them, `*` stands for each other.
fn named(shape: &TransitionShape, mut number: usize, only: Option<usize>) -> String {
    let TransitionShape { name, parameters, .. } = shape;
    let mut values: Vec<String> = Vec::with_capacity(parameters.len());
    for (i, (name, parameter)) in parameters.iter().enumerate().rev() {
        let space = if name.is_empty() { "" } else { " " };
        values.push(match only.is_none_or(|only| only == i) {
            true => format!("{name}{space}{}", parameter.show(number % parameter.n_values)),
            false => "*".to_owned(),
        });
        number /= parameter.n_values;
    }
    values.reverse();
    if values.is_empty() { (*name).to_owned() } else { format!("{name}({})", values.join(", ")) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_makes_a_condition_of_each_of_one_value_or_of_a_name() {
        const SHAPE: ParameterShape =
            ParameterShape { n_values: 2, first: 1, shape: &Shape::Int, layout: None };
        const N: (&str, ParameterShape) = ("", SHAPE);
        const WHO: (&str, ParameterShape) = ("who", SHAPE);
        let shapes = [
            TransitionShape { name: "Go", exists: true, parameters: &[WHO, N] },
            TransitionShape { name: "Lose", exists: false, parameters: &[WHO] },
            TransitionShape { name: "Stop", exists: true, parameters: &[] },
        ];
        assert_eq!(transition_name(&shapes, 2), "Go(who 2, 1)");
        assert_eq!(transition_name(&shapes, 4), "Stop");
        let of = |group, by, number| {
            let mark = FairMark { is_strong: true, group, by };
            let fair = fairness(&shapes, &[Some(mark), Some(mark), None], number);
            fair.map(|fair| (fair.is_strong, fair.group))
        };
        let named = |name: &str| Some((true, Some(name.to_owned())));
        assert_eq!(of(None, None, 2), Some((true, None)));
        assert_eq!(of(None, Some(0), 2), named("Go(who 2, *)"));
        assert_eq!(of(None, Some(1), 2), named("Go(*, 1)"));
        assert_eq!(of(Some("channel"), None, 0), named("channel"));
        assert_eq!(of(Some("process"), Some(0), 2), named("process(2)"));
        assert_eq!(of(Some("process"), Some(1), 2), named("process(1)"));
        assert_eq!(of(None, None, 4), None);
    }
}
