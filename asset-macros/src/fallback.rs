//! What is emitted when something is wrong: the mistakes, and a module that
//! still defines its names, so that one mistake is one message.

use crate::ast::{CheckKind, Item, MarkKind, Module, attrs_mut, name_of, stated};
use crate::errors::Errors;
use crate::recover;
use crate::validate::{Names, references};
use proc_macro2::TokenStream;
use quote::quote;
use std::collections::HashSet;
use syn::punctuated::Punctuated;
use syn::visit_mut::{self, VisitMut};
use syn::{
    AttrStyle, Attribute, Block, Field, Fields, FnArg, Generics, Ident, ImplItemFn, ItemEnum,
    ItemFn, ItemStruct, Path, PathArguments, PathSegment, ReturnType, Signature, Type, TypeArray,
    Variant, parse_quote,
};

/// For something that is not an inline module: it is emitted as it is.
pub fn without_module(errors: Errors, item: TokenStream) -> TokenStream {
    let errors = errors.into_tokens();
    quote!(#errors #item)
}

/// The mistakes, and the module with its items but without their bodies.
pub fn module(errors: Errors, module: &Module) -> TokenStream {
    let syn::ItemMod { attrs, vis, mod_token, ident, .. } = &module.head;
    let attrs = attrs.iter().filter(|attr| matches!(attr.style, AttrStyle::Outer));
    let krate = &module.krate;
    let is_said = !errors.is_empty();
    let errors = errors.into_tokens();
    let names = Names::of(module.items.iter().map(|item| &item.syn));
    let mut emptier = Emptier { krate, generic: generic(module), names };
    let items: Vec<syn::Item> =
        module.items.iter().filter_map(|item| emptier.empty(item)).collect();
    let stubs = stubs(module, is_said);
    quote! {
        #errors
        #(#attrs)*
        #[allow(warnings, clippy::all)]
        #vis #mod_token #ident {
            use #krate::prelude::*;
            #(#items)*
            #stubs
        }
    }
}

/// Attributes that change what an item is, and not what is made of it.
fn is_harmless(attr: &Attribute) -> bool {
    ["doc", "cfg", "macro_use", "macro_export", "path"]
        .iter()
        .any(|name| attr.path().is_ident(name))
}

/// Takes away what could only repeat a mistake: attributes inside items, the
/// bodies of functions, types of which the compiler would say something else,
/// and parameters that a model's types cannot have.
struct Emptier<'k> {
    /// Where `asset_core` is.
    krate: &'k Path,
    /// The names of the generic types of the module.
    generic: HashSet<String>,
    /// All names of the module.
    names: Names,
}

/// Whether a constant is a formula, or was meant to be one.
fn is_formula(item: &Item) -> bool {
    let is_mark = |kind: &MarkKind| matches!(kind, MarkKind::Check(CheckKind::Ltl));
    stated(&item.syn).is_some() || item.marks.iter().any(|mark| is_mark(&mark.kind))
}

/// The names of the module's types that have parameters.
fn generic(module: &Module) -> HashSet<String> {
    let name = |item: &Item| match &item.syn {
        syn::Item::Struct(item) if !item.generics.params.is_empty() => Some(item.ident.to_string()),
        syn::Item::Enum(item) if !item.generics.params.is_empty() => Some(item.ident.to_string()),
        _ => None,
    };
    let marked = module.items.iter().filter(|item| !item.marks.is_empty());
    marked.filter_map(name).collect()
}

