/// The permitted changes to a tree for another format. Without them, values that the format can't express are refused.
public struct Conversion: Hashable, Sendable {
    /// Objects lose the names of their classes.
    public var dropsClassNames = false
    /// Bytes become texts in base64.
    public var writesDataAsText = false
    /// Dates become texts such as `2026-01-02T03:04:05Z`.
    public var writesDatesAsText = false
    /// Dates lose their fractions of a second.
    public var roundsDates = false
    /// Keys with `null` are omitted. In an array `null` stays, because the positions of the others matter.
    public var dropsNulls = false

    /// Permits no change.
    public init() {}

    /// No permitted change.
    public static let none = Conversion()

    /// All possible changes.
    public static let all = {
        var conversion = Conversion()
        conversion.dropsClassNames = true
        conversion.writesDataAsText = true
        conversion.writesDatesAsText = true
        conversion.roundsDates = true
        conversion.dropsNulls = true
        return conversion
    }()
}

/// A value that a format can't express.
public struct Obstacle: Hashable, Sendable {
    /// The possible change.
    public enum Remedy: Hashable, Sendable {
        case dropClassNames
        case writeDataAsText
        case writeDatesAsText
        case roundDates
        case dropNulls
    }

    /// The place of the value.
    public let path: StatePath
    /// The description, fit to print: `JSON can't say data`.
    public let detail: String
    /// The possible change; nil if there is none.
    public let remedy: Remedy?
}
