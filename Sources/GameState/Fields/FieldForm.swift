public import SecureArchive

/// One kind of value of a model, as it stands in trees: how it is read, and how it is written.
public struct FieldForm<Value: Sendable>: Sendable {
    /// What it may be in a keyed archive.
    let archiveType: ArchiveType
    /// Nil where it can't be read, which has been noted then.
    let read: @Sendable (ArchiveValue, inout ModelReading) -> Value?
    /// The last is what stood there before, where there was something: of it stays what the form does not know.
    let write: @Sendable (Value, ModelStyle, ArchiveValue?) -> ArchiveValue

    /// For values with parts of their own.
    init(
        in archiveType: ArchiveType = .any,
        read: @escaping @Sendable (ArchiveValue, inout ModelReading) -> Value?,
        writeOver: @escaping @Sendable (Value, ModelStyle, ArchiveValue?) -> ArchiveValue
    ) {
        self.archiveType = archiveType
        self.read = read
        write = writeOver
    }

    /// - Parameters:
    ///   - archiveType: what it may be in a keyed archive
    ///   - read: nil where it can't be read, which it notes with `ModelReading.fault`
    ///   - write: what stands in a tree then
    public init(
        in archiveType: ArchiveType = .any,
        read: @escaping @Sendable (ArchiveValue, inout ModelReading) -> Value?,
        write: @escaping @Sendable (Value, ModelStyle) -> ArchiveValue
    ) {
        self.init(in: archiveType, read: read) { value, style, original in
            let written = write(value, style)
            guard var original else { return written }
            // An object of a class stays one, such as an `NSMutableString`.
            original.replace(with: written)
            return original
        }
    }

    /// A form for values without parts.
    /// - Parameters:
    ///   - name: with its article, such as “an integer”
    ///   - inText: what a text says that stands for such a value
    ///   - asText: the text of a value in the way of the one that stood there
    init(
        _ name: String,
        in archiveType: ArchiveType,
        read: @escaping @Sendable (ArchiveValue) -> Value?,
        inText: @escaping @Sendable (String) -> Value? = { _ in nil },
        asText: @escaping @Sendable (Value, String) -> String = { _, original in original },
        write: @escaping @Sendable (Value) -> ArchiveValue
    ) {
        self.init(in: archiveType) { value, reading in
            if let found = read(value.untagged) { return found }
            if reading.strictness.readsNumbersInTexts, case .string(let text) = value.untagged, let found = inText(text)
            {
                return found
            }
            reading.fault(.wrongKind, "it is \(value.untagged.kindInWords), not \(name)")
            return nil
        } writeOver: { value, _, original in
            guard var original else { return write(value) }
            // A number that was a text stays one, and stays letter by letter while it says the
            // same.
            if case .string(let text) = original.untagged, let old = inText(text) {
                let (before, now) = (asText(old, text), asText(value, text))
                if before != now { original.replace(with: .string(now)) }
            } else {
                original.replace(with: write(value))
            }
            return original
        }
    }
}

/// How models are written into trees.
public struct ModelStyle: Sendable, Hashable {
    /// How keys are spelt.
    public var spelling = KeySpelling.declared
    /// Whether what a game keeps as objects of a class is written as such; only keyed archives can say so.
    public var namesClasses = false
    /// Whether objects are written without keys, in the order of the table, as by `encodeObject:` of old.
    public var isUnkeyed = false

    /// Plain dictionaries with the game's keys.
    public init() {}

    /// For formats without classes.
    public static let plain = ModelStyle()

    /// For keyed archives.
    public static let objects = {
        var style = ModelStyle()
        style.namesClasses = true
        return style
    }()

    /// For keyed archives of the older order.
    public static let unkeyedObjects = {
        var style = ModelStyle.objects
        style.isUnkeyed = true
        return style
    }()
}
