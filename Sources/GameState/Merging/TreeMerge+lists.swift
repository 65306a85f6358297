import SecureArchive
import Vocabulary

/// The key that identifies an element of a list.
enum ElementKey: Hashable {
    case bool(Bool)
    case integer(ArchiveInteger)
    case real(ArchiveReal)
    /// By its bytes.
    case text([UInt8])
    case date(ArchiveDate)

    init?(_ value: ArchiveValue) {
        switch value.untagged {
        case .bool(let value): self = .bool(value)
        case .integer(let value): self = .integer(value)
        case .real(let value): self = .real(value)
        case .string(let value): self = .text(Array(value.utf8))
        case .date(let value): self = .date(value)
        default: return nil
        }
    }
}

/// The reason why a list can't be split into elements.
private struct ListFault: Error {
    let reason: String
}

/// The elements of one version of a list by key.
private struct KeyedList {
    var order: [ElementKey] = []
    var elements: [ElementKey: ArchiveValue] = [:]
    var keys: [ElementKey: ArchiveValue] = [:]
}

/// `union`.
extension TreeMerge {
    mutating func union(_ versions: Versions, _ rule: UnionRule, _ place: Place) -> ArchiveValue? {
        let versions = versions.withoutNulls
        guard versions.mine != nil, versions.theirs != nil else { return versions.mine ?? versions.theirs }
        guard let (base, mine, theirs) = versions.elements else {
            if let agreed = versions.agreed { return agreed }
            return conflict(versions, place, "a union is of two lists")
        }
        // Equal changes may still add up within the elements.
        if mine == theirs, rule.elements != .sumOfChanges { return versions.mine }
        do throws(ListFault) {
            let first = conflicts.count
            let union =
                if let key = rule.key { try unionByKey(base ?? [], mine, theirs, rule, key, place) } else {
                    Self.unionOfEqual(base ?? [], mine, theirs)
                }
            guard let path = rule.sortedBy else { return .array(union) }
            let order = Self.sorted(union, by: path, isDescending: rule.isDescending)
            var places = [Int](repeating: 0, count: order.count)
            for (place, index) in order.enumerated() { places[index] = place }
            moveConflicts(from: first, inListAt: place.path, to: places)
            return .array(order.map { union[$0] })
        } catch {
            if let agreed = versions.agreed { return agreed }
            return conflict(versions, place, error.reason)
        }
    }

    /// The elements of the base come first, in its order, then the rest in an order that depends only on the elements.
    /// Each occurs once.
    private static func unionOfEqual(
        _ base: [ArchiveValue],
        _ mine: [ArchiveValue],
        _ theirs: [ArchiveValue]
    ) -> [ArchiveValue] {
        // The first position of each element of the base, in the order of the elements.
        let old = base.indices.sorted { base[$0].stands(before: base[$1]) || base[$0] == base[$1] && $0 < $1 }
        var next = old.startIndex
        var kept: [Int] = []
        var new: [ArchiveValue] = []
        var last: ArchiveValue?
        for value in (mine + theirs).sorted(by: { $0.stands(before: $1) }) where value != last {
            last = value
            while next < old.endIndex, base[old[next]].stands(before: value) { next += 1 }
            if next < old.endIndex, base[old[next]] == value { kept.append(old[next]) } else { new.append(value) }
        }
        return kept.sorted().map { base[$0] } + new
    }

    private mutating func unionByKey(
        _ base: [ArchiveValue],
        _ mine: [ArchiveValue],
        _ theirs: [ArchiveValue],
        _ rule: UnionRule,
        _ key: StatePath,
        _ place: Place
    ) throws(ListFault) -> [ArchiveValue] {
        // A fault of the old list no longer matters.
        let old = (try? keyed(base, rule, key, place)) ?? KeyedList()
        let here = try keyed(mine, rule, key, place)
        let there = try keyed(theirs, rule, key, place)
        let isThere = { (key: ElementKey) in here.elements[key] != nil || there.elements[key] != nil }
        let new = here.keys.merging(there.keys) { mine, _ in mine }
            .filter { old.elements[$0.key] == nil }
            .sorted { $0.value.stands(before: $1.value) }
            .map(\.key)
        var union: [ArchiveValue] = []
        for key in old.order.filter(isThere) + new {
            let element = Versions(base: old.elements[key], mine: here.elements[key], theirs: there.elements[key])
            guard let mine = element.mine, element.theirs != nil else {
                // A union keeps every element that one side still has.
                if let only = element.mine ?? element.theirs { union.append(only) }
                continue
            }
            let below = place.below(.index(union.count), handingDown: rule.elements)
            union.append(merge(element, below) ?? mine)
        }
        return union
    }

    /// Merges elements that occur in a list twice, if the result does not depend on how often that happens.
    private mutating func keyed(
        _ elements: [ArchiveValue],
        _ rule: UnionRule,
        _ path: StatePath,
        _ place: Place
    ) throws(ListFault) -> KeyedList {
        var list = KeyedList()
        for (index, element) in elements.enumerated() {
            guard let value = try? GameState(element).value(at: path), let key = ElementKey(value) else {
                throw ListFault(reason: "element \(index) has no “\(path)” that could tell it from others")
            }
            guard let other = list.elements[key] else {
                list.order.append(key)
                list.elements[key] = element
                list.keys[key] = value.untagged
                continue
            }
            guard other != element else { continue }
            guard rule.elements?.isJoin == true else {
                throw ListFault(reason: "two elements have the same “\(path)”")
            }
            let before = conflicts.count
            let below = place.below(.index(index), handingDown: rule.elements)
            list.elements[key] = merge(Versions(base: nil, mine: other, theirs: element), below)
            guard conflicts.count == before else {
                conflicts.removeSubrange(before...)
                throw ListFault(reason: "two elements have the same “\(path)” and can't be made one")
            }
        }
        return list
    }

    /// The indices of the elements in their new order. Elements without a value to sort by come last.
    private static func sorted(_ elements: [ArchiveValue], by path: StatePath, isDescending: Bool) -> [Int] {
        let keys = elements.map { try? GameState($0).value(at: path).untagged.number }
        return elements.indices.sorted { left, right in
            switch (keys[left], keys[right]) {
            case (nil, nil): return elements[left].stands(before: elements[right])
            case (nil, _?): return false
            case (_?, nil): return true
            case (let leftKey?, let rightKey?):
                if leftKey.stands(before: rightKey) { return !isDescending }
                if rightKey.stands(before: leftKey) { return isDescending }
                // Equal values get an order that depends only on the elements.
                return elements[left].stands(before: elements[right])
            }
        }
    }
}
