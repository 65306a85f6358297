/// What may be changed so that a format can say it. Without any of these, what a format has no word for is refused.
public struct Conversion: Hashable, Sendable {
    /// Objects become what they say, without the names of their classes.
    public var dropsClassNames = false
    /// Bytes become texts in base64.
    public var writesDataAsText = false
    /// Dates become texts such as `2026-01-02T03:04:05Z`.
    public var writesDatesAsText = false
    /// Dates lose what is below a second.
    public var roundsDates = false
    /// Keys that hold `null` are left out. In an array it stays, for the places of the others mean something.
    public var dropsNulls = false

    /// Nothing is changed.
    public init() {}

    /// Nothing is changed.
    public static let none = Conversion()

    /// Whatever can be changed is.
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

/// Something that a format has no word for.
public struct Obstacle: Hashable, Sendable {
    /// What could be changed about it.
    public enum Remedy: Hashable, Sendable {
        case dropClassNames
        case writeDataAsText
        case writeDatesAsText
        case roundDates
        case dropNulls
    }

    /// Where it stands.
    public let path: StatePath
    /// What it is, fit to print: `JSON can't say data`.
    public let detail: String
    /// What could be changed about it; nil where nothing can.
    public let remedy: Remedy?
}
