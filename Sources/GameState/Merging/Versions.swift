import SecureArchive

/// The values at one place in three versions; nil for a missing one.
struct Versions {
    var base: ArchiveValue?
    var mine: ArchiveValue?
    var theirs: ArchiveValue?

    /// The result if one side has changed nothing, or both sides the same; nil for two changes.
    var agreed: ArchiveValue?? {
        if mine == theirs { return .some(mine) }
        if let base {
            if theirs == base { return .some(mine) }
            if mine == base { return .some(theirs) }
            return nil
        }
        // Without a base, a side with no value has changed nothing.
        if theirs == nil { return .some(mine) }
        return mine == nil ? .some(theirs) : nil
    }

    /// The same with `null` as a missing value.
    var withoutNulls: Versions {
        func present(_ value: ArchiveValue?) -> ArchiveValue? { value == .null ? nil : value }
        return Versions(base: present(base), mine: present(mine), theirs: present(theirs))
    }

    /// The class of both sides, and the values below it; nil unless both are objects of one class.
    var belowTag: (name: ClassName, versions: Versions)? {
        guard case .tagged(let name, let mineBelow)? = mine, case .tagged(name, let theirsBelow)? = theirs else {
            return nil
        }
        var baseBelow: ArchiveValue?
        if case .tagged(name, let below)? = base { baseBelow = below }
        return (name, Versions(base: baseBelow, mine: mineBelow, theirs: theirsBelow))
    }

    /// The dictionaries of both sides; the base is empty if it is none.
    var fields: (base: ArchiveFields, mine: ArchiveFields, theirs: ArchiveFields)? {
        guard case .dictionary(let mine)? = mine, case .dictionary(let theirs)? = theirs else { return nil }
        guard case .dictionary(let base)? = base else { return ([:], mine, theirs) }
        return (base, mine, theirs)
    }

    /// The arrays of both sides; the base is nil if it is none.
    var elements: (base: [ArchiveValue]?, mine: [ArchiveValue], theirs: [ArchiveValue])? {
        guard case .array(let mine)? = mine, case .array(let theirs)? = theirs else { return nil }
        guard case .array(let base)? = base else { return (nil, mine, theirs) }
        return (base, mine, theirs)
    }
}
