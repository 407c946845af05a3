//! What a model shows to the outside: `model()` and the width of a state.

use super::values;
use crate::ir::Model;
use crate::text;
use proc_macro2::TokenStream;
use quote::quote;

/// Makes the instance in scope known to the family under its index.
pub fn anchor(model: &Model, index: usize) -> TokenStream {
    let krate = &model.krate;
    quote! {
        impl #krate::generated::InstanceOf<#index> for __asset_Family {
            const MACHINE: &'static dyn #krate::generated::Machine =
                &#krate::generated::Compiled::<__asset_Instance>::new();
        }
    }
}

/// The function `model()`.
pub fn family(model: &Model) -> TokenStream {
    let krate = &model.krate;
    let name = text::shown(&model.head.ident);
    let doc = &model.doc;
    let params = model.params.iter().map(|param| {
        let (name, doc) = (&param.name, &param.doc);
        let values = param.values.iter().map(|value| &value.text);
        let default = &param.values[param.default].text;
        quote! {
            #krate::generated::Param {
                name: #name,
                doc: #doc,
                values: &[#(#values),*],
                default: #default,
            }
        }
    });
    let instances = model.instances.built.iter().enumerate().map(|(index, indices)| {
        let values = values(model, indices).into_iter().map(|value| &value.text);
        quote! {
            #krate::generated::Instance {
                values: &[#(#values),*],
                machine: <__asset_Family as #krate::generated::InstanceOf<#index>>::MACHINE,
            }
        }
    });
    quote! {
        #[doc(hidden)]
        #[allow(non_camel_case_types)]
        pub struct __asset_Family;

        /// This model with all its compiled instances.
        #[allow(dead_code)]
        pub fn model() -> #krate::Family {
            #krate::Family {
                name: #name,
                doc: #doc,
                params: const { &[#(#params),*] },
                instances: const { &[#(#instances),*] },
            }
        }
    }
}
