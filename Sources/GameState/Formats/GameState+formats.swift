public import SecureArchive

extension GameState {
    /// Reads an archive.
    ///
    /// - Parameters:
    ///   - format: the format; nil finds it out from the bytes
    ///   - schema: the classes that a keyed archive may have (default: the value classes and those of the models here)
    public init(
        reading bytes: [UInt8],
        as format: ArchiveFormat? = nil,
        schema: ArchiveSchema = GameState.defaultSchema,
        limits: ArchiveLimits = ArchiveLimits()
    ) throws(ArchiveError) {
        let (root, found) = try Archive.read(bytes, as: format, schema: schema, limits: limits)
        self.init(root, format: found)
    }

    /// Writes the tree: the same bytes for the same tree.
    ///
    /// - Parameters:
    ///   - format: nil for the one that was read, or JSON if there was none
    ///   - conversion: the permitted changes for the format
    ///   - schema: the classes of a keyed archive
    public func write(
        as format: ArchiveFormat? = nil,
        _ conversion: Conversion = .none,
        schema: ArchiveSchema = GameState.defaultSchema
    ) throws(ArchiveError) -> [UInt8] {
        let target = format ?? self.format ?? .json
        let converted = converted(to: target, conversion)
        // The error mentions further obstacles, so that the user sees them at once.
        let obstacles = converted.obstacles(to: target, limit: 2)
        if let first = obstacles.first {
            let more = obstacles.count > 1 ? ", and there are further values that it can't say" : ""
            throw ArchiveError(.inexpressible, first.detail + more, at: first.path.steps.isEmpty ? "" : "\(first.path)")
        }
        return try Archive.write(converted.root, as: target, schema: schema)
    }

    /// Returns all values that a format can't express, in the tree's order, up to the limit. Faults that only the
    /// writer finds, such as control characters in XML, are not among them.
    public func obstacles(to format: ArchiveFormat, limit: Int = 100) -> [Obstacle] {
        var search = ObstacleSearch(format, limit: limit)
        search.look(at: root, .root)
        return search.found
    }

    /// The tree after all permitted changes for a format. The writer refuses the rest.
    public func converted(to format: ArchiveFormat, _ conversion: Conversion) -> GameState {
        guard conversion != .none else { return self }
        return GameState(root.converted(to: FormatWords(format), conversion), format: format)
    }
}

/// The values that a format can express.
private struct FormatWords {
    let name: String
    let saysClasses: Bool
    let saysData: Bool
    let saysDates: Bool
    let saysFractionsOfSeconds: Bool
    let saysNull: Bool
    let saysReferences: Bool
    let saysInfinity: Bool

    init(_ format: ArchiveFormat) {
        name = format.words
        switch format {
        case .json:
            (saysClasses, saysData, saysDates, saysNull, saysReferences) = (false, false, false, true, false)
        case .binaryPropertyList, .xmlPropertyList:
            (saysClasses, saysData, saysDates, saysNull, saysReferences) = (false, true, true, false, true)
        case .keyedArchive:
            (saysClasses, saysData, saysDates, saysNull, saysReferences) = (true, true, true, true, false)
        case .xml:
            (saysClasses, saysData, saysDates, saysNull, saysReferences) = (false, false, false, false, false)
        }
        saysFractionsOfSeconds = format != .xmlPropertyList
        saysInfinity = format != .json && format != .xml
    }
}

private struct ObstacleSearch {
    private let format: FormatWords
    private let limit: Int
    private(set) var found: [Obstacle] = []

    init(_ format: ArchiveFormat, limit: Int) {
        self.format = FormatWords(format)
        self.limit = limit
    }

    mutating func look(at value: ArchiveValue, _ path: StatePath) {
        guard found.count < limit else { return }
        switch value {
        case .null where !format.saysNull: note(value, path, path.endsWithKey ? .dropNulls : nil)
        case .data where !format.saysData: note(value, path, .writeDataAsText)
        case .date where !format.saysDates: note(value, path, .writeDatesAsText)
        case .date(let date) where !format.saysFractionsOfSeconds && date.hasFraction:
            add(Obstacle(path: path, detail: "\(format.name) can't say fractions of a second", remedy: .roundDates))
        case .real(let number) where !format.saysInfinity && !number.isFinite:
            note(value, path, nil)
        case .reference where !format.saysReferences: note(value, path, nil)
        case .tagged(_, let below):
            if !format.saysClasses { note(value, path, .dropClassNames) }
            look(at: below, path)
        case .array(let elements):
            for (index, element) in elements.enumerated() { look(at: element, path.appending(.index(index))) }
        case .dictionary(let fields):
            for (key, value) in fields { look(at: value, path.appending(.key(key))) }
        default: break
        }
    }

    private mutating func note(_ value: ArchiveValue, _ path: StatePath, _ remedy: Obstacle.Remedy?) {
        add(Obstacle(path: path, detail: "\(format.name) can't say \(value.kindInWords)", remedy: remedy))
    }

    private mutating func add(_ obstacle: Obstacle) {
        if found.count < limit { found.append(obstacle) }
    }
}

extension StatePath {
    /// True for the path of a key's value. Without that key, the rest of the tree keeps its meaning.
    fileprivate var endsWithKey: Bool {
        if case .key? = steps.last { true } else { false }
    }
}

extension ArchiveDate {
    fileprivate var hasFraction: Bool { secondsSince2001.rounded(.down) != secondsSince2001 }
}

extension ArchiveValue {
    fileprivate func converted(to format: FormatWords, _ conversion: Conversion) -> ArchiveValue {
        switch self {
        case .data(let bytes) where !format.saysData && conversion.writesDataAsText:
            return .string(String(decoding: Base64.encode(bytes[...]), as: UTF8.self))
        case .date(let date) where !format.saysDates && conversion.writesDatesAsText:
            return .string(date.description)
        case .date(let date) where !format.saysFractionsOfSeconds && conversion.roundsDates:
            return ArchiveDate(secondsSince2001: date.secondsSince2001.rounded(.down)).map { .date($0) } ?? self
        case .tagged(let name, let below):
            let inner = below.converted(to: format, conversion)
            return !format.saysClasses && conversion.dropsClassNames ? inner : .tagged(name, inner)
        case .array(let elements): return .array(elements.map { $0.converted(to: format, conversion) })
        case .dictionary(let fields):
            var converted = ArchiveFields(reserving: fields.count)
            for (key, value) in fields {
                let changed = value.converted(to: format, conversion)
                if changed == .null, !format.saysNull, conversion.dropsNulls { continue }
                converted[key] = changed
            }
            return .dictionary(converted)
        default: return self
        }
    }
}