impl Emptier<'_> {
    /// What is left of an item, if anything.
    fn empty(&mut self, item: &Item) -> Option<syn::Item> {
        if self.is_of_generic(&item.syn) {
            return None;
        }
        let is_formula = is_formula(item);
        let mut item = item.syn.clone();
        if let syn::Item::Const(constant) = &mut item
            && is_formula
        {
            let krate = self.krate;
            *constant.ty = parse_quote!(#krate::generated::StatedFormula);
            *constant.expr = parse_quote!(#krate::generated::StatedFormula::TRUE);
        }
        self.visit_item_mut(&mut item);
        if let syn::Item::Verbatim(tokens) = &mut item {
            *tokens = recover::without_attributes(std::mem::take(tokens));
        }
        let is_simple = matches!(&item, syn::Item::Enum(item) if item.variants.iter().all(|v| v.fields.is_empty()));
        if let Some(attrs) = attrs_mut(&mut item) {
            attrs.retain(is_harmless);
            if is_simple {
                attrs.push(parse_quote!(#[derive(Clone, Copy, PartialEq, Eq, Debug)]));
            }
        }
        Some(item)
    }

    /// Whether this implements something for a type that loses its parameters.
    fn is_of_generic(&self, item: &syn::Item) -> bool {
        let syn::Item::Impl(item) = item else {
            return false;
        };
        matches!(&*item.self_ty, Type::Path(path) if path.path.segments.last().is_some_and(|s| {
            self.generic.contains(&s.ident.to_string())
        }))
    }

    /// Without its parameters, a type has nothing in it that could use them.
    fn strip(&self, ident: &Ident, generics: &mut Generics, fields: Vec<&mut Fields>) {
        if self.generic.contains(&ident.to_string()) {
            *generics = Generics::default();
            for fields in fields {
                fields.iter_mut().for_each(|field| field.ty = parse_quote!(()));
            }
        }
    }
}

/// Whether the compiler refuses a field of this type by itself.
fn is_refused(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => is_refused(&array.elem),
        Type::Reference(reference) => reference.lifetime.is_none(),
        // What is in a set must be of a certain kind, which may be what is wrong.
        Type::Path(path) => path.path.segments.last().is_some_and(|last| {
            let is_bound = last.ident == "Set" || last.ident == "Map";
            last.ident == "str" || is_bound && !last.arguments.is_none()
        }),
        Type::Slice(_) | Type::TraitObject(_) | Type::ImplTrait(_) => true,
        _ => false,
    }
}

impl VisitMut for Emptier<'_> {
    fn visit_item_struct_mut(&mut self, item: &mut ItemStruct) {
        visit_mut::visit_item_struct_mut(self, item);
        self.strip(&item.ident, &mut item.generics, vec![&mut item.fields]);
    }

    fn visit_item_enum_mut(&mut self, item: &mut ItemEnum) {
        visit_mut::visit_item_enum_mut(self, item);
        let fields = item.variants.iter_mut().map(|variant| &mut variant.fields).collect();
        self.strip(&item.ident, &mut item.generics, fields);
    }

    fn visit_path_segment_mut(&mut self, segment: &mut PathSegment) {
        if self.generic.contains(&segment.ident.to_string()) {
            segment.arguments = PathArguments::None;
        }
        visit_mut::visit_path_segment_mut(self, segment);
    }

    fn visit_type_array_mut(&mut self, array: &mut TypeArray) {
        if references::leads_nowhere(&array.len, &self.names) {
            array.len = parse_quote!(1);
        }
        visit_mut::visit_type_array_mut(self, array);
    }

    fn visit_field_mut(&mut self, field: &mut Field) {
        field.attrs.retain(is_harmless);
        if is_refused(&field.ty) {
            field.ty = parse_quote!(());
        }
        visit_mut::visit_field_mut(self, field);
    }

    fn visit_variant_mut(&mut self, variant: &mut Variant) {
        variant.attrs.retain(is_harmless);
        visit_mut::visit_variant_mut(self, variant);
    }

    fn visit_item_fn_mut(&mut self, function: &mut ItemFn) {
        function.attrs.retain(is_harmless);
        if function.sig.receiver().is_some() {
            function.sig.inputs = Punctuated::new();
        }
        for input in &mut function.sig.inputs {
            if let FnArg::Typed(typed) = input {
                typed.attrs.retain(is_harmless);
            }
        }
        self.visit_signature_mut(&mut function.sig);
        empty(&function.sig, &mut function.block);
    }

    fn visit_impl_item_fn_mut(&mut self, function: &mut ImplItemFn) {
        function.attrs.retain(is_harmless);
        empty(&function.sig, &mut function.block);
    }
}

/// A function keeps its body if that says what its opaque type is, or if
/// constants may be computed by it. Others never run: there is an error beside
/// them, so the program does not compile.
fn empty(sig: &Signature, block: &mut Block) {
    let is_opaque =
        matches!(&sig.output, ReturnType::Type(_, ty) if matches!(**ty, Type::ImplTrait(_)));
    if !is_opaque && sig.constness.is_none() {
        *block = parse_quote!({ ::core::unreachable!() });
    }
}

/// The names that the model would have defined, and those of missing parts. `is_said`:
/// what is wrong has been reported.
fn stubs(module: &Module, is_said: bool) -> TokenStream {
    let krate = &module.krate;
    let defines = |name: &str| {
        module.items.iter().filter_map(|item| name_of(&item.syn)).any(|known| known == name)
    };
    let has = |is_it: fn(&MarkKind) -> bool| {
        module.items.iter().flat_map(|item| &item.marks).any(|mark| is_it(&mark.kind))
    };
    let missing = |name: &str, is_it: fn(&MarkKind) -> bool| {
        (!has(is_it) && !defines(name)).then(|| {
            let name = Ident::new(name, module.head.ident.span());
            quote!(pub struct #name;)
        })
    };
    let state = missing("State", |kind| matches!(kind, MarkKind::State));
    let transition = missing("Transition", |kind| matches!(kind, MarkKind::Transitions));
    // The compiler says what is wrong where nothing is said here. It would repeat whatever else
    // does not compile, so this stops a program that nevertheless runs.
    let body = match is_said {
        true => quote!(::core::unreachable!()),
        false => quote!(::core::panic!("`#[model]` cannot read something in this module")),
    };
    let function = (!defines("model")).then(|| {
        quote! {
            pub fn model() -> #krate::Family {
                #body
            }
        }
    });
    quote! {
        #state
        #transition
        #function
    }
}
