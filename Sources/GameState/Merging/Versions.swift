import SecureArchive

/// What stands at one place in three versions; nil where nothing does.
struct Versions {
    var base: ArchiveValue?
    var mine: ArchiveValue?
    var theirs: ArchiveValue?

    /// What is to be taken where one side has changed nothing, or both the same; nil where there are two changes.
    var agreed: ArchiveValue?? {
        if mine == theirs { return .some(mine) }
        if let base {
            if theirs == base { return .some(mine) }
            if mine == base { return .some(theirs) }
            return nil
        }
        // Where nothing was, who has nothing has changed nothing.
        if theirs == nil { return .some(mine) }
        return mine == nil ? .some(theirs) : nil
    }

    /// `null` says nothing, like a key that is not there.
    var withoutNulls: Versions {
        func present(_ value: ArchiveValue?) -> ArchiveValue? { value == .null ? nil : value }
        return Versions(base: present(base), mine: present(mine), theirs: present(theirs))
    }

    /// The name of the class that both sides share, and what they say below it; nil where one of them is no such object.
    var belowTag: (name: ClassName, versions: Versions)? {
        guard case .tagged(let name, let mineBelow)? = mine, case .tagged(name, let theirsBelow)? = theirs else {
            return nil
        }
        var baseBelow: ArchiveValue?
        if case .tagged(name, let below)? = base { baseBelow = below }
        return (name, Versions(base: baseBelow, mine: mineBelow, theirs: theirsBelow))
    }

    /// Where both sides are dictionaries; the base is empty where it is none.
    var fields: (base: ArchiveFields, mine: ArchiveFields, theirs: ArchiveFields)? {
        guard case .dictionary(let mine)? = mine, case .dictionary(let theirs)? = theirs else { return nil }
        guard case .dictionary(let base)? = base else { return ([:], mine, theirs) }
        return (base, mine, theirs)
    }

    /// Where both sides are arrays; the base is nil where it is none.
    var elements: (base: [ArchiveValue]?, mine: [ArchiveValue], theirs: [ArchiveValue])? {
        guard case .array(let mine)? = mine, case .array(let theirs)? = theirs else { return nil }
        guard case .array(let base)? = base else { return (nil, mine, theirs) }
        return (base, mine, theirs)
    }
}
