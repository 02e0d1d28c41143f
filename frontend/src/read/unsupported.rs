//! The list of constructs that are not read: one entry for each construct in each line.

use cranelift_entity::PrimaryMap;

use program::model::{LimitKind, LocationKind, Program, Site, Unsupported, UnsupportedId};

/// Adds what a survey found to the constructs that end paths of the program. The list is then in source order.
pub(super) fn complete(program: &mut Program, found: PrimaryMap<UnsupportedId, Unsupported>) {
    let sites = &program.sites;
    let mut all: Vec<Unsupported> = program.unsupported.values().cloned().collect();
    all.extend(found.into_iter().map(|(_, item)| item));
    all.sort_by(|left, right| position(sites, left).cmp(&position(sites, right)));
    let mut list: PrimaryMap<UnsupportedId, Unsupported> = PrimaryMap::new();
    for item in all {
        if find(sites, &list, &item).is_none() {
            list.push(item);
        }
    }
    for template in program.templates.values_mut() {
        for location in template.locations.values_mut() {
            if let LocationKind::Limit(LimitKind::Unsupported(id)) = &mut location.kind
                && let Some(renumbered) = find(sites, &list, &program.unsupported[*id])
            {
                *id = renumbered;
            }
        }
    }
    program.unsupported = list;
}

/// The listed construct of the same name in the same line: one of several columns, or of several inlined copies.
pub(super) fn find(
    sites: &PrimaryMap<abi::ids::SiteId, Site>,
    list: &PrimaryMap<UnsupportedId, Unsupported>,
    item: &Unsupported,
) -> Option<UnsupportedId> {
    let line = |item: &Unsupported| {
        let site = &sites[item.site];
        (site.file.clone(), site.line)
    };
    list.iter()
        .find(|(_, listed)| listed.what == item.what && line(listed) == line(item))
        .map(|(id, _)| id)
}

fn position<'s>(
    sites: &'s PrimaryMap<abi::ids::SiteId, Site>,
    item: &Unsupported,
) -> (&'s str, u32, u32) {
    let site = &sites[item.site];
    (&site.file, site.line, site.column)
}
