public import SecureArchive
import Vocabulary

/// One step down a tree. Objects of a class are transparent: a step reaches their fields as those of a dictionary.
extension ArchiveValue {
    /// The value without the names of its classes.
    public var untagged: ArchiveValue {
        var value = self
        while case .tagged(_, let below) = value { value = below }
        return value
    }

    /// The value one step down.
    func child(_ step: StatePath.Step, at path: StatePath) throws(StateError) -> ArchiveValue {
        switch (untagged, step) {
        case (.dictionary(let fields), .key(let key)):
            guard let value = fields[key] else { throw fields.missing(key, at: path) }
            return value
        case (.array(let elements), .index), (.array(let elements), .end):
            return elements[try elements.place(step, at: path)]
        case (let value, _): throw value.hasNo(step, at: path)
        }
    }

    /// Returns the value one step down; nil if there is none. It is for callers that need no explanation, which takes
    /// longer than the lookup.
    func childIfThere(_ step: StatePath.Step) -> ArchiveValue? {
        switch (untagged, step) {
        case (.dictionary(let fields), .key(let key)): fields[key]
        case (.array(let elements), .index), (.array(let elements), .end):
            (try? elements.place(step, at: .root)).map { elements[$0] }
        default: nil
        }
    }

    /// Changes the value one step down in place. Content that no other value shares is not copied.
    mutating func changeChild<Result>(
        _ step: StatePath.Step,
        at path: StatePath,
        _ change: (inout ArchiveValue) throws(StateError) -> Result
    ) throws(StateError) -> Result {
        if case (let name, var below)? = takeTagged() {
            defer { self = .tagged(name, below) }
            return try below.changeChild(step, at: path, change)
        }
        if case .key(let key) = step, var fields = takeFields() {
            defer { self = .dictionary(fields) }
            guard let position = fields.position(of: key) else { throw fields.missing(key, at: path) }
            return try fields.update(at: position, change)
        }
        if step.isOfArray, var elements = takeElements() {
            defer { self = .array(elements) }
            return try change(&elements[try elements.place(step, at: path)])
        }
        throw hasNo(step, at: path)
    }

    /// Changes the fields or elements in place.
    mutating func changeCollection(
        _ step: StatePath.Step,
        at path: StatePath,
        fields changeFields: (inout ArchiveFields, String) throws(StateError) -> Void,
        elements changeElements: (inout [ArchiveValue]) throws(StateError) -> Void
    ) throws(StateError) {
        if case (let name, var below)? = takeTagged() {
            defer { self = .tagged(name, below) }
            try below.changeCollection(step, at: path, fields: changeFields, elements: changeElements)
        } else if case .key(let key) = step, var fields = takeFields() {
            defer { self = .dictionary(fields) }
            try changeFields(&fields, key)
        } else if step.isOfArray, var elements = takeElements() {
            defer { self = .array(elements) }
            try changeElements(&elements)
        } else {
            throw hasNo(step, at: path)
        }
    }

    // The value is taken out, so that it has no other holder and changes without a copy. The caller puts it back.

    private mutating func takeElements() -> [ArchiveValue]? {
        guard case .array(let elements) = self else { return nil }
        self = .null
        return elements
    }

    private mutating func takeFields() -> ArchiveFields? {
        guard case .dictionary(let fields) = self else { return nil }
        self = .null
        return fields
    }

    private mutating func takeTagged() -> (name: ClassName, below: ArchiveValue)? {
        guard case .tagged(let name, let below) = self else { return nil }
        self = .null
        return (name, below)
    }

    private func hasNo(_ step: StatePath.Step, at path: StatePath) -> StateError {
        let wanted =
            switch step {
            case .key: "a dictionary with keys"
            case .index, .end: "an array with elements"
            }
        return StateError(.wrongKind, "it is \(untagged.kindInWords), not \(wanted)", at: path)
    }
}

extension StatePath.Step {
    fileprivate var isOfArray: Bool {
        switch self {
        case .index, .end: true
        case .key: false
        }
    }
}

extension ArchiveFields {
    /// The largest number of keys among which the most similar key is searched.
    private static let comparedKeys = 1000

    func missing(_ key: String, at path: StatePath) -> StateError {
        let nearest = NearestName.of(key, in: keys.prefix(Self.comparedKeys))
        let known = FirstOfMany(keys.lazy.map { PrintableText($0, limit: 40).description }, of: count)
        var words = isEmpty ? "there is no such key, and no other" : "there is no such key; there are \(known)"
        if key.contains("/") { words += "; a path is written like people[0].height" }
        return StateError(.missing, words, at: path.appending(.key(key)), suggestion: nearest)
    }
}

extension [ArchiveValue] {
    /// The position of an existing element.
    func place(_ step: StatePath.Step, at path: StatePath) throws(StateError) -> Int {
        if case .index(let index) = step {
            let place = index < 0 ? count &+ index : index
            if indices.contains(place) { return place }
        }
        let words =
            switch count {
            case 0: "the array is empty"
            case 1: "the array has one element"
            default: "the array has \(count) elements"
            }
        throw StateError(.missing, words, at: path.appending(step))
    }
}
