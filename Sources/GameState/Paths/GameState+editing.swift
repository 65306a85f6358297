public import SecureArchive

extension GameState {
    /// Returns the value at a path.
    public func value(at path: StatePath) throws(StateError) -> ArchiveValue {
        var value = root
        var walked = StatePath.root
        for step in path.steps {
            value = try value.child(step, at: walked)
            walked.steps.append(step)
        }
        return value
    }

    /// True if a path has a value.
    public func contains(_ path: StatePath) -> Bool {
        var value: ArchiveValue? = root
        for step in path.steps { value = value?.childIfThere(step) }
        return value != nil
    }

    /// Puts a value at a path: in place of the old one, as a new key at the end of a dictionary, or with `[+]` as the
    /// last element.
    ///
    /// An object of a class stays one: if the new value is plain and of the same kind, only the content changes.
    /// - Parameter makingParents: true to make missing dictionaries and arrays on the way
    public mutating func set(
        _ value: ArchiveValue,
        at path: StatePath,
        makingParents: Bool = false
    ) throws(StateError) {
        let path = makingParents ? try makeParents(of: path) : path
        guard let last = path.steps.last else { return root.replace(with: value) }
        let parent = StatePath(path.steps.dropLast())
        try change(at: parent) { collection throws(StateError) in
            try collection.changeCollection(last, at: parent) { fields, key in
                guard let position = fields.position(of: key) else { return fields[key] = value }
                fields.update(at: position) { $0.replace(with: value) }
            } elements: { elements throws(StateError) in
                if last == .end { return elements.append(value) }
                elements[try elements.place(last, at: parent)].replace(with: value)
            }
        }
    }

    /// Inserts a value at a free place: a new key, or before an element of an array, which moves the elements behind
    /// it. `[+]`, or the index after the last, appends it.
    public mutating func insert(_ value: ArchiveValue, at path: StatePath) throws(StateError) {
        guard let last = path.steps.last else {
            throw StateError(.taken, "the root is there already")
        }
        let parent = StatePath(path.steps.dropLast())
        try change(at: parent) { collection throws(StateError) in
            try collection.changeCollection(last, at: parent) { fields, key throws(StateError) in
                guard fields.append(value, for: key) else {
                    throw StateError(.taken, "the key is there already", at: path)
                }
            } elements: { elements throws(StateError) in
                let isAfterLast = last == .end || last == .index(elements.count)
                let place = isAfterLast ? elements.count : try elements.place(last, at: parent)
                elements.insert(value, at: place)
            }
        }
    }

    /// Removes a key or an element.
    /// - Returns: its value
    @discardableResult
    public mutating func remove(at path: StatePath) throws(StateError) -> ArchiveValue {
        guard let last = path.steps.last else {
            throw StateError(.wrongKind, "the root can't be removed")
        }
        let parent = StatePath(path.steps.dropLast())
        let removed = try value(at: path)
        try change(at: parent) { collection throws(StateError) in
            try collection.changeCollection(last, at: parent) { fields, key in
                fields[key] = nil
            } elements: { elements throws(StateError) in
                elements.remove(at: try elements.place(last, at: parent))
            }
        }
        return removed
    }

    /// Changes the value at a path in place. The cost is that of the path, not of the tree.
    ///
    /// A change that throws should leave its value as it was.
    public mutating func change<Result>(
        at path: StatePath,
        _ change: (inout ArchiveValue) throws(StateError) -> Result
    ) throws(StateError) -> Result {
        guard path.steps.count <= StatePath.depthLimit else {
            throw StateError(.badPath, "the path has more than \(StatePath.depthLimit) steps")
        }
        return try Self.descend(&root, path.steps[...], .root, change)
    }

    private static func descend<Result>(
        _ value: inout ArchiveValue,
        _ steps: ArraySlice<StatePath.Step>,
        _ walked: StatePath,
        _ change: (inout ArchiveValue) throws(StateError) -> Result
    ) throws(StateError) -> Result {
        guard let step = steps.first else { return try change(&value) }
        return try value.changeChild(step, at: walked) { child throws(StateError) in
            try descend(&child, steps.dropFirst(), walked.appending(step), change)
        }
    }

    /// Makes the missing values above a path, each of the kind for the next step.
    /// - Returns: the path afterwards, in which a place after the last element is now that of the last element
    private mutating func makeParents(of path: StatePath) throws(StateError) -> StatePath {
        var above = StatePath.root
        for (step, next) in zip(path.steps, path.steps.dropFirst()) {
            above.steps.append(step)
            guard step == .end || !contains(above) else { continue }
            let isKey = if case .key = next { true } else { false }
            try set(isKey ? .dictionary([:]) : .array([]), at: above)
            if step == .end { above.steps[above.steps.count - 1] = .index(-1) }
        }
        return path.steps.last.map { above.appending($0) } ?? path
    }
}

extension ArchiveValue {
    /// Takes over the content of another value. An object of a class stays one if the new value has no class and the
    /// same kind.
    mutating func replace(with value: ArchiveValue) {
        guard case .tagged(let name, let below) = self, below.untagged.isOfKind(value) else { return self = value }
        var inner = below
        inner.replace(with: value)
        self = .tagged(name, inner)
    }

    private func isOfKind(_ other: ArchiveValue) -> Bool {
        switch (self, other) {
        case (.null, .null), (.bool, .bool), (.integer, .integer), (.real, .real), (.string, .string), (.data, .data),
            (.date, .date), (.array, .array), (.dictionary, .dictionary), (.reference, .reference):
            true
        default: false
        }
    }
}
