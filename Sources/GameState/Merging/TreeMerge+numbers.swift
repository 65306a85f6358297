import SecureArchive

/// Rules for values with a size.
extension TreeMerge {
    /// Merges by `max`, `min` or `newest`: one of the two values. If one is missing, the other counts.
    mutating func join(_ versions: Versions, _ place: Place) -> ArchiveValue? {
        let versions = versions.withoutNulls
        guard let mine = versions.mine, let theirs = versions.theirs else { return versions.mine ?? versions.theirs }
        if let merged = mergeInside(versions, place, handingDown: place.rule) { return merged }
        if mine == theirs { return mine }
        switch place.rule {
        case .newest?:
            guard let (here, there) = Self.dates(mine, theirs) else { break }
            return here < there || here == there && mine.stands(before: theirs) ? theirs : mine
        case .min? where mine.hasSize(like: theirs):
            return mine.isSmaller(than: theirs) ? mine : theirs
        case .max? where mine.hasSize(like: theirs):
            return mine.isSmaller(than: theirs) ? theirs : mine
        default: break
        }
        let rule = place.rule?.description ?? ""
        return conflict(
            versions,
            place,
            "\(mine.kindInWords) and \(theirs.kindInWords) can't be compared for “\(rule)”"
        )
    }

    /// Returns two dates of one kind: dates, texts of dates, or numbers of seconds.
    private static func dates(_ mine: ArchiveValue, _ theirs: ArchiveValue) -> (Double, Double)? {
        switch (mine, theirs) {
        case (.date(let mine), .date(let theirs)): return (mine.secondsSince2001, theirs.secondsSince2001)
        case (.string(let mine), .string(let theirs)):
            guard let mine = DateText.date(mine), let theirs = DateText.date(theirs) else { return nil }
            return (mine.secondsSince2001, theirs.secondsSince2001)
        default:
            guard let mine = mine.exactReal, let theirs = theirs.exactReal else { return nil }
            return (mine, theirs)
        }
    }

    /// Merges by `newest by KEY`: the whole side with the later date.
    mutating func newest(_ versions: Versions, by path: StatePath, _ place: Place) -> ArchiveValue? {
        let versions = versions.withoutNulls
        guard let mine = versions.mine, let theirs = versions.theirs else { return versions.mine ?? versions.theirs }
        if mine == theirs { return mine }
        let here = try? GameState(mine).value(at: path).untagged
        let there = try? GameState(theirs).value(at: path).untagged
        switch (here, there) {
        case (nil, nil): break
        case (_?, nil): return mine
        case (nil, _?): return theirs
        case (let here?, let there?):
            guard let (hereDate, thereDate) = Self.dates(here, there) else { break }
            if hereDate != thereDate { return hereDate < thereDate ? theirs : mine }
            return conflict(versions, place, "both are of the same time, and different")
        }
        return conflict(versions, place, "there are no dates at “\(path)” to compare")
    }

    /// Merges by `sum of changes`: adds the changes of both sides since the common version.
    mutating func sumOfChanges(_ versions: Versions, _ place: Place) -> ArchiveValue? {
        let versions = versions.withoutNulls
        guard let mine = versions.mine, let theirs = versions.theirs else {
            if let agreed = versions.agreed { return agreed }
            return conflict(versions, place, "one side has removed what the other has changed")
        }
        if let merged = mergeInside(versions, place, handingDown: .sumOfChanges) { return merged }
        if let sum = Self.sum(versions.base ?? .integer(0), mine, theirs) { return sum }
        if let agreed = versions.agreed, !mine.isNumber, !theirs.isNumber { return agreed }
        return conflict(
            versions,
            place,
            "the changes of \(mine.kindInWords) and \(theirs.kindInWords) can't be added up"
        )
    }

    /// Returns the sum; nil if one of the values is no number, or if no number is the sum.
    ///
    /// A number in a text counts as a number. The sum is a text if both sides are texts. If only one is, it is a text
    /// if the common version was one as well. So the result stays the same when the sides are swapped.
    private static func sum(_ base: ArchiveValue, _ mine: ArchiveValue, _ theirs: ArchiveValue) -> ArchiveValue? {
        guard let sum = numberSum(base.plainNumber, mine.plainNumber, theirs.plainNumber) else { return nil }
        let texts = [mine, theirs].compactMap(\.plainText)
        let isText = texts.count == 2 || texts.count == 1 && base.plainText != nil
        guard isText else { return sum }
        switch sum {
        case .integer(let whole): return .string(whole.description)
        case .real(let real):
            let style = texts.first { $0.contains(".") } ?? texts[0]
            return .string(NumberInText.text(of: real.value, like: style))
        default: return nil
        }
    }

    private static func numberSum(
        _ base: ArchiveValue?,
        _ mine: ArchiveValue?,
        _ theirs: ArchiveValue?
    ) -> ArchiveValue? {
        guard let base, let mine, let theirs else { return nil }
        if case .integer(let base) = base, case .integer(let mine) = mine, case .integer(let theirs) = theirs {
            return sum(base, mine, theirs)
        }
        guard let base = base.exactReal, let mine = mine.exactReal, let theirs = theirs.exactReal else { return nil }
        // The sum of reals depends on the order. So the smaller side comes first, and swapped sides give the same
        // result.
        return ArchiveReal(Swift.min(mine, theirs) - base + Swift.max(mine, theirs)).map { .real($0) }
    }

    private static func sum(_ base: ArchiveInteger, _ mine: ArchiveInteger, _ theirs: ArchiveInteger) -> ArchiveValue? {
        guard let base: Int64 = base.value(), let mine: Int64 = mine.value(), let theirs: Int64 = theirs.value() else {
            return nil
        }
        // The intermediate result may exceed 64 bits.
        let sum = Int128(mine) + Int128(theirs) - Int128(base)
        return Int64(exactly: sum).map { .integer(ArchiveInteger(Int($0))) }
    }
}

extension ArchiveValue {
    fileprivate var isNumber: Bool { plainNumber != nil }

    /// The number that this is or that its text says; nil for everything else.
    fileprivate var plainNumber: ArchiveValue? {
        switch self {
        case .integer, .real: self
        case .string(let text): ScoreNumber(text: text)?.value
        default: nil
        }
    }

    fileprivate var plainText: String? {
        if case .string(let text) = self { text } else { nil }
    }

    /// True if both can be compared by size. True is larger than false, as for an unlocked level.
    fileprivate func hasSize(like other: ArchiveValue) -> Bool {
        switch (self, other) {
        case (.date, .date), (.bool, .bool): true
        default: number.isNumber && other.number.isNumber
        }
    }
}
