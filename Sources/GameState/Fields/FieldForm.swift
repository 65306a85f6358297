public import SecureArchive

/// The form of one kind of value of a model: the functions that read it from trees and write it.
public struct FieldForm<Value: Sendable>: Sendable {
    /// The type in a keyed archive.
    let archiveType: ArchiveType
    /// Returns the value; nil if it can't be read, after recording the fault.
    let read: @Sendable (ArchiveValue, inout ModelReading) -> Value?
    /// Writes a value over the old one, if there is one: parts that the form does not know stay.
    let write: @Sendable (Value, ModelStyle, ArchiveValue?) -> ArchiveValue

    /// Creates a form for values that have parts.
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
    ///   - archiveType: the type in a keyed archive
    ///   - read: returns nil for a value that can't be read, after recording it with `ModelReading.fault`
    ///   - write: returns the value for a tree
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

    /// Creates a form for values without parts.
    /// - Parameters:
    ///   - name: the kind with its article, such as “an integer”
    ///   - inText: returns the value in a text
    ///   - asText: returns the text of a value, in the style of the old text
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
            // A number that was a text stays a text, and the same text while it has the same value.
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

/// The options for writing models into trees.
public struct ModelStyle: Sendable, Hashable {
    /// The spelling of keys.
    public var spelling = KeySpelling.declared
    /// True to write objects with the names of their classes, which only keyed archives can do.
    public var namesClasses = false
    /// True to write objects without keys, in the order of the table, as the old `encodeObject:` does.
    public var isUnkeyed = false

    /// Creates the style of plain dictionaries with the game's keys.
    public init() {}

    /// The style for formats without classes.
    public static let plain = ModelStyle()

    /// The style for keyed archives.
    public static let objects = {
        var style = ModelStyle()
        style.namesClasses = true
        return style
    }()

    /// The style for keyed archives in the older order.
    public static let unkeyedObjects = {
        var style = ModelStyle.objects
        style.isUnkeyed = true
        return style
    }()
}
